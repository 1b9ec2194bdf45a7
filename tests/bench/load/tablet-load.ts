/**
 * The load of one tablet: a sale every 20 to 40 seconds, each step sent at once, and the feed pulled as the app pulls
 * it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { HeadlessTablet } from '../headless-tablet.ts';

/** The measurements of a load run. Times are milliseconds. */
export interface Observed {
  sent: { op_id: string; kind: string }[];
  batchMs: number[];
  pullMs: number[];
  pokes: number;
  errors: string[];
}

export const nothingObserved = (): Observed => ({ sent: [], batchMs: [], pullMs: [], pokes: 0, errors: [] });

const between = (from: number, to: number): number => from + Math.random() * (to - from);
const pollMs = 30_000;
const againMs = 2000;

export interface TabletLoadPlan {
  tablet: HeadlessTablet;
  /** Cursor of the last pull. */
  cursor: string;
  /** True for managers, who also record deliveries. */
  isManager: boolean;
  seen: Observed;
  untilMs: number;
}

export class TabletLoad {
  private readonly tablet: HeadlessTablet;
  private readonly seen: Observed;
  private readonly untilMs: number;
  private cursor: string;
  private pulling: Promise<void> | null = null;
  private isPoked = false;

  constructor(private readonly plan: TabletLoadPlan) {
    ({ tablet: this.tablet, seen: this.seen, untilMs: this.untilMs, cursor: this.cursor } = plan);
  }

  /** Sells until the end of the run, and completes the last sale at the same pace. */
  async work(): Promise<void> {
    const end = new AbortController();
    const watching = this.watch(end.signal);
    await this.pause(0, 30_000);
    const timer = setInterval(() => this.pull(), pollMs);
    for (let sale = Math.floor(between(0, 1000)); Date.now() < this.untilMs; sale++) {
      const begun = Date.now();
      await this.serve(sale);
      await this.pause(Math.max(0, 20_000 - (Date.now() - begun)), Math.max(0, 40_000 - (Date.now() - begun)));
    }
    clearInterval(timer);
    end.abort();
    await Promise.all([watching, this.pulling]);
  }

  /**
   * Sends a treatment, which may get another service and is mostly paid; for a manager, sometimes a delivery instead.
   */
  private async serve(sale: number): Promise<void> {
    if (this.plan.isManager && Math.random() < 0.5) return this.send(this.tablet.adjustStock(sale));
    const { operation, order } = this.tablet.create(sale);
    await this.send(operation);
    await sleep(between(1000, 4000));
    if (Math.random() < 0.1) return this.send(this.tablet.cancel(order, operation));
    const added = Math.random() < 0.25 ? this.tablet.addService(order, sale, operation) : null;
    if (added) {
      await this.send(added.operation);
      await sleep(between(1000, 3000));
    }
    return this.send(...this.tablet.pay(added?.order ?? order, added?.operation ?? operation));
  }

  /** Sends operations, with the same ids, until a reply arrives. */
  private async send(...operations: AnyOperation[]): Promise<void> {
    this.seen.sent.push(...operations.map(({ op_id, kind }) => ({ op_id, kind })));
    for (;;) {
      const begun = performance.now();
      try {
        const results = await this.tablet.send(operations);
        this.seen.batchMs.push(performance.now() - begun);
        const failed = results.find(({ status }) => status !== 'applied');
        if (failed) this.seen.errors.push(JSON.stringify(failed));
        return this.pull();
      } catch (error) {
        this.seen.errors.push(`batch: ${String(error)}`);
        await sleep(againMs);
      }
    }
  }

  /** Starts a pull. Calls during a pull cause one more afterwards. */
  private pull(): void {
    this.isPoked = true;
    this.pulling ??= this.pullAll().finally(() => (this.pulling = null));
  }

  private async pullAll(): Promise<void> {
    while (this.isPoked) {
      this.isPoked = false;
      const begun = performance.now();
      try {
        const page = await this.tablet.pull(this.cursor);
        this.seen.pullMs.push(performance.now() - begun);
        this.cursor = page.cursor;
        this.isPoked ||= page.more;
      } catch (error) {
        this.seen.errors.push(`pull: ${String(error)}`);
        return;
      }
    }
  }

  private async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.tablet.follow(() => {
          this.seen.pokes += 1;
          this.pull();
        }, signal);
        if (!signal.aborted) this.seen.errors.push('the stream ended');
      } catch (error) {
        if (!signal.aborted) this.seen.errors.push(`stream: ${String(error)}`);
      }
      if (!signal.aborted) await sleep(againMs);
    }
  }

  private pause(fromMs: number, toMs: number): Promise<void> {
    return sleep(Math.min(between(fromMs, toMs), Math.max(0, this.untilMs - Date.now())));
  }
}
