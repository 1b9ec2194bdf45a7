import { expect, test } from 'vitest';
import { currentReceipt } from '../../../server/operations/receipts.ts';
import type { Receipt } from '../../../server/operations/receipts.ts';

const unasked = () => {
  throw new Error('Nothing is missing.');
};

test('SYNC-7 stops following replacements when stored receipts replace each other, which an older version allowed', async () => {
  const receipt = (op_id: string, superseded_by: string) => [op_id, { op_id, superseded_by } as Receipt] as const;
  const receipts = new Map([receipt('a', 'a'), receipt('b', 'c'), receipt('c', 'b')]);
  const sql = { query: unasked } as unknown as Parameters<typeof currentReceipt>[0];
  expect((await currentReceipt(sql, 1, receipts, 'a'))?.op_id).toBe('a');
  expect((await currentReceipt(sql, 1, receipts, 'b'))?.op_id).toBe('c');
});
