/** Reads what fiscal records are compared with, in SQL. */
import type { AnswerOrigin, SendingState } from '#domain/fiscal/resources.ts';
import type { CreditNotePayload, Invoice } from '#domain/order/order.ts';
import { isoOf } from '#domain/instant.ts';
import { firstCollected, isInCurrency } from '#server/db/documents.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export type StoredDocument = { number: string } & (
  | { kind: 'invoice'; document: Invoice }
  | { kind: 'note'; document: CreditNotePayload }
);

/** Returns the documents of these numbers, as they are shown and printed again. */
export function documentsNumbered(sql: Sql, clinicId: number, numbers: readonly string[]): Promise<StoredDocument[]> {
  return rowsOf(
    sql,
    'documents numbered',
    `select 'invoice' as kind, number, document from invoices
     where clinic_id = $1 and number = any($2::text[]) and not document ? 'part_of'
     union all select 'invoice', number, document from collective_invoices where clinic_id = $1 and number = any($2::text[])
     union all select 'note', credit_note_number, credit_note from payments
     where clinic_id = $1 and credit_note_number = any($2::text[]) and credit_note is not null
     union all select 'note', credit_note_number, credit_note from order_cancels
     where clinic_id = $1 and credit_note_number = any($2::text[]) and credit_note is not null`,
    [clinicId, numbers],
  );
}

export interface StoredSending {
  recordId: number;
  /** Null of a record for which no state is kept. */
  state: SendingState | null;
  code: number | null;
  isHeld: boolean;
  isCancelled: boolean;
  isFresh: boolean;
  answers: { origin: AnswerOrigin; state: SendingState; code: number | null; csv: string | null }[];
}

/** Returns what became of records, and what the tax agency answered for them. */
export function sendingsOf(
  sql: Sql,
  clinicId: number,
  { recordIds, freshSinceMs }: { recordIds: readonly number[]; freshSinceMs: number },
): Promise<StoredSending[]> {
  return rowsOf(
    sql,
    'sendings of records',
    `select r.id::float8 as "recordId", s.state, s.code, s.held_for is not null as "isHeld", r.received_at > $3 as "isFresh",
       exists (select from fiscal_records k where k.clinic_id = $1 and k.document_op_id = r.document_op_id and k.number = r.number
         and k.type = 'cancel') as "isCancelled",
       coalesce((select json_agg(json_build_object('origin', a.origin, 'state', a.state, 'code', a.code, 'csv', a.csv) order by a.id)
         from fiscal_answers a where a.clinic_id = $1 and a.record_id = r.id), '[]') as answers
     from fiscal_records r left join fiscal_sendings s on s.clinic_id = $1 and s.record_id = r.id
     where r.clinic_id = $1 and r.id = any($2::bigint[])`,
    [clinicId, recordIds, isoOf(freshSinceMs)],
  );
}

const cents = (value: string): string => `round((${value})::numeric * 100)`;

/** SQL: the amounts by tax of the document `d.document` add up to something else than its total. */
const addsUpWrong = `d.document ? 'tax_totals' and (
  exists (select from jsonb_array_elements(d.document -> 'tax_totals') t
    where ${cents(`t ->> 'base'`)} + ${cents(`t ->> 'tax'`)} <> ${cents(`t ->> 'gross'`)})
  or (select coalesce(sum(${cents(`t ->> 'gross'`)}), 0) from jsonb_array_elements(d.document -> 'tax_totals') t)
    <> ${cents(`d.document ->> 'total_amount'`)})`;

/** A document or a treatment that contradicts itself, or its payments. */
export interface Contradiction {
  number: string;
  fault: 'payment' | 'totals' | 'paid';
}

/**
 * Returns what of a span of time contradicts its payments: an invoice of a payment that is not there (`payment`), amounts by
 * tax that are not the total (`totals`), and treatments on which more or less counts as paid than was paid (`paid`).
 */
