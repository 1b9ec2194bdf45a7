/** The book of issued invoices, in SQL. */
import type { BookRow } from '#domain/report/book.ts';
import type { CreditNotePayload, Invoice } from '#domain/order/order.ts';
import { businessDay } from '#domain/business-day.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import { isoOf } from '#domain/instant.ts';
import { firstCollected, isInCurrency } from '#server/db/documents.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { inOrder, sums } from './taxes-store.ts';
import type { TaxRow } from './taxes-store.ts';

/** Business days, both included, their span in milliseconds, and the clinic's time zone. */
export interface BookSpan {
  clinicId: number;
  start: string;
  end: string;
  fromMs: number;
  untilMs: number;
  timeZone: string;
}

/**
 * SQL: `issued` has the documents by the days of Z reports: a document that a payment or refund issued has its business day
 * (`taxesOfDay`). Annulled credit notes are no documents. A collective invoice stands for its parts.
 * Without a tax profile a document has no taxpayer. A credit note that corrects no invoice has a number all the same.
 */
const issuedDocuments = `issued as (
  select p.business_day as day, p.order_id, p.op_id, coalesce(i.number, p.credit_note_number) as number,
    coalesce(i.document, p.credit_note) as document from payments p
  left join invoices i on i.clinic_id = $1 and i.order_id = p.order_id and i.op_id = p.op_id
  where p.clinic_id = $1 and p.business_day between $2 and $3 and (i.id is not null or p.credit_note is not null)
  union all select (i.issued_at at time zone $6)::date, i.order_id, i.op_id, i.number, i.document from invoices i
  where i.clinic_id = $1 and i.document ? 'device_id' and not i.document ? 'part_of' and i.issued_at >= $4 and i.issued_at < $5
  union all select (k.issued_at at time zone $6)::date, ${firstCollected('k')}, k.id, k.number, k.document from collective_invoices k
  where k.clinic_id = $1 and k.issued_at >= $4 and k.issued_at < $5
  union all select (c.effective_at at time zone $6)::date, c.order_id, c.op_id, c.credit_note_number, c.credit_note from order_cancels c
  where c.clinic_id = $1 and c.credit_note is not null and not c.annulled and c.effective_at >= $4 and c.effective_at < $5),
 booked as (
  select * from issued where document ? 'tax_totals' or (document ->> 'total_amount')::numeric = 0)`;

const valuesOf = ({ clinicId, start, end, fromMs, untilMs, timeZone }: BookSpan): unknown[] => [
  clinicId,
  start,
  end,
  isoOf(fromMs),
  isoOf(untilMs),
  timeZone,
];

/** SQL: of a document `d`, the last of its records (`id`). */
const lastRecord = `left join lateral (select f.id from fiscal_records f where f.clinic_id = $1 and f.number = d.number and f.type = 'issue'
  order by f.document_op_id = d.op_id desc, f.id desc limit 1) f on true
  left join fiscal_sendings n on n.clinic_id = $1 and n.record_id = f.id`;

export interface BookedDocument extends Pick<BookRow, 'day' | 'number' | 'currency' | 'state'> {
  document: Invoice | CreditNotePayload;
  isErased: boolean;
  csv: string | null;
}

/** SQL: the documents of a span, in no order. */
const documentsOfBook = `with ${issuedDocuments}
     select d.day::text as day, d.number, d.document - 'printed' as document, o.currency, n.state,
       (select a.csv from fiscal_answers a where a.clinic_id = $1 and a.record_id = f.id and a.csv is not null order by a.id desc limit 1) as csv,
       not d.document ? 'treatments' and exists (select from patient_erasures e
         where e.clinic_id = $1 and e.patient_id = o.patient_id) as "isErased"
     from booked d join orders o on o.clinic_id = $1 and o.id = d.order_id ${lastRecord}`;

