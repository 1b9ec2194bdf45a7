import { businessDay } from '../../../../domain/business-day.ts';
import { milliFromWire } from '../../../../domain/quantity.ts';
import { lotCall } from '../../../../domain/stock/alerts.ts';
import type { AlertCall } from '../../../../domain/stock/alerts.ts';
import type { LotDocument } from '../../../../domain/stock/documents.ts';
import { useClinicSettings } from '../../../device/use-clinic-settings.ts';

/** What a lot calls for today, by the clinic's calendar. */
export function useLotCall(): (lot: Pick<LotDocument, 'expires_on' | 'remaining'>) => AlertCall | null {
  const { time_zone: timeZone } = useClinicSettings();
  return ({ expires_on, remaining }) =>
    lotCall({ remainingMilli: milliFromWire(remaining), expiresOn: expires_on }, businessDay(Date.now(), timeZone));
}
