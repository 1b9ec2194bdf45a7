import { useSyncExternalStore } from 'react';
import { businessDay } from '../../domain/business-day.ts';
import { useKnownSettings } from '../device/use-clinic-settings.ts';
import { everyMinute } from './use-minute.ts';

/** The clinic's business day (YYYY-MM-DD), also on a page that stays open past midnight; undefined until its time zone is known. */
export function useToday(): string | undefined {
  const timeZone = useKnownSettings()?.time_zone;
  return useSyncExternalStore(everyMinute, () =>
    timeZone === undefined ? undefined : businessDay(Date.now(), timeZone),
  );
}
