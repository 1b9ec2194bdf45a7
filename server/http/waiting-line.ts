/**
 * The requests of one token that were turned away because a budget was empty. Each has its place in a line, and is told when its
 * turn comes. Without a line all were told the same second, came back at once, and those that the budget was too small for began
 * anew: of many callers that obey, the slow ones got nothing. A caller has no name, so a place belongs to what it asked for, on
 * which connection. Who comes back on another one, as behind a proxy, gets a place that nobody has taken for a second.
 */
import { filled } from './budget-level.ts';
import type { Level } from './budget-level.ts';

/** More wait without a place. They are told the time of the last one. */
const mostPlaces = 400;
/** Who has not come back by then does not come. */
const graceMs = 2000;
/** A request that may be looked at takes from the budget within this time. */
const enteringMs = 5000;
/** An owner who comes back is not later than this. */
const lateMs = 1000;
const longestName = 200;

export interface Asked {
  what: string;
  /** The connection. */
  via: string;
}

interface Place extends Asked {
  fromMs: number;
  dueMs: number;
}

export class WaitingLine {
  /** In the order of their turns. */
  private places: Place[] = [];
  /** The times until which requests that were let in may not have taken anything yet. */
  private entering: number[] = [];

  /** @param level the budget that was empty */
  constructor(private level: Level) {}

  /** Returns the seconds to wait; 0 when the turn of the request has come, or nobody before it needs what is left. */
  knock(asked: Asked, nowMs: number): number {
    this.forget(nowMs);
    const what = asked.what.slice(0, longestName);
    const isFor = (each: Place) => each.dueMs <= nowMs && each.what === what;
    const own = this.places.findIndex((each) => isFor(each) && each.via === asked.via);
    const place = own >= 0 ? own : this.places.findIndex((each) => isFor(each) && each.dueMs + lateMs <= nowMs);
    const { left } = filled(this.level, nowMs);
    const before = this.places.length + this.entering.length;
    if (place < 0 && before > 0 && left - before < 1) return this.join(asked, nowMs);
    if (place >= 0) this.places.splice(place, 1);
    this.entering.push(nowMs + enteringMs);
    return 0;
  }

  /** Notes that a request which was let in has taken from its budgets, or has found one of them empty. */
  entered(): void {
    this.entering.shift();
  }

  /** Gives a request a place behind all others. @returns the seconds to wait */
  join({ what, via }: Asked, nowMs: number, level = this.level): number {
    this.level = level;
    const { left, perSecond } = filled(level, nowMs);
    const ahead = this.places.length + this.entering.length + 1 - left;
    const seconds = Math.max(1, Math.ceil(ahead / perSecond));
    // The turn comes when its owner does: another who asks for the same would take it before.
    if (this.places.length < mostPlaces)
      this.places.push({ what: what.slice(0, longestName), via, fromMs: nowMs, dueMs: nowMs + seconds * 1000 });
    return seconds;
  }

  get isEmpty(): boolean {
    return this.places.length + this.entering.length === 0;
  }

  /** Forgets who did not come back, and what a clock that was set back would keep for long. */
  private forget(nowMs: number): void {
    this.places = this.places.filter(({ fromMs, dueMs }) => fromMs <= nowMs && nowMs < dueMs + graceMs);
    this.entering = this.entering.filter((untilMs) => nowMs < untilMs && untilMs <= nowMs + enteringMs);
  }
}
