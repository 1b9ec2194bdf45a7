/** Setting type takes two milliseconds a row, so it happens on a thread of its own, and others are answered meanwhile. */
import { on, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OrderReport } from '../reports/service.ts';
import type { PdfTask } from './pdf-worker.ts';
import type { ExportContext } from './report-texts.ts';

/** The built server has the thread's file beside its own; the sources are read by tsx, which a thread begins anew. */
const isBuilt = import.meta.url.endsWith('.js');
const file = new URL(`pdf-worker.${isBuilt ? 'js' : 'ts'}`, import.meta.url);
const entry = isBuilt
  ? file
  : `import('tsx/esm/api').then(({ register }) => { register(); return import('${file.href}'); });`;

/** Several times what the longest paper needs: one that runs away ends alone. */
const mostMemoryMb = 256;
/** What shaping leaves behind is dead at once: more room for it would only make the server larger. */
const youngMb = 8;

/**
 * The paper's bytes as they become ready. Rejects when the thread fails, and when it ends without having said why.
 *
 * @param signal nobody wants the paper any more
 */
export async function* salesPdfInWorker(
  { rows, ...report }: OrderReport,
  context: ExportContext,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const task: PdfTask = { report, context };
  const thread = new Worker(entry, {
    eval: !isBuilt,
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb, maxYoungGenerationSizeMb: youngMb },
  });
  const ended = once(thread, 'exit') as Promise<[number]>;
  const fed = feed(thread, rows).catch(async (fault: unknown) => {
    await thread.terminate();
    throw fault;
  });
  // Either is asked when the last bytes have come; until then a failure ends the loop.
  for (const each of [ended, fed]) each.catch(() => undefined);
  try {
    for await (const [bytes] of on(thread, 'message', { signal, close: ['exit'] }) as AsyncIterable<[Uint8Array]>)
      yield bytes;
    await fed;
    const [code] = await ended;
    if (code !== 0) throw new Error(`The thread of a paper ended with ${code}`);
  } finally {
    await thread.terminate();
  }
}

async function feed(thread: Worker, rows: OrderReport['rows']): Promise<void> {
  for await (const order of rows) thread.postMessage(order);
  thread.postMessage(null);
}
