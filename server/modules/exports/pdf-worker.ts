/** The worker thread that renders a PDF. It receives rows one by one, then `null`, and posts the PDF's bytes. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { OrderReport } from '../reports/service.ts';
import { removalsPdf } from './removals-pdf.ts';
import type { RemovalRows } from './removals-pdf.ts';
import { salesPdf } from './sales-pdf.ts';
import type { ExportContext } from './report-texts.ts';

/** The data that is known before the first row. */
export type PdfTask = { context: ExportContext } & (
  | { kind: 'sales'; report: Omit<OrderReport, 'rows'> }
  | { kind: 'removals'; report: Omit<RemovalRows, 'rows'> }
);

const port = parentPort!;
const task = workerData as PdfTask;

async function* received<Row>(): AsyncGenerator<Row> {
  for await (const [row] of on(port, 'message') as AsyncIterable<[Row | null]>) {
    if (row === null) return;
    yield row;
  }
}

const pdf =
  task.kind === 'sales'
    ? salesPdf({ ...task.report, rows: received() }, task.context)
    : removalsPdf({ ...task.report, rows: received() }, task.context);
for await (const bytes of pdf) port.postMessage(bytes);
