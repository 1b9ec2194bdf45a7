import type { Random } from './ports.ts';

const leastMs = 1000;
const mostMs = 60_000;

/** Full jitter between one second and a ceiling that doubles with every attempt, up to a minute (SYNC-6). */
export function backoffMs(attempts: number, random: Random): number {
  const ceilingMs = Math.min(mostMs, leastMs * 2 ** Math.max(1, attempts));
  return Math.round(leastMs + random() * (ceilingMs - leastMs));
}

const longestWaitMs = 3_600_000;

/** Whether a wait is over. One that seems to last longer than any does was set by a clock that has been put back since. */
export function hasCome(atMs: number, nowMs: number): boolean {
  return atMs <= nowMs || atMs > nowMs + longestWaitMs;
}

/** For what this app and this server cannot settle between themselves soon: between half an hour and an hour. */
export function longBackoffMs(random: Random): number {
  return Math.round((longestWaitMs / 2) * (1 + random()));
}
