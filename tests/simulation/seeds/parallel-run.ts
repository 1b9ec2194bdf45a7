import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import { formatCounts } from './run-seeds.ts';
import type { SeedBlock } from './run-seeds.ts';

/** The messages of a worker process. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'done'; block: SeedBlock; counts: [kind: string, times: number][]; failure: string | null };

const blockSize = 20;
const progressEveryMs = 10_000;
/** A worker that needs longer for a block hangs and is killed. */
const blockTimeoutMs = 600_000;

/**
 * Runs histories on all cores, with one worker process per core that takes one block of seeds after another. Prints the
 * progress, and stops at the first violation or at an interrupt.
 *
 * @returns the exit code
 */
export async function runOnAllCores({ from, count }: SeedBlock): Promise<number> {
  const run = new Run(from, count);
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
    const child = fork(new URL('worker.ts', import.meta.url), {
      execArgv: [...process.execArgv, '--single-threaded-gc'],
    });
    let block: SeedBlock | null = null;
    let timeout: NodeJS.Timeout | undefined;
    child.on('message', (message: WorkerMessage) => {
      clearTimeout(timeout);
      if (message.type === 'done') this.add(message);
      block = this.assignBlock(child);
      if (block) timeout = setTimeout(() => child.kill(), blockTimeoutMs);
    });
    return new Promise((resolve) => {
      child.on('exit', (code, signal) => {
        clearTimeout(timeout);
        if (block)
          this.failure ??= `A worker ended with ${code ?? signal} within the seeds ${block.from} to ${block.from + block.count - 1}.\nRepeat them with: npm run sim -- --seeds ${block.count} --from ${block.from}`;
        resolve();
      });
    });
  }

  private assignBlock(child: ChildProcess): SeedBlock | null {
    if (this.isStopped || this.failure !== null || this.next >= this.end) {
      child.disconnect();
      return null;
    }
    const block = { from: this.next, count: Math.min(blockSize, this.end - this.next) };
    this.next += block.count;
    child.send(block);
    return block;
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
