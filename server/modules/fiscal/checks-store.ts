/** Fiscal records beside their documents, in SQL. */
import type { IssueRecord } from '#domain/fiscal/record.ts';
import { maxReplacements } from '#domain/limits.ts';
import { isoOf } from '#domain/instant.ts';
import { firstCollected } from '#server/db/documents.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Receipt } from '#server/operations/receipts.ts';
import { serverDevice } from './server-device.ts';

/** What became of an operation that brings a document. */
export interface DocumentOperation {
  op_id: string;
  deviceId: number | null;
  kind: string;
  status: Receipt['status'];
  payload: unknown;
}

/** A record of a tablet, and the operation of its document with what replaced it, one after the other. */
export interface RecordedDocument {
  recordId: number;
  deviceId: number;
  record: IssueRecord;
  /** True once the server has cancelled the document. */
  isCancelled: boolean;
  operations: DocumentOperation[];
}

/** SQL: of a record `f`, whether the server has cancelled its document. */
const isCancelled = `exists (select from fiscal_records k where k.clinic_id = $1 and k.document_op_id = f.document_op_id
  and k.number = f.number and k.type = 'cancel') as "isCancelled"`;

/** SQL: a `DocumentOperation`. */
const operationJson = `json_build_object('op_id', o.op_id, 'deviceId', o.device_id, 'kind', o.kind, 'status', o.status,
  'payload', o.payload)`;

/**
 * Returns the tablets' records of the documents that these operations bring, or brought before others replaced them.
 *
 * @param isReplacing true when these operations replace others
 */
export async function recordedDocuments(
  sql: Sql,
  clinicId: number,
  opIds: readonly string[],
  { isReplacing }: { isReplacing: boolean },
): Promise<RecordedDocument[]> {
  if (isReplacing) return replacedDocuments(sql, clinicId, opIds);
  const found = await documentsAsTheyCame(sql, clinicId, opIds);
  return found.some(({ isLinked }) => isLinked) ? replacedDocuments(sql, clinicId, opIds) : found;
}

/** Returns the records of these operations alone, and whether one of them replaces another or has a replacement: almost none does. */
function documentsAsTheyCame(
  sql: Sql,
  clinicId: number,
  opIds: readonly string[],
): Promise<(RecordedDocument & { isLinked: boolean })[]> {
  return rowsOf(
    sql,
    'documents as they came',
    `select f.id::float8 as "recordId", f.device_id as "deviceId", f.record, ${isCancelled},
       case when o.op_id is null then '[]' else json_build_array(${operationJson}) end as operations,
       coalesce(o.supersedes, o.superseded_by) is not null as "isLinked"
     from fiscal_records f left join sync_ops o on o.clinic_id = $1 and o.op_id = f.document_op_id
     where f.clinic_id = $1 and f.document_op_id = any($2::uuid[]) and f.type = 'issue' and f.device_id <> ${serverDevice}
     order by f.id`,
    [clinicId, opIds],
  );
}

