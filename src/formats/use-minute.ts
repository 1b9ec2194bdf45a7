import { useSyncExternalStore } from 'react';

const minuteMs = 60_000;

/** For `useSyncExternalStore`: looks again every minute. */
export function everyMinute(check: () => void): () => void {
  const timer = setInterval(check, minuteMs);
  return () => clearInterval(timer);
}

/** The running minute, in milliseconds since 1970: what says how long something has lasted reads it, and stays true. */
export const useMinute = (): number =>
  useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / minuteMs) * minuteMs);
