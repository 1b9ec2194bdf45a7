import { untilIdle } from './task-tracking.ts';
import { History } from './history.ts';

interface Event {
  atMs: number;
  sequence: number;
  run: () => void | Promise<void>;
}

const startMs = Date.UTC(2026, 4, 12, 7, 0, 0);

/** More events at one instant are a loop that never lets time pass. */
const maxEventsPerInstant = 500;

/**
 * A discrete-event scheduler with virtual time. Events run one at a time, ordered by time and then by creation, and all work
 * of an event completes before the next one starts. A seed therefore repeats its history, however long IndexedDB and
 * PostgreSQL take.
 */
export class Scheduler {
  /** The true time, which is also the server's clock. */
  nowMs = startMs;
  readonly history = new History();
  private queue: Event[] = [];
  private sequence = 0;
  private eventsAtInstant = 0;
  private failure: { error: unknown } | null = null;

  /** Schedules an event. @returns a function that cancels it */
  after(delayMs: number, run: () => void | Promise<void>): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, Math.round(delayMs)), sequence: this.sequence++, run };
    const place = this.queue.findIndex((other) => other.atMs > event.atMs);
    if (place < 0) this.queue.push(event);
    else this.queue.splice(place, 0, event);
    return () => {
      this.queue = this.queue.filter((other) => other !== event);
    };
  }

  /** Ends the history with an error. */
  fail(error: unknown): void {
    this.failure ??= { error };
  }

  note(actor: string, event: string): void {
    this.history.note(this.nowMs, actor, event);
  }

  /** Runs all events of the given time span and advances the clock to its end. */
  async runFor(durationMs: number): Promise<void> {
    const endMs = this.nowMs + durationMs;
    for (let next = this.queue[0]; next && next.atMs <= endMs; next = this.queue[0]) await this.runNext();
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  /** Runs events until `isDone` returns true or no event is left. */
  async runUntil(isDone: () => boolean, maxEvents = 20_000): Promise<void> {
    for (let steps = 0; this.queue.length > 0 && !isDone(); steps++) {
      if (steps === maxEvents) throw new Error(`The simulation did not settle within ${maxEvents} events.`);
      await this.runNext();
    }
  }

  /** Runs a function outside the queue and waits until its work is complete. */
  async now(run: () => void | Promise<void>): Promise<void> {
    await run();
    await untilIdle();
    if (this.failure) throw this.failure.error;
  }

  private async runNext(): Promise<void> {
    const event = this.queue.shift()!;
    this.eventsAtInstant = event.atMs > this.nowMs ? 0 : this.eventsAtInstant + 1;
    if (this.eventsAtInstant > maxEventsPerInstant)
      throw new Error(`More than ${maxEventsPerInstant} events ran without time passing.`);
    this.nowMs = Math.max(this.nowMs, event.atMs);
    await this.now(event.run);
  }
}
