import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import { formatCounts } from './run-seeds.ts';
import type { SeedBlock } from './run-seeds.ts';

/** The messages of a worker process. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'begins'; seed: number }
  | { type: 'done'; block: SeedBlock; counts: [kind: string, times: number][]; failure: string | null };

const blockSize = 20;
const progressEveryMs = 10_000;
/** A worker that needs longer for one history hangs and is killed. A history takes a second, and far longer beside other programs. */
const historyTimeoutMs = 300_000;
/** The end of what a worker printed as an error; the reason of a failure stands there. */
const errorLength = 8_000;
const lastOutputMs = 2_000;

/**
 * Runs histories on all cores, with one worker process per core that takes one block of seeds after another. Prints the
 * progress, and stops at the first violation or at an interrupt.
 *
 * @param worker the program of a worker
 * @returns the exit code
 */
export async function runOnAllCores(
  { from, count }: SeedBlock,
  worker = new URL('worker.ts', import.meta.url),
): Promise<number> {
  const run = new Run(from, count, worker);
  const interrupt = () => run.stop();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), Math.ceil(count / blockSize)) }, () => run.startWorker()),
  );
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  return run.printSummary();
}

class Run {
  private next: number;
  private readonly end: number;
  private readonly counts: Counts = new Map();
  private done = 0;
  private failure: string | null = null;
  private isStopped = false;
  private readonly startedMs = performance.now();
  private progressMs = performance.now();

  constructor(
    private readonly from: number,
    count: number,
    private readonly worker: URL,
  ) {
    this.next = from;
    this.end = from + count;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Starts a worker. Resolves when the worker has exited. */
  startWorker(): Promise<void> {
    // Every core has a worker, so parallel garbage collection would only take time from the others.
    const child = fork(this.worker, {
      execArgv: [...process.execArgv, '--single-threaded-gc'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let errors = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-errorLength);
      process.stderr.write(chunk);
    });
    const printedAll = once(child.stderr!, 'end');
    let seed: number | null = null;
    let isOverdue = false;
    let timeout: NodeJS.Timeout | undefined;
    child.on('message', (message: WorkerMessage) => {
      clearTimeout(timeout);
      if (message.type === 'begins') {
        seed = message.seed;
        timeout = setTimeout(() => {
          isOverdue = true;
          child.kill();
        }, historyTimeoutMs);
        return;
      }
      seed = null;
      if (message.type === 'done') this.add(message);
      this.assignBlock(child);
    });
    return new Promise((resolve) => {
      child.on('exit', async (code, signal) => {
        clearTimeout(timeout);
        // The last of the output comes after the exit, unless a process of the worker's survives it.
        await Promise.race([printedAll, sleep(lastOutputMs)]);
        if (seed !== null || code !== 0) {
          const cause = isOverdue ? `after ${historyTimeoutMs / 1000} s in one history` : `with ${code ?? signal}`;
          const place = seed === null ? 'between two histories' : `in seed ${seed}`;
          const repeat = seed === null ? '' : `\nRepeat it with: npm run sim -- --seed ${seed}`;
          this.failure ??= `A worker ended ${cause}, ${place}.\n${errors.trim() || 'It printed no error.'}${repeat}`;
        }
        resolve();
      });
    });
  }

  private assignBlock(child: ChildProcess): void {
    if (this.isStopped || this.failure !== null || this.next >= this.end) {
      child.disconnect();
      return;
    }
    const block = { from: this.next, count: Math.min(blockSize, this.end - this.next) };
    this.next += block.count;
    child.send(block);
  }

  private add({ block, counts, failure }: Extract<WorkerMessage, { type: 'done' }>): void {
    addCounts(this.counts, new Map(counts));
    if (failure !== null) this.failure ??= failure;
    else this.done += block.count;
    if (performance.now() - this.progressMs < progressEveryMs) return;
    this.progressMs = performance.now();
    const perSecond = this.done / this.seconds();
    const minutesLeft = Math.ceil((this.end - this.from - this.done) / perSecond / 60);
    console.log(
      `${this.done} histories, ${perSecond.toFixed(1)} a second, about ${minutesLeft} min left, no violations.`,
    );
  }

  printSummary(): number {
    const of = (kind: string) => this.counts.get(kind) ?? 0;
    if (this.failure !== null) console.log(this.failure);
    console.log(`\n${formatCounts(this.counts)}\n`);
    console.log(
      `${this.done} histories from seed ${this.from}, ${of('operations')} operations, ${of('work sell')} sales, ${Math.round(this.seconds())} s.`,
    );
    if (this.failure !== null) return 1;
    if (this.next < this.end) {
      console.log(`Interrupted. Continue with: npm run sim -- --seeds ${this.end - this.next} --from ${this.next}`);
      return 130;
    }
    console.log('No violations.');
    return 0;
  }

  private seconds(): number {
    return (performance.now() - this.startedMs) / 1000;
  }
}
