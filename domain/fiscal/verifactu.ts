/** When a clinic sends its fiscal records to the tax agency (VERI*FACTU), and when it may begin and end to. */
import { isDay } from '../business-day.ts';
import type { Problems } from '../problems.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import { territoryOf } from './domicile.ts';

type Period = Pick<ClinicSettings, 'verifactu_since' | 'verifactu_until'>;

/** @param day a day of the clinic, `yyyy-mm-dd` */
export const isSentOn = ({ verifactu_since: since, verifactu_until: until }: Period, day: string): boolean =>
  since !== '' && day >= since && (until === '' || day <= until);

/** Returns what the settings contradict by themselves. */
export function verifactuProblems(settings: ClinicSettings): Problems<keyof ClinicSettings> {
  const { verifactu_since: since, verifactu_until: until } = settings;
  if (since === '') return until === '' ? {} : { verifactu_until: 'VERIFACTU_YEAR_END' };
  if (!isDay(since)) return { verifactu_since: 'VERIFACTU_DAY' };
  if (settings.tax_profile !== 'ES') return { verifactu_since: 'VERIFACTU_PROFILE' };
  if (territoryOf(settings.postal_code) === 'basque') return { verifactu_since: 'VERIFACTU_BASQUE' };
  const isYearEnd = until === '' || (isDay(until) && until.endsWith('-12-31') && until >= since);
  return isYearEnd ? {} : { verifactu_until: 'VERIFACTU_YEAR_END' };
}

/**
 * Returns what forbids this change: documents that are out stay as they are, so VERI*FACTU begins today or later, and
 * whoever has begun leaves it at the end of a year that is not over.
 *
 * @param today the clinic's day
 */
export function verifactuChangeProblems(before: Period, after: Period, today: string): Problems<keyof ClinicSettings> {
  const hasBegun = before.verifactu_since !== '' && before.verifactu_since <= today;
  const isOver = hasBegun && before.verifactu_until !== '' && before.verifactu_until < today;
  if (after.verifactu_since !== before.verifactu_since) {
    if (hasBegun && !isOver) return { verifactu_since: 'VERIFACTU_YEAR_END' };
    if (after.verifactu_since !== '' && after.verifactu_since < today) return { verifactu_since: 'VERIFACTU_PAST' };
  }
  if (after.verifactu_until !== before.verifactu_until) {
    const isPast = after.verifactu_until !== '' && after.verifactu_until < today;
    if (isPast || (isOver && after.verifactu_since === before.verifactu_since))
      return { verifactu_until: 'VERIFACTU_YEAR_END' };
  }
  return {};
}