/** Follows what replaced the operations, and what they replaced. */
function replacedDocuments(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<RecordedDocument[]> {
  return rowsOf(
    sql,
    'replaced documents',
    `with recursive asked as (
       select op_id from unnest($2::uuid[]) as g(op_id)
       union
       select o.supersedes from asked join sync_ops o on o.clinic_id = $1 and o.op_id = asked.op_id where o.supersedes is not null),
     found as materialized (
       select r.id, r.device_id, r.record, r.number, r.document_op_id from fiscal_records r
       where r.clinic_id = $1 and r.document_op_id in (select op_id from asked) and r.type = 'issue' and r.device_id <> ${serverDevice}),
     link as (
       select distinct document_op_id as first, document_op_id as op_id, 0 as place from found
       union
       select l.first, o.superseded_by, l.place + 1 from link l
       join sync_ops o on o.clinic_id = $1 and o.op_id = l.op_id where o.superseded_by is not null and l.place <= ${maxReplacements})
     select f.id::float8 as "recordId", f.device_id as "deviceId", f.record, ${isCancelled},
       coalesce((select json_agg(${operationJson} order by l.place)
         from link l join sync_ops o on o.clinic_id = $1 and o.op_id = l.op_id where l.first = f.document_op_id), '[]') as operations
     from found f order by f.id`,
    [clinicId, opIds],
  );
}

/** The first key of the locks of the clinics' checks; the second is the clinic. */
const checksLock = 3;

/** Takes the lock of a clinic's checks until the transaction ends, and returns whether it got it. */
export async function holdChecks(sql: Sql, clinicId: number): Promise<boolean> {
  const [row] = await rowsOf<{ isHeld: boolean }>(
    sql,
    'hold fiscal checks',
    `select pg_try_advisory_xact_lock(${checksLock}, $1) as "isHeld"`,
    [clinicId],
  );
  return row!.isHeld;
}

/** SQL: the operation of a document is unknown, or is refused and keeps its record, and others, from the tax agency. */
const isMissing = (
  opId: string,
): string => `not exists (select from sync_ops o where o.clinic_id = $1 and o.op_id = ${opId}
    and (o.status = 'applied' or o.superseded_by is not null or not exists (
      select from fiscal_records h join fiscal_sendings s on s.clinic_id = h.clinic_id and s.record_id = h.id
      where h.clinic_id = $1 and h.document_op_id = ${opId} and s.held_for = 'document')))`;

/** Returns the tablets' records whose document is missing, unless somebody annulled it or an attention item names it. */
export function recordsWithoutDocument(
  sql: Sql,
  clinicId: number,
  { fromMs, untilMs, limit }: { fromMs: number; untilMs: number; limit: number },
): Promise<{ opId: string; number: string; chain: string }[]> {
  return rowsOf(
    sql,
    'records without document',
    `select r.document_op_id as "opId", r.number, r.chain from fiscal_records r
     where r.clinic_id = $1 and r.received_at between $2 and $3 and r.type = 'issue' and r.device_id <> ${serverDevice}
       and ${isMissing('r.document_op_id')}
       and not exists (select from fiscal_records k where k.clinic_id = r.clinic_id and k.document_op_id = r.document_op_id
         and k.number = r.number and k.type = 'cancel')
       and not exists (select from attention_items a where a.clinic_id = r.clinic_id and a.op_id = r.document_op_id
         and a.kind = 'record_without_document')
     order by r.id limit $4`,
    [clinicId, isoOf(fromMs), isoOf(untilMs), limit],
  );
}

/**
 * Returns the operations of documents that have come together with their records. An open attention item says that one of the
 * two is missing.
 */
export async function completedSince(sql: Sql, clinicId: number): Promise<string[]> {
  const rows = await rowsOf<{ opId: string }>(
    sql,
    'completed documents',
    `with recursive told as (
       select op_id, kind from attention_items
       where clinic_id = $1 and kind in ('record_without_document', 'document_without_record') and settled_at is null),
     named as (
       select op_id as first, op_id from told where kind = 'document_without_record'
       union select n.first, o.supersedes from named n
       join sync_ops o on o.clinic_id = $1 and o.op_id = n.op_id where o.supersedes is not null)
     select t.op_id as "opId" from told t where case t.kind
       when 'record_without_document' then not ${isMissing('t.op_id')}
       else exists (select from named n join fiscal_records r on r.clinic_id = $1 and r.document_op_id = n.op_id
         and r.type = 'issue' where n.first = t.op_id) end`,
    [clinicId],
  );
  return rows.map(({ opId }) => opId);
}

/** Returns the time since which a clinic keeps fiscal records; null before its first one. */
export async function recordsSince(sql: Sql, clinicId: number): Promise<number | null> {
  const [first] = await rowsOf<{ atMs: number }>(
    sql,
    'first fiscal record',
    `select ${msOf('received_at')}::float8 as "atMs" from fiscal_records where clinic_id = $1 order by id limit 1`,
    [clinicId],
  );
  return first?.atMs ?? null;
}

export interface BareDocument {
  opId: string;
  orderId: string;
  number: string;
  atMs: number;
}

/**
 * Returns invoices and credit notes of a span of time without a fiscal record. An operation that replaced a refused one
 * brought the document of the first, and the record names the first.
 *
 * @param receivedMs until when a document arrived: the record of a later one may be on its way
 * @param untold leaves out those that an attention item names
 */
export function documentsWithoutRecord(
  sql: Sql,
  clinicId: number,
  {
    fromMs,
    untilMs,
    receivedMs,
    untold,
    limit,
  }: { fromMs: number; untilMs: number; receivedMs: number; untold: boolean; limit: number },
): Promise<BareDocument[]> {
  return rowsOf(
    sql,
    'documents without record',
    `with recursive issued as (
       select p.op_id, p.order_id, coalesce(i.number, p.credit_note_number) as number, p.effective_at as at from payments p
       left join invoices i on i.clinic_id = p.clinic_id and i.order_id = p.order_id and i.op_id = p.op_id
       where p.clinic_id = $1 and p.effective_at >= $2 and p.effective_at < $3 and (i.id is not null or p.credit_note is not null)
       union all select op_id, order_id, number, issued_at from invoices
       where clinic_id = $1 and document ? 'device_id' and not document ? 'part_of' and issued_at >= $2 and issued_at < $3
       union all select k.id, ${firstCollected('k')}, k.number, k.issued_at from collective_invoices k
       where k.clinic_id = $1 and k.issued_at >= $2 and k.issued_at < $3
       union all select op_id, order_id, credit_note_number, effective_at from order_cancels
       where clinic_id = $1 and credit_note is not null and effective_at >= $2 and effective_at < $3),
     bare as materialized (
       select * from issued where not exists (select from fiscal_records r
         where r.clinic_id = $1 and r.document_op_id = issued.op_id and r.type = 'issue')),
     replaced as (
       select b.op_id as first, o.supersedes as op_id from bare b
       join sync_ops o on o.clinic_id = $1 and o.op_id = b.op_id where o.supersedes is not null
       union select f.first, o.supersedes from replaced f
       join sync_ops o on o.clinic_id = $1 and o.op_id = f.op_id where o.supersedes is not null)
     select b.op_id as "opId", b.order_id as "orderId", b.number, ${msOf('b.at')}::float8 as "atMs" from bare b
     left join sync_ops o on o.clinic_id = $1 and o.op_id = b.op_id
     where coalesce(o.received_at, b.at) < $4
       and not exists (select from replaced f join fiscal_records r on r.clinic_id = $1 and r.document_op_id = f.op_id
         and r.type = 'issue' where f.first = b.op_id)
       and not ($5 and exists (select from attention_items a where a.clinic_id = $1 and a.order_id = b.order_id
         and a.op_id = b.op_id and a.kind = 'document_without_record'))
     order by b.at, b.number limit $6`,
    [clinicId, isoOf(fromMs), isoOf(untilMs), isoOf(receivedMs), untold, limit],
  );
}
