import { useSyncExternalStore } from 'react';
import { businessDay } from '#domain/business-day.ts';
import { useKnownSettings } from '../local-data/use-clinic-settings.ts';

const minuteMs = 60_000;

function everyMinute(check: () => void): () => void {
  const timer = setInterval(check, minuteMs);
  return () => clearInterval(timer);
}

/** Returns the start of the current minute, in milliseconds since 1970, and renders again when the next minute begins. */
export const useMinute = (): number =>
  useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / minuteMs) * minuteMs);

/**
 * Returns the clinic's business day (YYYY-MM-DD), and the next one on a page that stays open past midnight; undefined until
 * the clinic's time zone is known.
 */
export function useToday(): string | undefined {
  const timeZone = useKnownSettings()?.time_zone;
  return useSyncExternalStore(everyMinute, () =>
    timeZone === undefined ? undefined : businessDay(Date.now(), timeZone),
  );
}

/** Returns the same, by the time zone of the device until the clinic's is known: for a text whose place must be filled. */
export function useLikelyToday(): string {
  const timeZone = useKnownSettings()?.time_zone;
  return useSyncExternalStore(everyMinute, () =>
    businessDay(Date.now(), timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
}