/** Returns the documents of a span by day and number. */
export function bookedDocuments(sql: Sql, span: BookSpan): Promise<BookedDocument[]> {
  return rowsOf(sql, 'booked documents', `${documentsOfBook} order by d.day, d.number, d.op_id`, valuesOf(span));
}

/** Returns the newest documents of a span, newest first. */
export function latestBooked(sql: Sql, span: BookSpan, limit: number): Promise<BookedDocument[]> {
  return rowsOf(
    sql,
    'latest booked documents',
    `${documentsOfBook} order by d.day desc, d.document ->> 'issued_at' desc, d.number desc, d.op_id limit $7`,
    [...valuesOf(span), limit],
  );
}

/** Counts the documents of a span, their rows, and those that the tax agency is still to accept. */
export async function countBooked(
  sql: Sql,
  span: BookSpan,
): Promise<{ documents: number; rows: number; unsettled: number }> {
  const [row] = await rowsOf<{ documents: number; rows: number; unsettled: number }>(
    sql,
    'booked documents counted',
    `with ${issuedDocuments}
     select count(*)::int as documents,
       coalesce(sum(case when d.document ->> 'document_type' = 'F3' then 1 else greatest(1, coalesce(jsonb_array_length(d.document -> 'tax_totals'), 0)) end), 0)::int as rows,
       (count(*) filter (where n.state in ('unsent', 'rejected')))::int as unsettled
     from booked d ${lastRecord}`,
    valuesOf(span),
  );
  return row!;
}

/** Adds up the documents of a span in a currency, by tax. */
export async function taxesBooked(sql: Sql, span: BookSpan, currency: string): Promise<TaxTotalPayload[]> {
  const rows = await rowsOf<TaxRow>(
    sql,
    'taxes of booked documents',
    `with ${issuedDocuments}
     select ${sums} from booked d cross join lateral jsonb_array_elements(coalesce(d.document -> 'tax_totals', '[]')) t
     where ${isInCurrency('$7')} and d.document ->> 'document_type' is distinct from 'F3' group by 1`,
    [...valuesOf(span), currency],
  );
  return inOrder(rows);
}

/** Returns the business days of the first and of the last document of a clinic; null without any. */
export async function bookedDays(
  sql: Sql,
  { clinicId, timeZone }: Pick<BookSpan, 'clinicId' | 'timeZone'>,
): Promise<{ first: string; last: string } | null> {
  const [row] = await rowsOf<{ firstMs: number | null; lastMs: number | null }>(
    sql,
    'days of documents',
    `select ${msOf('min(at)')}::float8 as "firstMs", ${msOf('max(at)')}::float8 as "lastMs" from (
       select min(effective_at) as at from payments where clinic_id = $1 union all select max(effective_at) from payments where clinic_id = $1
       union all select min(issued_at) from invoices where clinic_id = $1 and document ? 'device_id'
       union all select max(issued_at) from invoices where clinic_id = $1 and document ? 'device_id'
       union all select max(effective_at) from order_cancels where clinic_id = $1 and credit_note is not null) e`,
    [clinicId],
  );
  const { firstMs, lastMs } = row!;
  if (firstMs === null || lastMs === null) return null;
  return { first: businessDay(firstMs, timeZone), last: businessDay(lastMs, timeZone) };
}

/** Returns the time of the first document of a clinic from a time on; null without any. */
export async function nextBookedAt(
  sql: Sql,
  { clinicId, fromMs }: { clinicId: number; fromMs: number },
): Promise<number | null> {
  const [row] = await rowsOf<{ nextMs: number | null }>(
    sql,
    'next document',
    `select ${msOf('min(at)')}::float8 as "nextMs" from (
       select min(effective_at) as at from payments where clinic_id = $1 and effective_at >= $2
       union all select min(issued_at) from invoices where clinic_id = $1 and document ? 'device_id' and issued_at >= $2
       union all select min(effective_at) from order_cancels where clinic_id = $1 and credit_note is not null and effective_at >= $2) e`,
    [clinicId, isoOf(fromMs)],
  );
  return row!.nextMs;
}
