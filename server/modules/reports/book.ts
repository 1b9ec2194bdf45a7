/** The book of issued invoices of a period (`domain/report/book.ts`). */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { mostListed } from '#domain/report/book.ts';
import type { BookDocument, BookRow, BookSummary } from '#domain/report/book.ts';
import { erasedText } from '#domain/patient/erasure.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { clinicSettings } from '../clinics/service.ts';
import { bookedDays, bookedDocuments, countBooked, latestBooked, nextBookedAt, taxesBooked } from './book-store.ts';
import type { BookedDocument, BookSpan } from './book-store.ts';

/** As many days are read at once. */
const chunkDays = 7;

export interface Book extends Omit<BookSummary, 'latest'> {
  latest: () => Promise<BookDocument[]>;
  /** By day and number; read in chunks as the consumer takes them. */
  rows_of_book: AsyncIterable<BookRow>;
}

/**
 * Runs work on the book of a period. Its snapshot and its connection are held until the work ends.
 *
 * @param period both ends included
 * @param signal ends the work at the next chunk
 */
export function withBook<T>(
  pool: Pool,
  { clinicId, period, signal }: { clinicId: number; period: DaySpan; signal?: AbortSignal },
  work: (book: Book) => Promise<T>,
): Promise<T> {
  const read = async (sql: Sql) => {
    const { time_zone: timeZone, currency } = await clinicSettings(sql, clinicId);
    const whole = await bookedSpan(sql, { clinicId, timeZone }, period);
    const counted = whole ? await countBooked(sql, whole) : { documents: 0, rows: 0, unsettled: 0 };
    const taxes = whole ? await taxesBooked(sql, whole, currency) : [];
    const latest = async () => (whole ? (await latestBooked(sql, whole, mostListed)).map(documentOf(timeZone)) : []);
    return work({ ...counted, taxes, latest, rows_of_book: rowsOfBook(sql, whole, signal) });
  };
  return inTransaction(pool, read, 'report');
}

export const readBook = (pool: Pool, clinicId: number, period: DaySpan): Promise<BookSummary> =>
  withBook(pool, { clinicId, period }, async ({ documents, rows, taxes, unsettled, latest }) => ({
    documents,
    rows,
    taxes,
    unsettled,
    latest: await latest(),
  }));

type Clinic = Pick<BookSpan, 'clinicId' | 'timeZone'>;

const spanOf = (clinic: Clinic, start: string, end: string): BookSpan => ({
  ...clinic,
  start,
  end,
  fromMs: startOfDay(start, clinic.timeZone),
  untilMs: startOfDay(daysAfter(end, 1), clinic.timeZone),
});

/** Returns the part of a period in which there can be documents; null if there is none. */
async function bookedSpan(sql: Sql, clinic: Clinic, { start, end }: DaySpan): Promise<BookSpan | null> {
  const days = await bookedDays(sql, clinic);
  if (!days) return null;
  // A clinic that has moved to another time zone has payments outside the span of their day.
  const from = [start, daysAfter(days.first, -1)].sort()[1]!;
  const until = [end, daysAfter(days.last, 1)].sort()[0]!;
  return from <= until ? spanOf(clinic, from, until) : null;
}

/** Reads a week at a time, and goes on at the next document after a week without any: one may be of the year 1000. */
async function* rowsOfBook(sql: Sql, whole: BookSpan | null, signal?: AbortSignal): AsyncGenerator<BookRow> {
  if (!whole) return;
  const { clinicId, timeZone, end } = whole;
  for (let first = whole.start; first <= end;) {
    signal?.throwIfAborted();
    const last = [daysAfter(first, chunkDays - 1), end].sort()[0]!;
    const found = await bookedDocuments(sql, spanOf({ clinicId, timeZone }, first, last));
    for (const booked of found) yield* linesOf(booked, timeZone);
    first = daysAfter(last, 1);
    if (found.length > 0) continue;
    const nextMs = await nextBookedAt(sql, { clinicId, fromMs: startOfDay(daysAfter(first, -1), timeZone) });
    if (nextMs === null) return;
    first = [first, daysAfter(businessDay(nextMs, timeZone), -1)].sort()[1]!;
  }
}

const documentOf =
  (timeZone: string) =>
  (booked: BookedDocument): BookDocument => {
    const lines = linesOf(booked, timeZone);
    const { day, number, type, recipient, currency, state } = lines[0]!;
    const sumOf = (part: 'base' | 'amount' | 'total') =>
      minorToWire(lines.reduce((sum, line) => sum + minorFromWire(line[part]), 0));
    return {
      day,
      number,
      type,
      recipient,
      base: sumOf('base'),
      amount: sumOf('amount'),
      total: sumOf('total'),
      currency,
      state,
    };
  };

function linesOf(
  { day, number, document, currency, state, csv, isErased }: BookedDocument,
  timeZone: string,
): BookRow[] {
  const { document_type: type, tax_totals: totals = [], recipient, operation_on, corrects = [], replaces } = document;
  const row = {
    day,
    number,
    issued_on: businessDay(Date.parse(document.issued_at), timeZone),
    operation_on: operation_on ?? '',
    type: type ?? ('' as const),
    recipient: recipient && isErased ? erasedText : (recipient?.name ?? ''),
    recipient_id: recipient && !isErased ? recipient.tax_id : '',
    recipient_country: recipient && !isErased ? (recipient.country ?? '') : '',
    currency,
    names: [...corrects, ...(replaces ? [replaces] : [])].map((named) => named.number),
    state,
    csv: csv ?? '',
  };
  const none = { ...row, tax: null, base: 0, amount: 0, total: 0 };
  if (type === 'F3' || totals.length === 0) return [none];
  return totals.map((total) => ({
    ...row,
    tax: 'exempt' in total ? { exempt: total.exempt } : { rate: total.rate },
    base: total.base,
    amount: total.tax,
    total: total.gross,
  }));
}
