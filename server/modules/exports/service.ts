/**
 * Exports of reports. An export holds a database connection for as long as its reader takes, so on each process a person may run
 * one, all may run few, and one that its reader leaves unread is ended.
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
  // Its pages stay in memory until the last is known, and nobody reads more of them.
  pdf: { write: salesPdfInWorker, extension: 'pdf', contentType: 'application/pdf', limit: 5_000 },
} as const;
export type ExportFormat = keyof typeof exportFormats;

/** A connection each; the others of the pool stay with the counters. */
const exportsAtOnce = 3;
const longestMs = 10 * 60_000;

export interface ExportFile {
  rows: number;
  /** Destroying it ends the export. */
  content: Readable;
}

/** Who runs an export on this process. */
export class ExportRunner {
  private readonly busy = new Set<string>();
  private readonly closing = new AbortController();

  constructor(private readonly pool: Pool) {}

  /**
   * Begins an export. The file's bytes follow as fast as they are read.
   *
   * @param signal whoever asked has gone away
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
        // Whoever has the whole file may ask for the next one, though this report's snapshot is still being closed.
        await pipeline(exportFormats[format].write(report, context, signal), content, { signal }).finally(release);
      })
        // After the file has begun there is nobody to tell but its reader, who sees it break off.
        .catch((fault: Error) => {
          content.destroy(fault);
          reject(fault);
        })
        .finally(release);
    });
  }

  /** Ends what runs: a server that stops does not wait for readers. */
  close(): void {
    this.closing.abort();
  }
}

function tooLong(format: ExportFormat, { count }: OrderReport): Refusal | null {
  const { limit } = exportFormats[format];
  return count > limit ? { code: 'EXPORT_TOO_LONG', details: { limit, found: count } } : null;
}
