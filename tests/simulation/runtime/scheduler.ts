/**
 * Virtual time. Events run one at a time in the order of their time, then of their making, and each one's consequences come
 * to rest before the next begins. That is what makes a history repeat itself although IndexedDB and PostgreSQL take as long
 * as they like.
 */
import { untilIdle } from './task-tracking.ts';
import { History } from './history.ts';

interface Event {
  atMs: number;
  sequence: number;
  run: () => void | Promise<void>;
}

const firstMorning = Date.UTC(2026, 4, 12, 7, 0, 0);

const mostAtOneInstant = 500;

export class Scheduler {
  /** The true time, which is the server's. */
  nowMs = firstMorning;
  readonly history = new History();
  private queue: Event[] = [];
  private sequence = 0;
  private atThisInstant = 0;
  private broken: { error: unknown } | null = null;

  /** @returns what calls it off */
  after(delayMs: number, run: () => void | Promise<void>): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, Math.round(delayMs)), sequence: this.sequence++, run };
    const place = this.queue.findIndex((other) => other.atMs > event.atMs);
    if (place < 0) this.queue.push(event);
    else this.queue.splice(place, 0, event);
    return () => {
      this.queue = this.queue.filter((other) => other !== event);
    };
  }

  /** Something that must never happen did: the history ends with it. */
  fail(error: unknown): void {
    this.broken ??= { error };
  }

  note(who: string, what: string): void {
    this.history.note(this.nowMs, who, what);
  }

  /** Runs what is due until then, and stands there afterwards. */
  async runFor(durationMs: number): Promise<void> {
    const endMs = this.nowMs + durationMs;
    for (let next = this.queue[0]; next && next.atMs <= endMs; next = this.queue[0]) await this.runNext();
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** Runs everything that is queued, however late, until `isDone` or nothing is left. */
  async runUntil(isDone: () => boolean, atMost = 20_000): Promise<void> {
    for (let steps = 0; this.queue.length > 0 && !isDone(); steps++) {
      if (steps === atMost) throw new Error(`Not at rest after ${atMost} events.`);
      await this.runNext();
    }
  }

  /** Does something outside the queue, and lets it come to rest. */
  async now(run: () => void | Promise<void>): Promise<void> {
    await run();
    await untilIdle();
    if (this.broken) throw this.broken.error;
  }

  private async runNext(): Promise<void> {
    const event = this.queue.shift()!;
    this.atThisInstant = event.atMs > this.nowMs ? 0 : this.atThisInstant + 1;
    if (this.atThisInstant > mostAtOneInstant) throw new Error('It goes round and round without time passing.');
    this.nowMs = Math.max(this.nowMs, event.atMs);
    await this.now(event.run);
  }
}
