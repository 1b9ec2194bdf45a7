import { expect, test } from 'vitest';
import type { PastTreatment } from '../../../../../domain/patient/resources.ts';
import { mergeHistory } from '../../../../../src/features/counter/patients/merge-history.ts';

const treatment = (id: string, day: number, status: PastTreatment['status'] = 'completed'): PastTreatment => ({
  id,
  number: id,
  status,
  created_at: `2026-05-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  currency: 'EUR',
  total: 10,
  balance: 0,
  services: ['Cleaning'],
});
const here = (id: string, day: number, unsent = false) => ({ ...treatment(id, day, 'confirmed'), unsent });
const shown = (...of: Parameters<typeof mergeHistory>) =>
  mergeHistory(...of).map(({ id, status, unsent }) => `${id} ${status}${unsent ? ' unsent' : ''}`);

test('the server’s word stands, but for what waits here to be sent', () => {
  expect(
    shown([here('a', 3, true), here('b', 2)], [treatment('b', 2), treatment('c', 1)], { isComplete: true }),
  ).toEqual(['a confirmed unsent', 'b completed', 'c completed']);
  expect(shown([here('a', 3, true)], [treatment('a', 3)], { isComplete: true })).toEqual(['a confirmed unsent']);
});

test('without the server everything of this device shows, and with a part of its list nothing older than that part', () => {
  expect(shown([here('a', 1), here('b', 2)], [], { isComplete: true })).toEqual(['b confirmed', 'a confirmed']);
  expect(shown([here('old', 1), here('new', 9)], [treatment('c', 5)], { isComplete: false })).toEqual([
    'new confirmed',
    'c completed',
  ]);
});
