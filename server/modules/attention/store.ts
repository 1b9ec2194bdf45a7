/** Attention items that were raised, in SQL: stated anew, settled, read and erased. */
import { erasedText } from '#domain/patient/erasure.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { raiseAttention } from './raise-store.ts';
import type { AttentionKind, Concern } from './raise-store.ts';

/** Builds an `AttentionResource`. */
const attentionJson = `json_build_object(
  'id', a.id, 'kind', a.kind, 'op_id', a.op_id, 'op_kind', a.op_kind, 'order_id', a.order_id, 'details', a.details,
  'created_at', a.created_at, 'settled_at', a.settled_at)`;

/** Raises a condition of the whole clinic, or states anew the one that is open. */
export async function stateClinicConcern(
  sql: Sql,
  clinicId: number,
  atMs: number,
  { kind, details }: Pick<Concern, 'kind' | 'details'>,
): Promise<void> {
  const open = await rowsOf(
    sql,
    'restate clinic concern',
    `update attention_items set details = $3 where clinic_id = $1 and kind = $2 and settled_at is null returning id`,
    [clinicId, kind, JSON.stringify(details)],
  );
  if (open.length === 0)
    await raiseAttention(sql, clinicId, atMs, [{ kind, opId: null, opKind: null, orderId: null, details }]);
}

/** Settles a condition of the whole clinic that no longer holds. */
export async function clearClinicConcern(sql: Sql, clinicId: number, atMs: number, kind: AttentionKind): Promise<void> {
  await sql.query({
    name: 'clear clinic concern',
    text: 'update attention_items set settled_at = $3 where clinic_id = $1 and kind = $2 and settled_at is null',
    values: [clinicId, kind, isoOf(atMs)],
  });
}

/** Settles what the tax agency said of a document's records, when another record takes their place. */
export async function clearDocumentConcerns(
  sql: Sql,
  clinicId: number,
  { opId, number, atMs }: { opId: string; number: string; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'clear document concerns',
    text: `update attention_items set settled_at = $4 where clinic_id = $1 and op_id = $2 and details ->> 'number' = $3
             and kind in ('record_rejected', 'record_with_errors') and settled_at is null`,
    values: [clinicId, opId, number, isoOf(atMs)],
  });
}

/**
 * Updates the details of conditions that still hold.
 *
 * @returns those that were settled before: a person agreed to another amount, so they are raised again
 */
export async function updateOrderConcerns(
  sql: Sql,
  clinicId: number,
  concerns: readonly Concern[],
): Promise<Concern[]> {
  if (concerns.length === 0) return [];
  const open = await rowsOf<{ orderId: string; kind: AttentionKind }>(
    sql,
    'restate concerns',
    `update attention_items a set details = r.details from json_to_recordset($2::json) as r("orderId" uuid, kind text, details jsonb)
     where a.clinic_id = $1 and a.order_id = r."orderId" and a.kind = r.kind and a.settled_at is null
     returning a.order_id as "orderId", a.kind`,
    [clinicId, JSON.stringify(concerns)],
  );
  return concerns.filter(({ orderId, kind }) => !open.some((item) => item.orderId === orderId && item.kind === kind));
}

/** Settles conditions of treatments that no longer hold. */
export async function clearOrderConcerns(
  sql: Sql,
  clinicId: number,
  atMs: number,
  cleared: readonly { orderId: string; kind: AttentionKind }[],
): Promise<void> {
  if (cleared.length === 0) return;
  await sql.query({
    name: 'clear concerns',
    text: `update attention_items a set settled_at = $3 from json_to_recordset($2::json) as r("orderId" uuid, kind text)
           where a.clinic_id = $1 and a.order_id = r."orderId" and a.kind = r.kind and a.settled_at is null`,
    values: [clinicId, JSON.stringify(cleared), isoOf(atMs)],
  });
}

/** Settles what these operations have raised, of some kinds. */
export async function clearConcernsOf(
  sql: Sql,
  clinicId: number,
  atMs: number,
  { opIds, kinds }: { opIds: readonly string[]; kinds: readonly AttentionKind[] },
): Promise<void> {
  if (opIds.length === 0) return;
  await sql.query({
    name: 'clear concerns of operations',
    text: `update attention_items set settled_at = $3
           where clinic_id = $1 and op_id = any($2::uuid[]) and kind = any($4::text[]) and settled_at is null`,
    values: [clinicId, opIds, isoOf(atMs), kinds],
  });
}

/**
 * Settles the items of refused operations that others have replaced. Whoever forged an operation without a proof could
 * replace it too: only a manager settles that notice.
 */
export const clearRefusals = (sql: Sql, clinicId: number, atMs: number, opIds: readonly string[]): Promise<void> =>
  clearConcernsOf(sql, clinicId, atMs, { opIds, kinds: ['refused'] });

