import { expect, test } from 'vitest';
import { CallFailed } from '#src/api/client.ts';
import { callEach } from '#src/lists/call-each.ts';

const rows = Array.from({ length: 12 }, (_, index) => index);

test('calls for each row, a few at a time and each under a key of its own, and says which failed', async () => {
  let [under, most] = [0, 0];
  const keys = new Set<string>();
  const { done, failed } = await callEach(rows, async (row, headers) => {
    most = Math.max(most, (under += 1));
    Object.values(headers).forEach((key) => keys.add(key));
    await new Promise((resolve) => setTimeout(resolve, 1));
    under -= 1;
    if (row % 5 === 0) throw new CallFailed({ code: 'STOCK_IN_USE', message: '' });
  });
  expect(done).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 11]);
  expect(failed.map(({ row, fault }) => [row, fault.code])).toEqual([
    [0, 'STOCK_IN_USE'],
    [5, 'STOCK_IN_USE'],
    [10, 'STOCK_IN_USE'],
  ]);
  expect(most).toBe(4);
  expect(keys.size).toBe(rows.length);
});

test('stops calling when the server is gone', async () => {
  let calls = 0;
  const { done, failed } = await callEach(rows, async () => {
    calls += 1;
    throw new CallFailed({ code: 'NETWORK', message: '' });
  });
  expect(done).toEqual([]);
  expect(failed).toHaveLength(rows.length);
  expect(calls).toBeLessThanOrEqual(4);
});
