/** What a person must look at (SYNC-4, SYNC-11). Managers see it from any device, so a lost tablet loses no tray. */
import type { AttentionDocument } from '../../../domain/protocol/sync.ts';
import { insertRows, isoOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export type AttentionKind = AttentionDocument['kind'];

export interface Concern {
  kind: AttentionKind;
  opId: string | null;
  opKind: string | null;
  orderId: string | null;
  details: Record<string, string | number>;
}

export async function raiseAttention(sql: Sql, clinicId: number, atMs: number, concerns: readonly Concern[]): Promise<void> {
  await insertRows(
    sql,
    'attention_items',
    ['clinic_id', 'kind', 'op_id', 'op_kind', 'order_id', 'details', 'created_at'],
    concerns.map(({ kind, opId, opKind, orderId, details }) => ({
      clinic_id: clinicId, kind, op_id: opId, op_kind: opKind, order_id: orderId, details, created_at: isoOf(atMs),
    })),
  );
}

/** Settles the conditions of treatments that no longer hold. */
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

/** A refused operation that another has replaced needs nobody any more. */
export async function clearRefusals(sql: Sql, clinicId: number, atMs: number, opIds: readonly string[]): Promise<void> {
  if (opIds.length === 0) return;
  await sql.query({
    name: 'clear refusals',
    text: `update attention_items set settled_at = $3
           where clinic_id = $1 and op_id = any($2::uuid[]) and kind = 'refused' and settled_at is null`,
    values: [clinicId, opIds, isoOf(atMs)],
  });
}

/** For the change feed: the columns of an `AttentionDocument`. */
export const feedAttention = `select a.xid::text as xid, a.id::text as id, json_build_object(
  'id', a.id, 'kind', a.kind, 'op_id', a.op_id, 'op_kind', a.op_kind, 'order_id', a.order_id, 'details', a.details,
  'created_at', a.created_at, 'settled_at', a.settled_at) as row from attention_items a`;
