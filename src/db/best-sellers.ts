/**
 * Learns which services this clinic sells most, from the treatments on this device. The order changes once a day: the
 * counter shows it first, and nothing may move while somebody works.
 */
import { businessDay } from '#domain/business-day.ts';
import type { OrderLine } from '#domain/order/order.ts';
import type { ClinicDatabase } from './database.ts';
import { productKey, stockKey } from './rows.ts';
import { clinicSettings } from './singletons.ts';

/** The part of a service's weight that is left after each day on which the counts are renewed. */
const keptWeight = 0.95;
const mostWeights = 200;
/** Clocks of tablets differ: a treatment may arrive with a time a little before the last count. */
const clockMarginMs = 60_000;

const keyOf = ({ stockId, productId }: OrderLine): string | null => {
  if (stockId !== null) return stockKey(stockId);
  return productId === null ? null : productKey(productId);
};

/**
 * Renews the counts on the first call of a business day. Requires a transaction over `best_sellers`, `orders` and
 * `settings`.
 */
export async function learnBestSellers(db: ClinicDatabase, nowMs: number): Promise<void> {
  const [known, { time_zone }] = await Promise.all([db.best_sellers.get('this'), clinicSettings(db)]);
  const day = businessDay(nowMs, time_zone);
  if (known?.day === day) return;
  const from = known?.counted_until ?? Number.NEGATIVE_INFINITY;
  const until = nowMs - clockMarginMs;
  const sold = await db.orders
    .where('updatedAtMs')
    .above(from)
    .filter(({ status, createdAtMs }) => status !== 'cancelled' && createdAtMs > from && createdAtMs <= until)
    .toArray();
  if (sold.length === 0 && !known) return;
  const weights = new Map(known?.weights.map(([key, weight]): [string, number] => [key, weight * keptWeight]));
  for (const key of sold.flatMap(({ lines }) => lines.map(keyOf))) {
    if (key !== null) weights.set(key, (weights.get(key) ?? 0) + 1);
  }
  await db.best_sellers.put({
    id: 'this',
    day,
    counted_until: until,
    weights: [...weights].sort(([, a], [, b]) => b - a).slice(0, mostWeights),
  });
}
