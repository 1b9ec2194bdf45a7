/** What the clinic's tax profile says of a service that is sold on a day. */
import { businessDay } from '../business-day.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import { categoryOn, defaultTaxCode } from './codes.ts';
import type { TaxCode } from './codes.ts';
import { taxKey } from './tax.ts';

export type TaxSettings = Pick<ClinicSettings, 'tax_profile' | 'tax_rates' | 'time_zone'>;

/** Returns the key of the tax of a service that is sold at a time; undefined without a tax profile. */
export function lineTax(settings: TaxSettings, code: TaxCode | undefined, atMs: number): string | undefined {
  if (settings.tax_profile === 'none') return undefined;
  const day = businessDay(atMs, settings.time_zone);
  return taxKey(categoryOn(code ?? defaultTaxCode, day, settings.tax_rates));
}
