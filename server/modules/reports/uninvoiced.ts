/** Treatments that wait for an invoice (`domain/report/uninvoiced.ts`). */
import { businessDay, daysAfter } from '#domain/business-day.ts';
import { invoiceDueOn, mostBillable, mostUninvoiced } from '#domain/report/uninvoiced.ts';
import type { UninvoicedReport, UninvoicedTreatment } from '#domain/report/uninvoiced.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Sql } from '#server/db/sql.ts';
import { billable, countUninvoiced, uninvoiced } from './uninvoiced-store.ts';

/** The law asks for invoices of four years; what is older is no daily work. */
const memoryDays = 4 * 366;

/** A treatment of today may still be under way. */
const spanOf = ({ time_zone }: ClinicSettings, nowMs: number) => {
  const today = businessDay(nowMs, time_zone);
  return { today, from: daysAfter(today, -memoryDays), before: today };
};

const withTerm = (row: Omit<UninvoicedTreatment, 'due_on' | 'is_late'>, today: string): UninvoicedTreatment => {
  const due_on = invoiceDueOn(row.day);
  return { ...row, due_on, is_late: today > due_on };
};

/** Returns the treatments of a month (`yyyy-mm`), today included, of which something is still to be billed. */
export async function readBillable(
  sql: Sql,
  { clinicId, settings, nowMs }: { clinicId: number; settings: ClinicSettings; nowMs: number },
  month: string,
): Promise<UninvoicedTreatment[]> {
  if (settings.tax_profile === 'none') return [];
  const from = `${month}-01`;
  const before = `${daysAfter(from, 31).slice(0, 7)}-01`;
  const rows = await billable(sql, clinicId, { from, before, currency: settings.currency, limit: mostBillable });
  return rows.map((row) => withTerm(row, businessDay(nowMs, settings.time_zone)));
}

export async function readUninvoiced(
  sql: Sql,
  { clinicId, settings, nowMs }: { clinicId: number; settings: ClinicSettings; nowMs: number },
): Promise<UninvoicedReport> {
  if (settings.tax_profile === 'none') return { treatments: [], total: 0 };
  const { today, ...span } = spanOf(settings, nowMs);
  const rows = await uninvoiced(sql, clinicId, { ...span, limit: mostUninvoiced });
  const { count } = await countUninvoiced(sql, clinicId, span);
  return {
    treatments: rows.map((row) => withTerm(row, today)),
    total: count,
  };
}

/** Returns how many wait, and the day of the first; without a tax profile none. */
export async function uninvoicedSince(
  sql: Sql,
  { clinicId, settings, nowMs }: { clinicId: number; settings: ClinicSettings; nowMs: number },
): Promise<{ count: number; day: string | null }> {
  if (settings.tax_profile === 'none') return { count: 0, day: null };
  return countUninvoiced(sql, clinicId, spanOf(settings, nowMs));
}
