import { expect, test } from 'vitest';
import { jsonFields } from '#server/db/read.ts';
import type { JsonFields, RowOf } from '#server/db/read.ts';
import { drawerMovements } from '#server/db/schema/drawers.ts';

const fields = jsonFields(drawerMovements, 'm', ['opId', 'effectiveAt'], { why: 'reason', atMs: 'effectiveAt' });

test('fields have the names and columns of the table, and an instant is milliseconds', () => {
  const milliseconds = '(extract(epoch from m.effective_at) * 1000)::bigint';
  expect(fields).toBe(`'opId', m.op_id, 'effectiveAtMs', ${milliseconds}, 'why', m.reason, 'atMs', ${milliseconds}`);
});

test('the type of a row follows from the table', () => {
  const rows: RowOf<typeof fields>[] = [{ opId: 'a', effectiveAtMs: 1, why: '', atMs: 1 }];
  const read: { opId: string; effectiveAtMs: number; why: string; atMs: number }[] = rows;
  // @ts-expect-error -- The amount is missing.
  const incomplete: JsonFields<{ opId: string; amountMinor: number }> = fields;
  expect([incomplete, read]).toEqual([fields, rows]);
});
