/** The thread on which a paper is set: treatments come in one by one, `null` after the last, and the paper's bytes go out. */
import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReportOrder } from '../../../domain/report/documents.ts';
import type { OrderReport } from '../reports/service.ts';
import { salesPaper } from './sales-paper.ts';
import type { Subject } from './subject.ts';

/** What is known before the first treatment. */
export interface PaperTask {
  report: Omit<OrderReport, 'rows'>;
  subject: Subject;
}

const port = parentPort!;
const { report, subject } = workerData as PaperTask;

async function* orders(): AsyncGenerator<ReportOrder> {
  for await (const [order] of on(port, 'message') as AsyncIterable<[ReportOrder | null]>) {
    if (order === null) return;
    yield order;
  }
}

for await (const bytes of salesPaper({ ...report, rows: orders() }, subject)) port.postMessage(bytes);
