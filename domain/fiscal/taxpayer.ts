/** The taxpayer under whom a clinic issues documents, and what a device may issue before its code is granted for them. */
import type { ClinicSettings } from '../settings/settings.ts';

/** Returns the taxpayer's number; null without the tax profile `ES`. */
export const taxpayerOf = ({ tax_profile, tax_id }: Pick<ClinicSettings, 'tax_profile' | 'tax_id'>): string | null =>
  tax_profile === 'ES' ? tax_id : null;

/**
 * Returns the settings by which a device issues documents. Until its code is granted for the clinic's taxpayer it issues
 * them as without the tax profile, because another clinic of the taxpayer could use the same number.
 *
 * @param grantedFor the taxpayer for whom the device's code is granted
 */
export const issuingSettings = <S extends Pick<ClinicSettings, 'tax_profile' | 'tax_id'>>(
  settings: S,
  grantedFor: string | null | undefined,
): S =>
  taxpayerOf(settings) === (grantedFor ?? null) || settings.tax_profile === 'none'
    ? settings
    : { ...settings, tax_profile: 'none' };
