/** The receipts (SYNC-4): one row per decided operation, with the exact text of its reply. */
import { createHash } from 'node:crypto';
import { maxReplacements } from '#domain/limits.ts';
import { canonicalJson } from '#domain/wire/canonical-json.ts';
import type { Approval } from '#domain/wire/envelope.ts';
import type { AnyOperation, Operation } from '#domain/protocol/operations.ts';
import { insertInto } from '../db/insert.ts';
import { receiptMentions, syncOps } from '../db/schema/sync.ts';
import { isoText, msOf, rowsOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';

export interface Receipt {
  op_id: string;
  kind: string;
  aggregate: string;
  actor_id: number;
  fingerprint: string;
  status: 'applied' | 'refused';
  reply: string;
  http_status: number;
  superseded_by: string | null;
  effective_ms: number;
  /** The number of operations that it replaced, one after the other. */
  replaced: number;
}

/** Returns a hash of kind and payload, whatever the order of keys. A repetition must have the same. */
export const fingerprintOf = (kind: string, payload: unknown): string =>
  fingerprintOfText(kind, canonicalJson(payload));

/** @param text the canonical JSON of the payload */
export function fingerprintOfText(kind: string, text: string): string {
  return createHash('sha256').update(`${kind}\n${text}`).digest('base64url');
}

export async function loadReceipts(
  sql: Sql,
  clinicId: number,
  opIds: readonly string[],
): Promise<Map<string, Receipt>> {
  const rows = await rowsOf<Receipt>(
    sql,
    'receipts by id',
    `select op_id, kind, aggregate, actor_id, fingerprint, status, reply, http_status, superseded_by, replaced,
       ${msOf('effective_at')}::float8 as effective_ms
     from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])`,
    [clinicId, opIds],
  );
  return new Map(rows.map((receipt) => [receipt.op_id, receipt]));
}

/** SQL: the approval in a receipt, null where there is none. It was verified then; its proof is not stored. */
export const storedApproval = (receipt: string): string =>
  `case when ${receipt}approved_by is not null then json_build_object('actor_id', ${receipt}approved_by, 'proof', '') end`;

/** A refused operation as it was received. Its dependencies are not stored. */
export type RefusedOperation = Pick<
  AnyOperation,
  | 'kind'
  | 'aggregate'
  | 'payload'
  | 'v'
  | 'actor_id'
  | 'approval'
  | 'device_id'
  | 'device_seq'
  | 'occurred_at'
  | 'clock_offset_ms'
>;

/** Returns a refused operation that has no replacement yet; undefined when there is none of this id. */
export async function loadRefused(sql: Sql, clinicId: number, opId: string): Promise<RefusedOperation | undefined> {
  const [row] = await rowsOf<{ operation: Omit<RefusedOperation, 'approval'> & { approval: Approval | null } }>(
    sql,
    'refused operation',
    `select json_build_object('kind', kind, 'aggregate', aggregate, 'payload', payload, 'v', v, 'actor_id', actor_id,
       'device_id', device_id, 'device_seq', device_seq, 'occurred_at', ${isoText('occurred_at')},
       'clock_offset_ms', clock_offset_ms, 'approval', ${storedApproval('')}) as operation
     from sync_ops where clinic_id = $1 and op_id = $2 and status = 'refused' and superseded_by is null`,
    [clinicId, opId],
  );
  if (!row) return undefined;
  const { approval, ...operation } = row.operation;
  return approval ? { ...operation, approval } : operation;
}

/** Returns whether the device made an earlier operation on the aggregate that is refused and has no replacement yet. */
export async function hasEarlierRefusal(
  sql: Sql,
  clinicId: number,
  { device_id, device_seq, aggregate }: RefusedOperation,
): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    'earlier refusal',
    `select 1 from sync_ops where clinic_id = $1 and device_id = $2 and device_seq < $3 and aggregate = $4
       and status = 'refused' and superseded_by is null limit 1`,
    [clinicId, device_id, device_seq, aggregate],
  );
  return rows.length > 0;
}

/**
 * Serialises transactions that close the same receipts, which may be of different aggregates. Locks in ascending order.
 */
