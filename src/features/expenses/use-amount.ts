import { formatMinor, minorFromWire } from '../../../domain/money.ts';
import { useClinicSettings } from '../../local-data/use-clinic-settings.ts';

/** Formats an amount from the wire with the currency symbol of the clinic's settings. */
export function useAmount(): { symbol: string; amount: (wire: number) => string } {
  const { currency_symbol: symbol } = useClinicSettings();
  return { symbol, amount: (wire) => formatMinor(minorFromWire(wire), symbol) };
}
