import { expect, test } from 'vitest';
import type { PastTreatment } from '#domain/order/past-treatments.ts';
import { mergeHistory } from '#src/features/counter/patients/merge-history.ts';

const treatment = (id: string, day: number, status: PastTreatment['status'] = 'completed'): PastTreatment => ({
  id,
  number: id,
  status,
  created_at: `2026-05-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  currency: 'EUR',
  total: 10,
  owed: 10,
  balance: 0,
  services: ['Cleaning'],
});
const local = (id: string, day: number, unsent = false) => ({ ...treatment(id, day, 'confirmed'), unsent });
const merged = (...of: Parameters<typeof mergeHistory>) =>
  mergeHistory(...of).map(({ id, status, unsent }) => `${id} ${status}${unsent ? ' unsent' : ''}`);

test('prefers the server’s version, except over unsent treatments', () => {
  expect(
    merged([local('a', 3, true), local('b', 2)], [treatment('b', 2), treatment('c', 1)], { isComplete: true }),
  ).toEqual(['a confirmed unsent', 'b completed', 'c completed']);
  expect(merged([local('a', 3, true)], [treatment('a', 3)], { isComplete: true })).toEqual(['a confirmed unsent']);
});

test('leaves out local treatments older than the last loaded one, unless the list is complete', () => {
  expect(merged([local('a', 1), local('b', 2)], [], { isComplete: true })).toEqual(['b confirmed', 'a confirmed']);
  expect(merged([local('old', 1), local('new', 9)], [treatment('c', 5)], { isComplete: false })).toEqual([
    'new confirmed',
    'c completed',
  ]);
});
