import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';

/** Returns an amount of an item for its sentence. What a fiscal record says of its document is a text, which stands as it is. */
export function toldAmount(detail: unknown, currency: string): string {
  if (detail === undefined) return '–';
  return typeof detail === 'string' ? detail : formatMinor(minorFromWire(Number(detail)), currencyLabel(currency));
}
