/** The worker thread that renders a PDF. It receives treatments one by one, then `null`, and posts the PDF's bytes. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReportOrder } from '../../../domain/report/resources.ts';
import type { OrderReport } from '../reports/service.ts';
import { salesPdf } from './sales-pdf.ts';
import type { ExportContext } from './report-texts.ts';

/** The data that is known before the first treatment. */
export interface PdfTask {
  report: Omit<OrderReport, 'rows'>;
  context: ExportContext;
}

const port = parentPort!;
const { report, context } = workerData as PdfTask;

async function* orders(): AsyncGenerator<ReportOrder> {
  for await (const [order] of on(port, 'message') as AsyncIterable<[ReportOrder | null]>) {
    if (order === null) return;
    yield order;
  }
}

for await (const bytes of salesPdf({ ...report, rows: orders() }, context)) port.postMessage(bytes);
