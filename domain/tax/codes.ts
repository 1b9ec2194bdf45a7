/**
 * The tax code of an item: an exemption, or the name of a rate. The clinic's settings say what a rate's name means on a
 * day, because rates change.
 */
import { exemptions } from './tax.ts';
import type { Exemption, TaxCategory } from './tax.ts';

export const rateCodes = ['standard', 'reduced', 'super_reduced'] as const;
export type RateCode = (typeof rateCodes)[number];
export type TaxCode = Exemption | RateCode;

export const taxCodes = [...exemptions, ...rateCodes] as const satisfies readonly TaxCode[];

/**
 * The codes that an item may have. Exports (E2, E3) and deliveries within the Union (E5) need another regime than the general one,
 * under which all records are sent: the tax agency rejects them (1199, 1289).
 */
export const itemTaxCodes = taxCodes.filter((code) => code !== 'E2' && code !== 'E3' && code !== 'E5');

export type ItemTaxCode = (typeof itemTaxCodes)[number];

/** Dentistry is exempt. */
export const defaultTaxCode = 'E1' satisfies TaxCode;

/** What a rate is, and since when. */
export interface TaxRate {
  code: RateCode;
  /** `from` is a day (`yyyy-mm-dd`), `percent` has up to two decimals. */
  rates: { from: string; percent: number }[];
}

const isExemption = (code: TaxCode): code is Exemption => (exemptions as readonly string[]).includes(code);

/** Returns the tax of a code on a business day: of its rates the last one that has begun, or else the first. */
export function categoryOn(code: TaxCode, day: string, taxRates: readonly TaxRate[]): TaxCategory {
  if (isExemption(code)) return { exempt: code };
  const rates = (taxRates.find((each) => each.code === code)?.rates ?? []).toSorted((a, b) =>
    a.from < b.from ? -1 : 1,
  );
  const rate = rates.findLast(({ from }) => from <= day) ?? rates[0];
  return { rateBps: Math.round((rate?.percent ?? 0) * 100) };
}