export function contradictions(
  sql: Sql,
  clinicId: number,
  { fromMs, untilMs, limit }: { fromMs: number; untilMs: number; limit: number },
): Promise<Contradiction[]> {
  return rowsOf(
    sql,
    'contradictions of documents',
    `with treated as materialized (
       select id, number, paid_minor from orders where clinic_id = $1 and created_at >= $2 and created_at < $3),
     d as (
       select i.number, i.order_id, i.op_id, i.document, true as is_invoice from invoices i join treated o on o.id = i.order_id
       where i.clinic_id = $1
       union all select p.credit_note_number, p.order_id, p.op_id, p.credit_note, false from payments p join treated o on o.id = p.order_id
       where p.clinic_id = $1 and p.credit_note is not null
       union all select c.credit_note_number, c.order_id, c.op_id, c.credit_note, false from order_cancels c join treated o on o.id = c.order_id
       where c.clinic_id = $1 and c.credit_note is not null)
     select d.number, 'payment' as fault from d where d.is_invoice and not d.document ? 'device_id' and not exists (
       select from payments p where p.clinic_id = $1 and p.order_id = d.order_id and p.op_id = d.op_id)
     union all select d.number, 'totals' from d where ${addsUpWrong}
     union all select k.number, 'totals' from collective_invoices k
       where k.clinic_id = $1 and k.issued_at >= $2 and k.issued_at < $3 and ${cents(`k.document ->> 'total_amount'`)} <> (
         select coalesce(sum(${cents(`i.document ->> 'total_amount'`)}), 0) from invoices i
         where i.clinic_id = $1 and i.number = k.number and i.document ->> 'part_of' = k.id::text)
     union all select o.number, 'paid' from treated o where o.paid_minor <> (
       select coalesce(sum(p.amount_minor), 0) from payments p where p.clinic_id = $1 and p.order_id = o.id)
     limit $4`,
    [clinicId, isoOf(fromMs), isoOf(untilMs), limit],
  );
}

/** The time of the first treatment; null before it. */
export async function treatmentsSince(sql: Sql, clinicId: number): Promise<number | null> {
  const [row] = await rowsOf<{ atMs: number | null }>(
    sql,
    'first treatment',
    `select (extract(epoch from min(created_at)) * 1000)::float8 as "atMs" from orders where clinic_id = $1`,
    [clinicId],
  );
  return row!.atMs;
}

/** What the fiscal records of the documents of a business day add up to. */
export interface RecordedDay {
  day: string;
  totalMinor: number;
}

/**
 * Returns the business days of a span with documents, each with the sum that their fiscal records state. A document without a
 * record adds nothing. A Z report has the same documents (`taxesOfDay`).
 */
export function recordedDays(
  sql: Sql,
  clinicId: number,
  { start, end, timeZone, currency }: { start: string; end: string; timeZone: string; currency: string },
): Promise<RecordedDay[]> {
  return rowsOf(
    sql,
    'sums of records by day',
    `with issued as (
       select p.business_day as day, p.order_id, p.op_id, coalesce(i.number, p.credit_note_number) as number,
         coalesce(i.document, p.credit_note) as document from payments p
       left join invoices i on i.clinic_id = $1 and i.order_id = p.order_id and i.op_id = p.op_id
       where p.clinic_id = $1 and p.business_day between $2 and $3 and (i.id is not null or p.credit_note is not null)
       union all select (i.issued_at at time zone $4)::date, i.order_id, i.op_id, i.number, i.document from invoices i
       where i.clinic_id = $1 and i.document ? 'device_id' and i.document ->> 'document_type' <> 'F3' and not i.document ? 'part_of'
         and i.issued_at >= $2::date::timestamp at time zone $4 and i.issued_at < ($3::date + 1)::timestamp at time zone $4
       union all select (k.issued_at at time zone $4)::date, ${firstCollected('k')}, k.id, k.number, k.document from collective_invoices k
       where k.clinic_id = $1
         and k.issued_at >= $2::date::timestamp at time zone $4 and k.issued_at < ($3::date + 1)::timestamp at time zone $4
       union all select (c.effective_at at time zone $4)::date, c.order_id, c.op_id, c.credit_note_number, c.credit_note from order_cancels c
       where c.clinic_id = $1 and c.credit_note is not null and not c.annulled
         and c.effective_at >= $2::date::timestamp at time zone $4 and c.effective_at < ($3::date + 1)::timestamp at time zone $4)
     select d.day::text as day, coalesce(sum(${cents('r.total')}), 0)::float8 as "totalMinor"
     from issued d
     left join lateral (select f.record -> 'fields' ->> 'total' as total from fiscal_records f
       where f.clinic_id = $1 and f.number = d.number and f.type = 'issue' and f.record -> 'fields' -> 'correction' is null
       order by f.document_op_id = d.op_id desc, f.id limit 1) r on true
     where d.document ? 'tax_totals' and ${isInCurrency('$5')} group by 1 order by 1`,
    [clinicId, start, end, timeZone, currency],
  );
}
