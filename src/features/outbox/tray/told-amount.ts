import type { MoneyKind } from '#domain/attention.ts';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';

/** Returns an amount of an item for its sentence. What a fiscal record says of its document is a text, which stands as it is. */
export function toldAmount(detail: unknown, currency: string): string {
  if (detail === undefined) return '–';
  return typeof detail === 'string' ? detail : formatMinor(minorFromWire(Number(detail)), currencyLabel(currency));
}

/** Returns the count and the sum of the payments, or of the refunds, among items; null if there are none, or if they are of several currencies. */
export function moneyOf(
  kind: MoneyKind,
  items: readonly AttentionResource[],
): { count: number; amount: string } | null {
  const moved = items.filter(({ op_kind, details }) => op_kind === kind && typeof details['amount'] === 'number');
  const [currency, ...others] = new Set(moved.map(({ details }) => String(details['currency'] ?? 'EUR')));
  if (currency === undefined || others.length > 0) return null;
  const minor = moved.reduce((sum, { details }) => sum + minorFromWire(Number(details['amount'])), 0);
  return { count: moved.length, amount: formatMinor(minor, currencyLabel(currency)) };
}
