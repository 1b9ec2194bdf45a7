/** The amounts by tax of treatments' documents. */
import type { ReportFilters } from '#domain/report/filters.ts';
import { byCategory } from '#domain/tax/tax.ts';
import { categoryFromWire } from '#domain/tax/wire.ts';
import type { TaxPayload, TaxTotalPayload } from '#domain/tax/wire.ts';
import { minorToWire } from '#domain/money.ts';
import { isoOf } from '#domain/instant.ts';
import { isInCurrency } from '#server/db/documents.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { matching } from './filter-store.ts';

/** A business day, its time span in milliseconds, and the currency that a report of it is in. */
export interface TaxDay {
  day: string;
  currency: string;
  fromMs: number;
  untilMs: number;
}

export interface TaxRow {
  tax: TaxPayload;
  base: number;
  taxMinor: number;
  gross: number;
}

const sumOf = (field: string): string => `coalesce(sum(round((t ->> '${field}')::numeric * 100)), 0)::float8`;

/** SQL: the amounts by tax of the elements `t` of documents, for a query that groups by its first column. */
export const sums = `t - array['base', 'tax', 'gross'] as tax, ${sumOf('base')} as base, ${sumOf('tax')} as "taxMinor", ${sumOf('gross')} as gross`;

/**
 * Returns what the invoices less the credit notes of all matches in a currency state, by tax. Annulled credit notes
 * count nowhere. A full invoice in exchange for a simplified one states its amounts again, so only the simplified one
 * counts.
 */
export async function taxesOf(
  sql: Sql,
  { clinicId, currency }: { clinicId: number; currency: string },
  filters: ReportFilters,
): Promise<TaxTotalPayload[]> {
  const { where, values } = await matching(sql, clinicId, filters);
  const { rows } = await sql.query(
    `select ${sums} from orders o, lateral (
       select i.document from invoices i
       where i.clinic_id = o.clinic_id and i.order_id = o.id and i.document ->> 'document_type' <> 'F3'
       union all select p.credit_note from payments p
       where p.clinic_id = o.clinic_id and p.order_id = o.id and p.credit_note is not null
       union all select c.credit_note from order_cancels c
       where c.clinic_id = o.clinic_id and c.order_id = o.id and c.credit_note is not null and not c.annulled) d,
       lateral jsonb_array_elements(d.document -> 'tax_totals') t
     where ${where} and o.currency = $${values.push(currency)} group by 1`,
    values,
  );
  return inOrder(rows as TaxRow[]);
}

/**
 * Returns what the documents of a business day in a currency state, by tax: those that a payment or refund issued, and
 * the others.
 */
export async function taxesOfDay(
  sql: Sql,
  clinicId: number,
  { day, currency, fromMs, untilMs }: TaxDay,
): Promise<TaxTotalPayload[]> {
  const rows = await rowsOf<TaxRow>(
    sql,
    'taxes of a day',
    `select ${sums} from (
       select p.order_id, coalesce(i.document, p.credit_note) as document from payments p
       left join invoices i on i.clinic_id = p.clinic_id and i.order_id = p.order_id and i.op_id = p.op_id
       where p.clinic_id = $1 and p.business_day = $2
       union all select i.order_id, i.document from invoices i
       where i.clinic_id = $1 and i.document ? 'device_id' and i.issued_at >= $3 and i.issued_at < $4
         and i.document ->> 'document_type' <> 'F3'
       union all select c.order_id, c.credit_note from order_cancels c
       where c.clinic_id = $1 and c.credit_note is not null and not c.annulled and c.effective_at >= $3 and c.effective_at < $4) d
       cross join lateral jsonb_array_elements(d.document -> 'tax_totals') t
     where ${isInCurrency('$5')} group by 1`,
    [clinicId, day, isoOf(fromMs), isoOf(untilMs), currency],
  );
  return inOrder(rows);
}

export function inOrder(rows: readonly TaxRow[]): TaxTotalPayload[] {
  return rows
    .toSorted((a, b) => byCategory(categoryFromWire(a.tax), categoryFromWire(b.tax)))
    .map(({ tax, base, taxMinor, gross }) => ({
      ...tax,
      base: minorToWire(base),
      tax: minorToWire(taxMinor),
      gross: minorToWire(gross),
    }));
}
