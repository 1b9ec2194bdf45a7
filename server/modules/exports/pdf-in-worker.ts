/** Renders PDF files in a worker thread. Layout takes two milliseconds per row, which would block other requests. */
import { on, once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PdfTask } from './pdf-worker.ts';

/**
 * The built server has the worker's file beside this one. Sources need tsx, which a thread registers for itself.
 */
const isBuilt = import.meta.url.endsWith('.js');
const file = new URL(`pdf-worker.${isBuilt ? 'js' : 'ts'}`, import.meta.url);
const entry = isBuilt
  ? file
  : `import('tsx/esm/api').then(({ register }) => { register(); return import('${file.href}'); });`;

/** Several times the memory of the longest PDF. Beyond it only the worker ends. */
const mostMemoryMb = 256;
/** Text shaping leaves only short-lived garbage; a larger young generation would only enlarge the server. */
const youngMb = 8;

/**
 * Yields the PDF's bytes as they become ready. Rejects when the worker fails or exits with an error.
 *
 * @param signal aborts the work when the client has gone
 */
export async function* pdfInWorker(
  task: PdfTask,
  rows: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const worker = new Worker(entry, {
    eval: !isBuilt,
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb, maxYoungGenerationSizeMb: youngMb },
  });
  const ended = once(worker, 'exit') as Promise<[number]>;
  const fed = feed(worker, rows).catch(async (fault: unknown) => {
    await worker.terminate();
    throw fault;
  });
  // Both promises are awaited after the last bytes; until then a failure ends the loop.
  for (const each of [ended, fed]) each.catch(() => undefined);
  try {
    for await (const [bytes] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[Uint8Array]>)
      yield bytes;
    await fed;
    const [code] = await ended;
    if (code !== 0) throw new Error(`The PDF worker exited with code ${code}`);
  } finally {
    await worker.terminate();
  }
}

async function feed(worker: Worker, rows: AsyncIterable<unknown>): Promise<void> {
  for await (const row of rows) worker.postMessage(row);
  worker.postMessage(null);
}
