/** The validation of settings. It is apart from `settings.ts`, which every page loads, because only the form needs it. */
import { isDay } from '../business-day.ts';
import { emailForm } from '../email.ts';
import { isOutsideVat, isPostalCode } from '../tax/domicile.ts';
import { isTaxId } from '../tax/tax-id.ts';
import { verifactuProblems } from './verifactu.ts';
import { isAmount, textLimits } from '../limits.ts';
import { currencies } from '../money.ts';
import type { Problems } from '../problems.ts';
import type { TaxRate } from '../tax/codes.ts';
import { areLegal } from '../tax/legal-rates.ts';
import type { ClinicSettings } from './settings.ts';

const textLength = 1000;
/** What the tax agency takes. */
const descriptionLength = 500;
/** The law on clinical records asks for 5 years at least. */
const retentionYears = [5, 50] as const;
/** The server offers its receipts to a tablet that starts over for 31 days; a backup is made every night. */
const tabletDays = [7, 30] as const;
/** A tablet that stays open for longer is open to anybody who picks it up. */
const lockMinutes = [1, 60] as const;
/** An upload of this installation: paper loads nothing from elsewhere. */
const pictureForm = /^\/uploads\/\d+\/[0-9a-f-]{36}\.webp$/;
const colourForm = /^#[0-9a-f]{6}$/i;

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

export function settingsProblems(settings: ClinicSettings): Problems<keyof ClinicSettings> {
  const problems: Problems<keyof ClinicSettings> = {};
  const within = (value: number, least: number, most: number) => value >= least && value <= most;
  for (const field of [
    'practice_name',
    'address',
    'tax_number',
    'phone',
    'email',
    'currency_symbol',
    'notification_email',
    'time_zone',
    'legal_name',
    'city',
  ] as const) {
    if (settings[field].length > textLimits.name) problems[field] = 'TOO_LONG';
  }
  for (const field of ['receipt_header', 'receipt_footer', 'tax_note'] as const) {
    if (settings[field].length > textLength) problems[field] = 'TOO_LONG';
  }
  if (settings.operation_description.length > descriptionLength) problems.operation_description = 'TOO_LONG';
  for (const field of ['practice_name', 'currency_symbol'] as const)
    if (settings[field].trim() === '') problems[field] = 'REQUIRED';
  for (const field of ['email', 'notification_email'] as const) {
    if (settings[field] !== '' && !emailForm.test(settings[field])) problems[field] = 'EMAIL_INVALID';
  }
  for (const field of ['service_charge_rate', 'discount_limit_percent'] as const)
    if (!within(settings[field], 0, 100)) problems[field] = 'PERCENT_INVALID';
  for (const field of ['change_limit', 'month_target'] as const)
    if (!isAmount(settings[field])) problems[field] = 'AMOUNT_NEGATIVE';
  if (!Number.isInteger(settings.order_timeout_minutes) || !within(settings.order_timeout_minutes, 1, 120))
    problems.order_timeout_minutes = 'TIMEOUT_INVALID';
  if (!Number.isInteger(settings.lock_minutes) || !within(settings.lock_minutes, ...lockMinutes))
    problems.lock_minutes = 'LOCK_MINUTES_INVALID';
  const years = settings.patient_retention_years;
  if (!Number.isInteger(years) || (years !== 0 && !within(years, ...retentionYears)))
    problems.patient_retention_years = 'RETENTION_INVALID';
  if (!Number.isInteger(settings.tablet_keep_days) || !within(settings.tablet_keep_days, ...tabletDays))
    problems.tablet_keep_days = 'KEEP_DAYS_INVALID';
  if (!currencies.includes(settings.currency)) problems.currency = 'REQUIRED';
  if (settings.logo_url !== '' && !pictureForm.test(settings.logo_url)) problems.logo_url = 'PICTURE_UNKNOWN';
  if (!colourForm.test(settings.document_colour)) problems.document_colour = 'COLOUR_INVALID';
  if (!problems.time_zone && !isTimeZone(settings.time_zone)) problems.time_zone = 'TIME_ZONE_UNKNOWN';
  Object.assign(problems, taxProblems(settings), verifactuProblems(settings));
  return problems;
}

/** The issuer must be complete before a document names it. */
function taxProblems(settings: ClinicSettings): Problems<keyof ClinicSettings> {
  const problems: Problems<keyof ClinicSettings> = {};
  if (!settings.tax_rates.every(isRate)) problems.tax_rates = 'TAX_RATES_INVALID';
  if (settings.tax_profile === 'none') return problems;
  if (!problems.tax_rates && !settings.tax_rates.every(areLegal)) problems.tax_rates = 'TAX_RATES_ILLEGAL';
  for (const field of ['legal_name', 'address', 'city', 'operation_description'] as const)
    if (settings[field].trim() === '') problems[field] = 'REQUIRED';
  if (!isTaxId(settings.tax_id)) problems.tax_id = 'TAX_ID_INVALID';
  if (!isPostalCode(settings.postal_code)) problems.postal_code = 'POSTAL_CODE_INVALID';
  if (settings.currency !== 'EUR') problems.tax_profile = 'TAX_PROFILE_EURO';
  if (isOutsideVat(settings.postal_code)) problems.tax_profile = 'TAX_PROFILE_NO_VAT';
  return problems;
}

const isRate = ({ rates }: TaxRate): boolean =>
  rates.length > 0 &&
  rates.every(({ from, percent }) => isDay(from) && percent >= 0 && percent <= 100) &&
  new Set(rates.map(({ from }) => from)).size === rates.length;