export async function lockReceipts(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<void> {
  if (opIds.length === 0) return;
  await sql.query({
    name: 'lock receipts',
    text: 'select 1 from sync_ops where clinic_id = $1 and op_id = any($2::uuid[]) order by op_id for no key update',
    values: [clinicId, opIds],
  });
}

/** The last stored replacement of operations that were replaced, by their ids (SYNC-7). */
export type LastReplacements = Map<string, string>;

/**
 * Follows the replacements of stored operations to the last ones, all at once, and adds the receipts of these. A chain
 * has at most `maxReplacements` links.
 */
export async function loadLastReplacements(
  sql: Sql,
  clinicId: number,
  receipts: Map<string, Receipt>,
  opIds: readonly string[],
): Promise<LastReplacements> {
  const replaced = [...new Set(opIds)].filter((opId) => receipts.get(opId)?.superseded_by);
  if (replaced.length === 0) return new Map();
  const rows = await rowsOf<{ first: string; last: string }>(
    sql,
    'last replacements',
    `with recursive chain as (
       select op_id as first, op_id as last, superseded_by as next, 0 as links from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])
       union all
       select c.first, o.op_id, o.superseded_by, c.links + 1 from chain c join sync_ops o on o.clinic_id = $1 and o.op_id = c.next
       where c.links <= $3)
     select first, last from chain where next is null`,
    [clinicId, replaced, maxReplacements],
  );
  const missing = rows.map(({ last }) => last).filter((opId) => !receipts.has(opId));
  for (const [opId, receipt] of await loadReceipts(sql, clinicId, [...new Set(missing)])) receipts.set(opId, receipt);
  return new Map(rows.map(({ first, last }) => [first, last]));
}

/** Returns the receipt of an operation's last replacement: the stored one, or one of the same batch. */
export function currentReceipt(
  receipts: ReadonlyMap<string, Receipt>,
  last: ReadonlyMap<string, string>,
  opId: string,
): Receipt | undefined {
  let receipt = receipts.get(last.get(opId) ?? opId);
  for (let links = 0; receipt?.superseded_by && links <= maxReplacements; links++)
    receipt = receipts.get(receipt.superseded_by);
  return receipt;
}

export interface NewReceipt {
  /** `device_id` is null when the device is unknown. */
  envelope: Omit<Operation, 'payload' | 'kind' | 'device_id'> & {
    payload: unknown;
    kind: string;
    device_id: number | null;
  };
  uploadedBy: number;
  /** The names of actor, approver and uploader at this time. */
  actorName?: string | undefined;
  approverName?: string | undefined;
  uploaderName?: string | undefined;
  fingerprint: string;
  receivedAtMs: number;
  effectiveAtMs: number;
  status: 'applied' | 'refused';
  reply: string;
  httpStatus: number;
  /** The number of operations that it replaced, one after the other; 0 by default. */
  replaced?: number;
  /** True when payload and reply are not those of the sender; false by default. */
  rewritten?: boolean;
  /** The ids by which an erasure finds the receipt, where its aggregate does not lead to them. */
  mentions?: readonly string[] | undefined;
}

/** True when the aggregate says whom the receipt is about; not for a refused operation, or an aggregate without a row. */
const saysOfWhom = ({ status, envelope }: NewReceipt): boolean =>
  status === 'applied' && envelope.aggregate.includes(':');

/** Finds the ids in a text. */
export const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function mentionsIn(receipt: NewReceipt): { opId: string; mentioned: string }[] {
  const { envelope, reply, mentions = [] } = receipt;
  const text = `${JSON.stringify(envelope.payload ?? null)}${reply}`.toLowerCase();
  const ids = saysOfWhom(receipt) ? mentions : (text.match(uuids) ?? []);
  return [...new Set(ids)].map((mentioned) => ({ opId: envelope.op_id, mentioned }));
}

const insertOps = insertInto(syncOps, { leaves: ['supersededBy'] });
const insertMentions = insertInto(receiptMentions);

export async function insertReceipts(sql: Sql, clinicId: number, receipts: readonly NewReceipt[]): Promise<void> {
  // Both are sent at once: what the caller sends next finds the receipts.
  const inserted = insertOps(
    sql,
    receipts.map(({ envelope, ...receipt }) => ({
      clinicId,
      opId: envelope.op_id,
      deviceId: envelope.device_id,
      deviceSeq: envelope.device_seq,
      aggregate: envelope.aggregate,
      kind: envelope.kind,
      v: envelope.v,
      actorId: envelope.actor_id,
      uploadedBy: receipt.uploadedBy,
      actorName: receipt.actorName ?? null,
      approvedBy: envelope.approval?.actor_id ?? null,
      approverName: receipt.approverName ?? null,
      uploaderName: receipt.uploaderName ?? null,
      fingerprint: receipt.fingerprint,
      payload: envelope.payload,
      occurredAt: Date.parse(envelope.occurred_at),
      clockOffsetMs: envelope.clock_offset_ms,
      receivedAt: receipt.receivedAtMs,
      effectiveAt: receipt.effectiveAtMs,
      status: receipt.status,
      reply: receipt.reply,
      httpStatus: receipt.httpStatus,
      supersedes: envelope.supersedes ?? null,
      replaced: receipt.replaced ?? 0,
      rewritten: receipt.rewritten ?? false,
    })),
  );
  const mentioned = insertMentions(
    sql,
    receipts.flatMap(mentionsIn).map((mention) => ({ clinicId, ...mention })),
  );
  await Promise.all([inserted, mentioned]);
}

/** A refused operation and its replacement. */
export interface Closing {
  opId: string;
  by: string;
}

export async function closeReceipts(sql: Sql, clinicId: number, closed: readonly Closing[]): Promise<void> {
  if (closed.length === 0) return;
  await sql.query({
    name: 'close receipts',
    text: `update sync_ops o set superseded_by = c.by from json_to_recordset($2::json) as c("opId" uuid, by uuid)
           where o.clinic_id = $1 and o.op_id = c."opId"`,
    values: [clinicId, JSON.stringify(closed)],
  });
}

/** Deletes receipts of operations that were absent. */
export async function deleteReceipts(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<void> {
  if (opIds.length === 0) return;
  await sql.query({
    name: 'delete receipts',
    text: 'delete from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])',
    values: [clinicId, opIds],
  });
}

/** Returns the ids of the operations of these aggregates. */
export async function receiptsOf(sql: Sql, clinicId: number, aggregates: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ op_id: string }>(
    sql,
    'receipts of aggregates',
    'select op_id from sync_ops where clinic_id = $1 and aggregate = any($2::text[])',
    [clinicId, aggregates],
  );
  return rows.map(({ op_id }) => op_id);
}

/** Returns the operations that mention one of the ids, and whose aggregate does not say whom they are about. */
export function receiptsMentioning(
  sql: Sql,
  clinicId: number,
  ids: readonly string[],
): Promise<Pick<Receipt, 'op_id' | 'aggregate'>[]> {
  return rowsOf(
    sql,
    'receipts mentioning',
    `select distinct o.op_id, o.aggregate from receipt_mentions m join sync_ops o on o.clinic_id = m.clinic_id and o.op_id = m.op_id
     where m.clinic_id = $1 and m.mentioned = any($2::uuid[])`,
    [clinicId, ids],
  );
}

/** Returns what was received with refused operations. */
export function refusedReceipts(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<unknown[]> {
  return rowsOf(
    sql,
    'refused receipts',
    `select op_id, kind, occurred_at, received_at, payload from sync_ops
     where clinic_id = $1 and op_id = any($2::uuid[]) and status = 'refused' order by received_at`,
    [clinicId, opIds],
  );
}

export interface StoredText extends Pick<Receipt, 'op_id' | 'kind' | 'status' | 'reply' | 'superseded_by'> {
  payload: unknown;
}

/** Parsing this number of receipts takes the event loop a few milliseconds. */
const rewrittenAtOnce = 50;

/** Replaces payloads and replies, unless `rewrite` returns null. Fingerprints stay, so that a repetition is still known. */
export async function rewriteReceipts(
  sql: Sql,
  clinicId: number,
  opIds: readonly string[],
  rewrite: (receipt: StoredText) => { payload: unknown; reply: string } | null,
): Promise<void> {
  for (let first = 0; first < opIds.length; first += rewrittenAtOnce) {
    const found = await rowsOf<StoredText>(
      sql,
      'receipts to rewrite',
      `select op_id, kind, status, reply, superseded_by, payload from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])`,
      [clinicId, opIds.slice(first, first + rewrittenAtOnce)],
    );
    const rewritten = found.flatMap((receipt) => {
      const replaced = rewrite(receipt);
      return replaced ? [{ op_id: receipt.op_id, ...replaced }] : [];
    });
    await sql.query({
      name: 'rewrite receipts',
      text: `update sync_ops o set payload = r.payload, reply = r.reply, rewritten = true
             from json_to_recordset($2::json) as r(op_id uuid, payload json, reply text)
             where o.clinic_id = $1 and o.op_id = r.op_id`,
      values: [clinicId, JSON.stringify(rewritten)],
    });
  }
}
