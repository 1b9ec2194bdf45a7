import { expect, test } from 'vitest';
import { ClinicTurns } from '../../../server/operations/turns.ts';

/** Work that runs until it is ended. */
function works(turns: ClinicTurns, clinicId: number, count: number) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const done = Array.from({ length: count }, (_, index) =>
    turns.run(clinicId, () => {
      begun.push(index);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  return { begun, ends, done };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a clinic runs a few at once and the others in order, while another clinic does not wait', async () => {
  const turns = new ClinicTurns({ atOnce: 2, waiting: 10 });
  const busy = works(turns, 1, 5);
  const other = works(turns, 2, 1);
  await settle();
  expect([busy.begun, other.begun]).toEqual([[0, 1], [0]]);
  busy.ends[1]!();
  await settle();
  expect(busy.begun).toEqual([0, 1, 2]);
  for (let index = 0; index < 5; index += 1) {
    busy.ends[index]!();
    await settle();
  }
  expect(busy.begun).toEqual([0, 1, 2, 3, 4]);
  other.ends[0]!();
  await Promise.all([...busy.done, ...other.done]);
  await expect(turns.run(1, () => Promise.resolve('free'))).resolves.toBe('free');
});

test('work that fails gives its turn back', async () => {
  const turns = new ClinicTurns({ atOnce: 1, waiting: 1 });
  await expect(turns.run(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(turns.run(1, () => Promise.resolve('free'))).resolves.toBe('free');
});

test('work of a clinic beyond those that may wait is turned away', async () => {
  const turns = new ClinicTurns({ atOnce: 1, waiting: 1 });
  const busy = works(turns, 1, 3);
  await expect(busy.done[2]).resolves.toBe(null);
  busy.ends[0]!();
  await settle();
  busy.ends[1]!();
  await Promise.all(busy.done);
  expect(busy.begun).toEqual([0, 1]);
});
