/** Recommended action for a stock alert. */
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import { stepMilli } from '#domain/stock/vocabulary.ts';

export type Advice = 'ended' | 'out_of_stock' | 'low_stock' | 'expiring_soon' | 'expired';

/** Returns true for an expired lot: the server raises its expiry alert with high severity. */
export const hasExpired = ({ alert_type, severity }: Pick<StockAlertResource, 'alert_type' | 'severity'>): boolean =>
  alert_type === 'expiring_soon' && severity === 'high';

export function adviceFor(alert: Pick<StockAlertResource, 'alert_type' | 'severity' | 'resolved'>): Advice {
  if (alert.resolved) return 'ended';
  return hasExpired(alert) ? 'expired' : alert.alert_type;
}

/** Returns the smallest quantity that raises an item above its threshold, in whole steps of its unit. */
export function restockQuantity({
  current_quantity,
  threshold_quantity,
  unit,
}: Pick<StockAlertResource, 'current_quantity' | 'threshold_quantity' | 'unit'>): number {
  const step = stepMilli(unit);
  const missing = milliFromWire(threshold_quantity) - milliFromWire(current_quantity);
  return milliToWire((Math.floor(missing / step) + 1) * step);
}
