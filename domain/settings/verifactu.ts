/** When a clinic sends its fiscal records to the tax agency (VERI*FACTU), and when it may begin and end to. */
import { isDay } from '../business-day.ts';
import type { Problems } from '../problems.ts';
import { boundSince } from './obligation.ts';
import type { Bound } from './obligation.ts';
import type { ClinicSettings } from './settings.ts';
import { territoryOf } from '../tax/domicile.ts';

type Period = Pick<ClinicSettings, 'verifactu_since' | 'verifactu_until'> & Partial<Bound>;

/** A bound clinic issues nothing outside VERI*FACTU: this program sends what it issues, also after an end. */
const isBoundOn = (bound: Partial<Bound>, day: string): boolean =>
  (boundSince({ tax_profile: 'none', tax_id: '', postal_code: '', books_by_sii: false, ...bound }) ?? '9999') <= day;

/** @param day a day of the clinic, `yyyy-mm-dd` */
export const isSentOn = (settings: Period, day: string): boolean => {
  const { verifactu_since: since, verifactu_until: until } = settings;
  return since !== '' && day >= since && (until === '' || day <= until || isBoundOn(settings, day));
};

/**
 * True where no invoice is lawful: the clinic is bound, and has not begun to send. Money is taken with a receipt then, and the
 * invoices wait until it begins.
 */
export const mustNotInvoice = (settings: Period, day: string): boolean =>
  isBoundOn(settings, day) && !isSentOn(settings, day);

/**
 * Returns the end that calls state to the agency on a day (`FechaFinVeriFactu`; Order HAC/1177/2024, article 17), or null.
 * Calls state it all December, because the last days of a year may have no record.
 */
export const announcedEnd = ({ verifactu_until: until }: Period, day: string): string | null =>
  isAnnounced(until, day) && day <= until ? until : null;

const isAnnounced = (until: string, day: string): boolean => until !== '' && day >= `${until.slice(0, 4)}-12-01`;

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
 * Returns what forbids this change. Issued documents stay as they are, so VERI*FACTU begins today or later. A clinic leaves it at
 * the end of a year that is not over, and says so to the agency in the last month. A bound clinic begins at once, and never
 * leaves a gap.
 *
 * @param today the clinic's day
 */
export function verifactuChangeProblems(before: Period, after: Period, today: string): Problems<keyof ClinicSettings> {
  const hasBegun = before.verifactu_since !== '' && before.verifactu_since <= today;
  const isOver = hasBegun && before.verifactu_until !== '' && before.verifactu_until < today;
  const isGap = after.verifactu_since === '' || after.verifactu_since > today;
  if (
    before.verifactu_since !== '' &&
    after.verifactu_since !== before.verifactu_since &&
    isGap &&
    isBoundOn(after, today)
  )
    return { verifactu_since: 'VERIFACTU_BOUND' };
  if (after.verifactu_since !== before.verifactu_since) {
    if (hasBegun && !isOver) return { verifactu_since: 'VERIFACTU_YEAR_END' };
    if (after.verifactu_since !== '' && after.verifactu_since < today) return { verifactu_since: 'VERIFACTU_PAST' };
  }
  if (after.verifactu_until !== before.verifactu_until) {
    const isPast = after.verifactu_until !== '' && after.verifactu_until < today;
    if (hasBegun && !isOver && isAnnounced(before.verifactu_until, today))
      return { verifactu_until: 'VERIFACTU_ANNOUNCED' };
    if (isPast || (isOver && after.verifactu_since === before.verifactu_since))
      return { verifactu_until: 'VERIFACTU_YEAR_END' };
  }
  return {};
}
