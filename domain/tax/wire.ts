/** Tax on the wire: a rate is a percentage, and money a decimal with two places. */
import { minorFromWire, minorToWire } from '../money.ts';
import type { Exemption, TaxCategory, TaxTotal } from './tax.ts';

/** The tax of an agreed line. */
export type TaxPayload = { exempt: Exemption } | { rate: number };

/** A document's amounts of one tax category: `gross` = `base` + `tax`. All are negative on a credit note. */
export type TaxTotalPayload = TaxPayload & { base: number; tax: number; gross: number };

export const categoryFromWire = (tax: TaxPayload): TaxCategory =>
  'exempt' in tax ? { exempt: tax.exempt } : { rateBps: Math.round(tax.rate * 100) };

export const categoryToWire = (category: TaxCategory): TaxPayload =>
  'exempt' in category ? { exempt: category.exempt } : { rate: category.rateBps / 100 };

export const taxTotalFromWire = (total: TaxTotalPayload): TaxTotal => ({
  category: categoryFromWire(total),
  baseMinor: minorFromWire(total.base),
  taxMinor: minorFromWire(total.tax),
  grossMinor: minorFromWire(total.gross),
});

export const taxTotalToWire = ({ category, baseMinor, taxMinor, grossMinor }: TaxTotal): TaxTotalPayload => ({
  ...categoryToWire(category),
  base: minorToWire(baseMinor),
  tax: minorToWire(taxMinor),
  gross: minorToWire(grossMinor),
});
