import { expect, test } from 'vitest';
import { busyWith, isBusy, setSelling, useActivity } from '#src/sync/activity.ts';

const busy = () => isBusy(useActivity.getState());

/** A work that ends when the test says so. */
function work() {
  let end!: () => void;
  let fail!: (fault: Error) => void;
  const done = busyWith(new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject])));
  return { end, fail, done };
}

test('a reload waits until all running activities have ended or failed', async () => {
  const [first, second] = [work(), work()];
  expect(busy()).toBe(true);
  first.fail(new Error('no paper'));
  await expect(first.done).rejects.toThrow('no paper');
  expect(busy()).toBe(true);
  second.end();
  await second.done;
  expect(busy()).toBe(false);
});

test('a completed sale keeps the page busy until its document is printed', async () => {
  setSelling(true);
  const paper = work();
  setSelling(false);
  expect(busy()).toBe(true);
  paper.end();
  await paper.done;
  expect(busy()).toBe(false);
});
