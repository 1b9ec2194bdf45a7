/**
 * Exports of reports. An export holds a database connection for as long as the client reads. Each process therefore
 * runs one export per user and a few in all, and ends an export that takes too long. A clinic never has all places: whoever
 * reads nothing makes their own clinic wait, and what others keep from starting waits in turn, by clinics.
 */
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Pool } from 'pg';
import type { RemovalFilters } from '#domain/report/removals.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { askerUntil } from '#server/http/askers.ts';
import { ClinicTurns } from '#server/http/clinic-turns.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import { readRemovals, withBook, withOrderReport } from '../reports/service.ts';
import { bookCsv, bookWorkbook } from './book-files.ts';
import { pdfInWorker } from './pdf-in-worker.ts';
import { removalsWorkbook } from './removals-workbook.ts';
import type { ExportContext } from './report-texts.ts';
import { salesWorkbook } from './sales-workbook.ts';
import { rowsPerSheet } from './workbook.ts';

export const exportFormats = {
  excel: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8' },
} as const;
export type ExportFormat = keyof typeof exportFormats;

/** What an export is made of, once its rows are counted. */
interface Exportable {
  rows: number;
  bytes: () => AsyncIterable<Uint8Array>;
}

/** Reads what is exported, and holds it until it is written. */
export interface ExportSource {
  /** The largest number of rows; without one of a format there is no limit. All pages of a PDF stay in memory until the last one is known. */
  limits: Partial<Record<ExportFormat, number>>;
  open: (
    reading: { pool: Pool; format: ExportFormat; signal: AbortSignal },
    write: (found: Exportable) => Promise<void>,
  ) => Promise<void>;
}

/** Treatments, as the database yields them. */
export const treatmentExport = (clinicId: number, context: ExportContext): ExportSource => ({
  limits: { pdf: 5_000 },
  open: ({ pool, format, signal }, write) =>
    withOrderReport(pool, { clinicId, filters: context.filters, signal }, (report) => {
      const { rows, ...rest } = report;
      return write({
        rows: report.count,
        bytes: () =>
          format === 'excel'
            ? salesWorkbook(report, context)
            : pdfInWorker({ kind: 'sales', report: rest, context }, rows, signal),
      });
    }),
});

/** The book of issued invoices of a period. */
export const bookExport = (clinicId: number, period: DaySpan, context: ExportContext): ExportSource => ({
  // A sheet has no more rows, with its head and without its sums.
  limits: { excel: rowsPerSheet - 1 },
  open: ({ pool, format, signal }, write) =>
    withBook(pool, { clinicId, period, signal }, (book) =>
      write({
        rows: book.rows,
        bytes: () => (format === 'csv' ? bookCsv(book, context) : bookWorkbook(book, context)),
      }),
    ),
});

/** As many stay in memory. */
const mostRemovals = 50_000;

/** Removals, which one answer of the database has. */
export const removalExport = (clinicId: number, filters: RemovalFilters, context: ExportContext): ExportSource => ({
  limits: { excel: mostRemovals, pdf: 5_000 },
  async open({ pool, format, signal }, write) {
    const { people, events, total } = await readRemovals(pool, { clinicId }, filters, { page: 1, size: mostRemovals });
    await write({
      rows: total,
      bytes: () =>
        format === 'excel'
          ? removalsWorkbook({ people, rows: eachOf(events) }, context)
          : pdfInWorker({ kind: 'removals', report: { people }, context }, eachOf(events), signal),
    });
  },
});

// oxlint-disable-next-line typescript/require-await -- The writers take rows as the database yields them.
async function* eachOf<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

/** Each uses one connection; the rest of the pool serves the counters. */
const exportsAtOnce = 3;
const exportsPerClinic = 2;
const longestMs = 10 * 60_000;
/** How long an export waits for those of other clinics: longer than one lasts that nobody reads. */
const defaultPatienceMs = 40_000;

export interface ExportFile {
  rows: number;
  /** Destroying the stream ends the export. */
  content: Readable;
}

/** Runs the exports of this process. */
export class ExportRunner {
  private readonly busy = new Set<string>();
  private readonly places = new ClinicTurns({
    atOnce: exportsAtOnce,
    perClinic: exportsPerClinic,
    beside: exportsPerClinic,
    waiting: exportsPerClinic,
  });
  private readonly closing = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly patienceMs = defaultPatienceMs,
  ) {}

  /**
   * Starts an export and returns its stream.
   *
   * @param signal aborts the export when the client has gone
   * @param whileWaiting runs the wait for other clinics' exports
   */
  async begin(
    { clinicId, userId }: { clinicId: number; userId: number },
    format: ExportFormat,
    {
      source,
      signal: gone,
      whileWaiting,
    }: { source: ExportSource; signal: AbortSignal; whileWaiting: <T>(wait: () => Promise<T>) => Promise<T> },
  ): Promise<Result<ExportFile>> {
    const person = `${clinicId}:${userId}`;
    const ofClinic = [...this.busy].filter((one) => one.startsWith(`${clinicId}:`));
    if (this.busy.has(person) || ofClinic.length >= exportsPerClinic) return refuse('EXPORT_BUSY');
    this.busy.add(person);
    let leave: (() => void) | null = null;
    let isOver = false;
    const release = () => {
      if (isOver) return;
      isOver = true;
      leave?.();
      this.busy.delete(person);
    };
    const signal = AbortSignal.any([gone, this.closing.signal, AbortSignal.timeout(longestMs)]);
    const place = async () => (leave = await this.placeFor(clinicId, signal)) !== null;
    const isPlaced = await whileWaiting(place).catch((error: unknown) => {
      release();
      throw error;
    });
    if (!isPlaced) {
      release();
      return refuse('EXPORT_BUSY');
    }
    const content = new PassThrough();
    const pool = withinClinic(this.database, clinicId);
    return new Promise((resolve, reject) => {
      source
        .open({ pool, format, signal }, async ({ rows, bytes }) => {
          const limit = source.limits[format] ?? Infinity;
          if (rows > limit)
            return resolve({ ok: false, refusal: { code: 'EXPORT_TOO_LONG', details: { limit, found: rows } } });
          resolve(accept({ rows, content }));
          // The user may start the next export while the snapshot of this one is still closing.
          await pipeline(bytes(), content, { signal }).finally(release);
        })
        // After the response has started, only the broken stream can tell the client.
        .catch((fault: Error) => {
          content.destroy(fault);
          reject(fault);
        })
        .finally(release);
    });
  }

  /** Resolves to a place, which must be given back; null when others keep all of them for too long. */
  private placeFor(clinicId: number, signal: AbortSignal): Promise<(() => void) | null> {
    return this.places.enter(clinicId, {
      asker: askerUntil(AbortSignal.any([signal, AbortSignal.timeout(this.patienceMs)])),
    });
  }

  /** Ends all running exports: a server that shuts down does not wait for clients. */
  close(): void {
    this.closing.abort();
  }
}
