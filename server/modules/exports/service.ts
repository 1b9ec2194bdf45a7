/**
 * Exports of reports. An export holds a database connection for as long as the client reads. Each process therefore
 * runs one export per user and a few in all, and ends an export that takes too long.
 */
import type { Pool } from 'pg';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { accept, refuse } from '../../../domain/result.ts';
import type { Refusal, Result } from '../../../domain/result.ts';
import { withOrderReport } from '../reports/service.ts';
import type { OrderReport } from '../reports/service.ts';
import { salesWorkbook } from './sales-workbook.ts';
import type { ExportContext } from './report-texts.ts';
import { salesPdfInWorker } from './pdf-in-worker.ts';

export const exportFormats = {
  excel: {
    write: salesWorkbook,
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    limit: Infinity,
  },
  // All pages stay in memory until the last one is known.
  pdf: { write: salesPdfInWorker, extension: 'pdf', contentType: 'application/pdf', limit: 5_000 },
} as const;
export type ExportFormat = keyof typeof exportFormats;

/** Each uses one connection; the rest of the pool serves the counters. */
const exportsAtOnce = 3;
const longestMs = 10 * 60_000;

export interface ExportFile {
  rows: number;
  /** Destroying the stream ends the export. */
  content: Readable;
}

/** Runs the exports of this process. */
export class ExportRunner {
  private readonly busy = new Set<string>();
  private readonly closing = new AbortController();

  constructor(private readonly pool: Pool) {}

  /**
   * Starts an export and returns its stream.
   *
   * @param signal aborts the export when the client has gone
   */
  async begin(
    { clinicId, userId }: { clinicId: number; userId: number },
    format: ExportFormat,
    { context, signal: gone }: { context: ExportContext; signal: AbortSignal },
  ): Promise<Result<ExportFile>> {
    const person = `${clinicId}:${userId}`;
    if (this.busy.has(person) || this.busy.size >= exportsAtOnce) return refuse('EXPORT_BUSY');
    this.busy.add(person);
    const signal = AbortSignal.any([gone, this.closing.signal, AbortSignal.timeout(longestMs)]);
    const content = new PassThrough();
    const release = () => this.busy.delete(person);
    return new Promise((resolve, reject) => {
      withOrderReport(this.pool, { clinicId, filters: context.filters, signal }, async (report) => {
        const refusal = tooLong(format, report);
        if (refusal) return resolve({ ok: false, refusal });
        resolve(accept({ rows: report.count, content }));
        // The user may start the next export while the snapshot of this one is still closing.
        await pipeline(exportFormats[format].write(report, context, signal), content, { signal }).finally(release);
      })
        // After the response has started, only the broken stream can tell the client.
        .catch((fault: Error) => {
          content.destroy(fault);
          reject(fault);
        })
        .finally(release);
    });
  }

  /** Ends all running exports: a server that shuts down does not wait for clients. */
  close(): void {
    this.closing.abort();
  }
}

function tooLong(format: ExportFormat, { count }: OrderReport): Refusal | null {
  const { limit } = exportFormats[format];
  return count > limit ? { code: 'EXPORT_TOO_LONG', details: { limit, found: count } } : null;
}
