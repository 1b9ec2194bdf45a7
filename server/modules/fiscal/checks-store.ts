/** Fiscal records beside their documents, in SQL. */
import type { IssueRecord } from '../../../domain/fiscal/record.ts';
import { isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { serverDevice } from './server-device.ts';

/** Returns the records of tablets whose document is among these operations and was applied. */
export function documentsOfRecords(
  sql: Sql,
  clinicId: number,
  opIds: readonly string[],
): Promise<{ record: IssueRecord; kind: string; payload: unknown }[]> {
  return rowsOf(
    sql,
    'documents of records',
    `select r.record, o.kind, o.payload from fiscal_records r
     join sync_ops o on o.clinic_id = r.clinic_id and o.op_id = r.paper_op_id and o.status = 'applied'
     where r.clinic_id = $1 and r.paper_op_id = any($2::uuid[]) and r.type = 'issue' and r.device_id <> ${serverDevice} order by r.id`,
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

/** Returns records of tablets whose document's operation is unknown, and of which no manager was told. */
export function recordsWithoutDocument(
  sql: Sql,
  clinicId: number,
  { fromMs, untilMs, limit }: { fromMs: number; untilMs: number; limit: number },
): Promise<{ opId: string; number: string; chain: string }[]> {
  return rowsOf(
    sql,
    'records without document',
    `select r.paper_op_id as "opId", r.number, r.chain from fiscal_records r
     where r.clinic_id = $1 and r.received_at between $2 and $3 and r.type = 'issue' and r.device_id <> ${serverDevice}
       and not exists (select from sync_ops o where o.clinic_id = r.clinic_id and o.op_id = r.paper_op_id)
       and not exists (select from attention_items a where a.clinic_id = r.clinic_id and a.op_id = r.paper_op_id
         and a.kind = 'record_without_document')
     order by r.id limit $4`,
    [clinicId, isoOf(fromMs), isoOf(untilMs), limit],
  );
}

/**
 * Returns the operations of documents that a manager was told of because they, or their records, were missing, and that are
 * there together.
 */
export async function completedSince(sql: Sql, clinicId: number): Promise<string[]> {
  const rows = await rowsOf<{ opId: string }>(
    sql,
    'completed documents',
    `with recursive told as (
       select op_id, kind from attention_items
       where clinic_id = $1 and kind in ('record_without_document', 'document_without_record') and settled_at is null),
     named as (
       select op_id as paper, op_id from told where kind = 'document_without_record'
       union select n.paper, o.supersedes from named n
       join sync_ops o on o.clinic_id = $1 and o.op_id = n.op_id where o.supersedes is not null)
     select t.op_id as "opId" from told t where case t.kind
       when 'record_without_document' then exists (select from sync_ops o where o.clinic_id = $1 and o.op_id = t.op_id)
       else exists (select from named n join fiscal_records r on r.clinic_id = $1 and r.paper_op_id = n.op_id
         and r.type = 'issue' where n.paper = t.op_id) end`,
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
 * Returns invoices and credit notes of a span of time without a fiscal record. An operation that replaced a refused one has
 * brought the document of the first, whose record names the first.
 *
 * @param receivedMs until when a document arrived: the record of a later one may be on its way
 * @param untold leaves out those of which a manager was told
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
    `with recursive paper as (
       select p.op_id, p.order_id, coalesce(i.number, p.credit_note_number) as number, p.effective_at as at from payments p
       left join invoices i on i.clinic_id = p.clinic_id and i.order_id = p.order_id and i.op_id = p.op_id
       where p.clinic_id = $1 and p.effective_at >= $2 and p.effective_at < $3 and (i.id is not null or p.credit_note is not null)
       union all select op_id, order_id, number, issued_at from invoices
       where clinic_id = $1 and document ? 'device_id' and issued_at >= $2 and issued_at < $3
       union all select op_id, order_id, credit_note_number, effective_at from order_cancels
       where clinic_id = $1 and credit_note is not null and effective_at >= $2 and effective_at < $3),
     bare as materialized (
       select * from paper where not exists (select from fiscal_records r
         where r.clinic_id = $1 and r.paper_op_id = paper.op_id and r.type = 'issue')),
     replaced as (
       select b.op_id as paper, o.supersedes as op_id from bare b
       join sync_ops o on o.clinic_id = $1 and o.op_id = b.op_id where o.supersedes is not null
       union select f.paper, o.supersedes from replaced f
       join sync_ops o on o.clinic_id = $1 and o.op_id = f.op_id where o.supersedes is not null)
     select b.op_id as "opId", b.order_id as "orderId", b.number, ${msOf('b.at')}::float8 as "atMs" from bare b
     left join sync_ops o on o.clinic_id = $1 and o.op_id = b.op_id
     where coalesce(o.received_at, b.at) < $4
       and not exists (select from replaced f join fiscal_records r on r.clinic_id = $1 and r.paper_op_id = f.op_id
         and r.type = 'issue' where f.paper = b.op_id)
       and not ($5 and exists (select from attention_items a where a.clinic_id = $1 and a.order_id = b.order_id
         and a.op_id = b.op_id and a.kind = 'document_without_record'))
     order by b.at, b.number limit $6`,
    [clinicId, isoOf(fromMs), isoOf(untilMs), isoOf(receivedMs), untold, limit],
  );
}
