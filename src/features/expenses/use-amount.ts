import { formatMinor, minorFromWire } from '../../../domain/money.ts';
import { useClinicSettings } from '../../device/use-clinic-settings.ts';

/** How amounts of expenses are written, as the wire has them: with the symbol of the settings before them. */
export function useAmount(): { symbol: string; amount: (wire: number) => string } {
  const { currency_symbol: symbol } = useClinicSettings();
  return { symbol, amount: (wire) => formatMinor(minorFromWire(wire), symbol) };
}