export async function findAttention(sql: Sql, clinicId: number, id: number): Promise<AttentionResource | undefined> {
  const [found] = await rowsOf<{ row: AttentionResource }>(
    sql,
    'attention item',
    `select ${attentionJson} as row from attention_items a where a.clinic_id = $1 and a.id = $2`,
    [clinicId, id],
  );
  return found?.row;
}

/** Locks an item until the transaction ends. */
export async function lockAttention(sql: Sql, clinicId: number, id: number): Promise<AttentionResource | undefined> {
  const [found] = await rowsOf<{ row: AttentionResource }>(
    sql,
    'lock attention item',
    `select ${attentionJson} as row from attention_items a where a.clinic_id = $1 and a.id = $2 for update`,
    [clinicId, id],
  );
  return found?.row;
}

export async function markSettled(
  sql: Sql,
  clinicId: number,
  { id, reason, atMs, userId }: { id: number; reason: string; atMs: number; userId: number | null },
): Promise<AttentionResource> {
  const [settled] = await rowsOf<{ row: AttentionResource }>(
    sql,
    'settle attention',
    `update attention_items a set settled_at = $3, settled_by = $4, settled_reason = $5 where a.clinic_id = $1 and a.id = $2
     returning ${attentionJson} as row`,
    [clinicId, id, isoOf(atMs), userId, reason.trim()],
  );
  return settled!.row;
}

/** The details of an item that are no text of its sender. A number stays where it has the form of one. */
const plainDetails = [
  'actor_id',
  'actor',
  'approver',
  'uploader',
  'device',
  'aggregate',
  'occurred_at',
  'code',
  'amount',
];

/**
 * Empties what items of these treatments and operations say in the words of others: why they were settled, which fields a
 * refused operation had, and what the tax agency answered.
 *
 * @returns the ids of the items that somebody settled
 */
export async function eraseTextsOfItems(
  sql: Sql,
  clinicId: number,
  { orderIds, opIds }: { orderIds: readonly string[]; opIds: readonly string[] },
): Promise<number[]> {
  await sql.query({
    name: 'erase details of attention',
    text: `update attention_items set details = case
             when kind in ('refused', 'unproven') then (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(details) where key = any($4::text[]) or (key = 'number' and value #>> '{}' ~ '^[A-Z]{1,4}-[A-Z]{1,12}[0-9]-[0-9]{1,9}$'))
             else details || '{"reason":"${erasedText}"}' end
           where clinic_id = $1 and (kind in ('refused', 'unproven', 'record_rejected', 'record_with_errors'))
             and (order_id = any($2::uuid[]) or op_id = any($3::uuid[]))`,
    values: [clinicId, orderIds, opIds, plainDetails],
  });
  const rows = await rowsOf<{ id: string }>(
    sql,
    'erase attention',
    `update attention_items set settled_reason = '' where clinic_id = $1 and settled_reason is not null
       and (order_id = any($2::uuid[]) or op_id = any($3::uuid[])) returning id`,
    [clinicId, orderIds, opIds],
  );
  return rows.map(({ id }) => Number(id));
}

/** Returns the items that are not settled, newest first. */
export async function openAttention(sql: Sql, clinicId: number, limit: number): Promise<AttentionResource[]> {
  const rows = await rowsOf<{ row: AttentionResource }>(
    sql,
    'open attention',
    `select ${attentionJson} as row from attention_items a where a.clinic_id = $1 and a.settled_at is null order by a.created_at desc, a.id desc limit $2`,
    [clinicId, limit],
  );
  return rows.map(({ row }) => row);
}

/** Returns how many items are not settled, and their kinds, that of the newest item first. */
export async function countOpenAttention(
  sql: Sql,
  clinicId: number,
): Promise<{ count: number; kinds: AttentionResource['kind'][] }> {
  const rows = await rowsOf<{ kind: AttentionResource['kind']; count: number }>(
    sql,
    'count open attention',
    `select a.kind, count(*)::int as count from attention_items a where a.clinic_id = $1 and a.settled_at is null
     group by a.kind order by max(a.created_at) desc, max(a.id) desc`,
    [clinicId],
  );
  return { count: rows.reduce((sum, { count }) => sum + count, 0), kinds: rows.map(({ kind }) => kind) };
}

/** Selects rows for the change feed. */
export const feedAttention = `select a.xid::text as xid, a.id::text as id, ${attentionJson} as row from attention_items a`;

/** Selects the treatments of a clinic (`$1`) with an open attention item. */
export const openOrderConcerns = `select a.order_id from attention_items a where a.clinic_id = $1 and a.order_id is not null and a.settled_at is null`;
