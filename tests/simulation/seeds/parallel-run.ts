/** Many histories on every core: one process each, to which blocks of seeds are handed out in their order. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import { formatCounts } from './run-seeds.ts';

export interface Block {
  from: number;
  count: number;
}

/** What a process of the crew says. */
export type Report =
  { type: 'ready' } | { type: 'done'; block: Block; counts: [kind: string, times: number][]; failure: string | null };

const blockSize = 20;
const tellEveryMs = 10_000;
/** A block that takes so long does not come to its end at all. */
const mostBlockMs = 600_000;

/**
 * Runs the seeds and tells how it goes, up to the end, to the first failure, or to an interrupt.
 *
 * @returns the exit code
 */
export async function runOnEveryCore({ from, count }: Block): Promise<number> {
  const run = new Run(from, count);
  const interrupt = () => run.stop();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), Math.ceil(count / blockSize)) }, () => run.employ()),
  );
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  return run.conclude();
}

class Run {
  private next: number;
  private readonly end: number;
  private readonly counts: Counts = new Map();
  private done = 0;
  private failure: string | null = null;
  private isStopped = false;
  private readonly begunMs = performance.now();
  private toldMs = performance.now();

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

  /** One process, from its first block to its last. */
  employ(): Promise<void> {
    // What collects garbage in this process would only take the core from the next one.
    const child = fork(new URL('worker.ts', import.meta.url), {
      execArgv: [...process.execArgv, '--single-threaded-gc'],
    });
    let block: Block | null = null;
    let patience: NodeJS.Timeout | undefined;
    child.on('message', (report: Report) => {
      clearTimeout(patience);
      if (report.type === 'done') this.take(report);
      block = this.handOut(child);
      if (block) patience = setTimeout(() => child.kill(), mostBlockMs);
    });
    return new Promise((resolve) => {
      child.on('exit', (code, signal) => {
        clearTimeout(patience);
        if (block)
          this.failure ??= `A process ended with ${code ?? signal} within the seeds ${block.from} to ${block.from + block.count - 1}.`;
        resolve();
      });
    });
  }

  private handOut(child: ChildProcess): Block | null {
    if (this.isStopped || this.failure !== null || this.next >= this.end) {
      child.disconnect();
      return null;
    }
    const block = { from: this.next, count: Math.min(blockSize, this.end - this.next) };
    this.next += block.count;
    child.send(block);
    return block;
  }

  private take({ block, counts, failure }: Extract<Report, { type: 'done' }>): void {
    addCounts(this.counts, new Map(counts));
    if (failure !== null) this.failure ??= failure;
    else this.done += block.count;
    if (performance.now() - this.toldMs < tellEveryMs) return;
    this.toldMs = performance.now();
    const perSecond = this.done / this.seconds();
    const minutesLeft = Math.ceil((this.end - this.from - this.done) / perSecond / 60);
    console.log(
      `${this.done} histories, ${perSecond.toFixed(1)} a second, about ${minutesLeft} min to go: all is well.`,
    );
  }

  conclude(): number {
    const of = (kind: string) => this.counts.get(kind) ?? 0;
    if (this.failure !== null) console.log(this.failure);
    console.log(`\n${formatCounts(this.counts)}\n`);
    console.log(
      `${this.done} histories from seed ${this.from}, ${of('operations')} operations, ${of('work sell')} sales, ${Math.round(this.seconds())} s.`,
    );
    if (this.failure !== null) return 1;
    if (this.next < this.end) {
      console.log(`Stopped. Go on with: npm run sim -- --seeds ${this.end - this.next} --from ${this.next}`);
      return 130;
    }
    console.log('All is well.');
    return 0;
  }

  private seconds(): number {
    return (performance.now() - this.begunMs) / 1000;
  }
}
