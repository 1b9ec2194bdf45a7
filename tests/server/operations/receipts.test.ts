import { expect, test } from 'vitest';
import { currentReceipt } from '#server/operations/receipts.ts';
import type { Receipt } from '#server/operations/receipts.ts';

test('SYNC-7 stops following replacements when stored receipts replace each other', () => {
  const receipt = (op_id: string, superseded_by: string) => [op_id, { op_id, superseded_by } as Receipt] as const;
  const receipts = new Map([receipt('a', 'a'), receipt('b', 'c'), receipt('c', 'b')]);
  expect(currentReceipt(receipts, new Map(), 'a')?.op_id).toBe('a');
  expect(currentReceipt(receipts, new Map(), 'b')).toBeDefined();
});
