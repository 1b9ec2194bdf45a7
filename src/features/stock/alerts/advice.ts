/** What a person can do about an alert, by what it is about. */
import { milliFromWire, milliToWire } from '../../../../domain/quantity.ts';
import type { StockAlertResource } from '../../../../domain/stock/resources.ts';
import { stepMilli } from '../../../../domain/stock/vocabulary.ts';

export type Advice = 'ended' | 'out_of_stock' | 'low_stock' | 'expiring_soon' | 'expired';

/** A lot whose expiry is of high severity is past it. */
export const hasExpired = ({ alert_type, severity }: Pick<StockAlertResource, 'alert_type' | 'severity'>): boolean =>
  alert_type === 'expiring_soon' && severity === 'high';

export function adviceFor(alert: Pick<StockAlertResource, 'alert_type' | 'severity' | 'resolved'>): Advice {
  if (alert.resolved) return 'ended';
  return hasExpired(alert) ? 'expired' : alert.alert_type;
}

/** The least that brings an item back above its threshold, in whole steps of its unit. */
export function missingOf({
  current_quantity,
  threshold_quantity,
  unit,
}: Pick<StockAlertResource, 'current_quantity' | 'threshold_quantity' | 'unit'>): number {
  const step = stepMilli(unit);
  const short = milliFromWire(threshold_quantity) - milliFromWire(current_quantity);
  return milliToWire((Math.floor(short / step) + 1) * step);
}
