/** The thread on which a paper is set: treatments come in one by one, `null` after the last, and the paper's bytes go out. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReportOrder } from '../../../domain/report/resources.ts';
import type { OrderReport } from '../reports/service.ts';
import { salesPdf } from './sales-pdf.ts';
import type { Subject } from './subject.ts';

/** What is known before the first treatment. */
export interface PdfTask {
  report: Omit<OrderReport, 'rows'>;
  subject: Subject;
}

const port = parentPort!;
const { report, subject } = workerData as PdfTask;

async function* orders(): AsyncGenerator<ReportOrder> {
  for await (const [order] of on(port, 'message') as AsyncIterable<[ReportOrder | null]>) {
    if (order === null) return;
    yield order;
  }
}

for await (const bytes of salesPdf({ ...report, rows: orders() }, subject)) port.postMessage(bytes);
