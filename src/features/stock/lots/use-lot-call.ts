import { businessDay } from '../../../../domain/business-day.ts';
import { milliFromWire } from '../../../../domain/quantity.ts';
import { lotAlert } from '../../../../domain/stock/alerts.ts';
import type { AlertCondition } from '../../../../domain/stock/alerts.ts';
import type { LotResource } from '../../../../domain/stock/resources.ts';
import { useClinicSettings } from '../../../device/use-clinic-settings.ts';

/** What a lot calls for today, by the clinic's calendar. */
export function useLotCall(): (lot: Pick<LotResource, 'expires_on' | 'remaining'>) => AlertCondition | null {
  const { time_zone: timeZone } = useClinicSettings();
  return ({ expires_on, remaining }) =>
    lotAlert({ remainingMilli: milliFromWire(remaining), expiresOn: expires_on }, businessDay(Date.now(), timeZone));
}
