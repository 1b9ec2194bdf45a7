import { currencyLabel, formatMinor, minorFromWire } from '../../domain/money.ts';
import { useCurrency } from '../device/use-clinic-settings.ts';

/** How amounts are written, given as the wire has them: in the clinic's currency. */
export function useMoney(): (wire: number) => string {
  const label = currencyLabel(useCurrency());
  return (wire) => formatMinor(minorFromWire(wire), label);
}
