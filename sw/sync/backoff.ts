import { hourMs } from '#domain/durations.ts';
import type { Random } from './ports.ts';

const leastMs = 1000;
const mostMs = 60_000;

/** Returns a random delay between one second and a ceiling that doubles with every attempt, up to a minute (SYNC-6). */
export function backoffMs(attempts: number, random: Random): number {
  const ceilingMs = Math.min(mostMs, leastMs * 2 ** Math.max(1, attempts));
  return Math.round(leastMs + random() * (ceilingMs - leastMs));
}

const longestWaitMs = hourMs;

/** True when a wait is over. A wait longer than the longest possible one was set before the clock was put back, and counts as over. */
export function isDue(atMs: number, nowMs: number): boolean {
  return atMs <= nowMs || atMs > nowMs + longestWaitMs;
}

/** Returns a random delay between half an hour and an hour, for operations that only a newer app or server can handle. */
export function longBackoffMs(random: Random): number {
  return Math.round((longestWaitMs / 2) * (1 + random()));
}
