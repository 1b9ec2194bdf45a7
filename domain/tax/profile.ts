/** What the clinic's tax profile says of a service that is sold on a day. */
import { businessDay } from '../business-day.ts';
import { categoryOn, defaultTaxCode } from './codes.ts';
import type { TaxCode, TaxRate } from './codes.ts';
import { taxKey } from './tax.ts';

export const taxProfiles = ['none', 'ES'] as const;
export type TaxProfile = (typeof taxProfiles)[number];

/** What the settings of a clinic say of its taxes. */
export interface TaxSettings {
  /** `none`, or the country whose law documents follow. */
  tax_profile: TaxProfile;
  tax_rates: TaxRate[];
  time_zone: string;
}

/** Returns the key of the tax of a service that is sold at a time; undefined without a tax profile. */
export function lineTax(settings: TaxSettings, code: TaxCode | undefined, atMs: number): string | undefined {
  if (settings.tax_profile === 'none') return undefined;
  const day = businessDay(atMs, settings.time_zone);
  return taxKey(categoryOn(code ?? defaultTaxCode, day, settings.tax_rates));
}
