import type { Language } from '../language.ts';
import type { Currency } from '../money.ts';
import type { TaxRate } from '../tax/codes.ts';
import type { TaxProfile } from '../tax/profile.ts';

/** The paper of printed documents: a roll's width in millimetres, or a sheet. */
export const paperWidths = ['80mm', '58mm', 'A4'] as const;
export type PaperWidth = (typeof paperWidths)[number];

/** The systems of the Spanish tax agency: what its test system takes counts for nothing. */
export type AgencySystem = 'production' | 'test';

/** A clinic's settings, in `GET /settings` and on tablets. Rates are percentages. */
export interface ClinicSettings {
  practice_name: string;
  /** Street and number. */
  address: string;
  /** The tax number as invoices print it, such as `NIF B12345678`. */
  tax_number: string;
  phone: string;
  email: string;
  currency: Currency;
  /** Part of the resource; screens show the label of `currency` (`currencyLabel`). */
  currency_symbol: string;
  service_charge_rate: number;
  /** A discount above this percentage of the subtotal needs a manager. */
  discount_limit_percent: number;
  /** The counter asks back before a payment with more change than this, a wire decimal. */
  change_limit: number;
  /** What the clinic wants to earn in a month, a wire decimal; 0 without a target. */
  month_target: number;
  /** The language of a device until a user chooses another. */
  default_language: Language;
  receipt_header: string;
  receipt_footer: string;
  tax_note: string;
  paper_width: PaperWidth;
  /** The address of an uploaded picture, which documents print at their head; empty without one. */
  logo_url: string;
  /** The colour of rules and of the practice's name on sheets, such as `#0b5150`. */
  document_colour: string;
  notification_email: string;
  low_stock_alerts: boolean;
  daily_reports: boolean;
  system_updates: boolean;
  error_notifications: boolean;
  auto_print_receipts: boolean;
  order_timeout_minutes: number;
  /** Tablets lock when nobody has touched them for this long. */
  lock_minutes: number;
  time_zone: string;
  /** Patients without a treatment for this number of years are erased; 0 keeps them. */
  patient_retention_years: number;
  /** Tablets delete operations this number of days after the server has confirmed them (SYNC-16). */
  tablet_keep_days: number;
  /** What law the documents follow. With `none` they carry one tax note, and no screen speaks of rates. */
  tax_profile: TaxProfile;
  tax_rates: TaxRate[];
  /** The issuer of documents, by the tax profile `ES`. */
  legal_name: string;
  tax_id: string;
  postal_code: string;
  city: string;
  /** The first day (`yyyy-mm-dd`) whose documents are sent to the tax agency; empty without VERI*FACTU. */
  verifactu_since: string;
  /** The last such day, the end of a year; empty without an end. */
  verifactu_until: string;
  /** Where the server sends the records, by its `VERIFACTU_URL`: the code on paper leads there. Nobody edits it. */
  verifactu_system: AgencySystem;
  /** True of a clinic that keeps its VAT books at the tax agency (SII), which is not bound to VERI*FACTU. */
  books_by_sii: boolean;
  /** What fiscal records say was sold, in general: a treatment's name is health data. */
  operation_description: string;
  /** False until the administrator of a new clinic has finished or skipped its setup. */
  setup_finished: boolean;
}

/** The default texts of documents in Spain; `defaultSettings` has the texts for other countries. */
const spanishTexts = {
  receipt_header: '¡Gracias por confiar en nuestra clínica dental!',
  receipt_footer: '¡Hasta pronto!',
} as const satisfies Partial<ClinicSettings>;

/** Returns the texts that a clinic has not written itself, in Spanish once it chooses the profile for Spain. */
export function textsOfProfile(before: ClinicSettings, after: ClinicSettings): Partial<ClinicSettings> {
  if (before.tax_profile === 'ES' || after.tax_profile !== 'ES') return {};
  const names = Object.keys(spanishTexts) as (keyof typeof spanishTexts)[];
  return Object.fromEntries(
    names.filter((name) => after[name] === defaultSettings[name]).map((name) => [name, spanishTexts[name]]),
  );
}

export const defaultSettings: ClinicSettings = {
  practice_name: 'Dental Counter',
  address: '',
  tax_number: '',
  phone: '',
  email: '',
  currency: 'EUR',
  currency_symbol: 'Rs',
  service_charge_rate: 0,
  discount_limit_percent: 10,
  change_limit: 200,
  month_target: 0,
  default_language: 'en',
  receipt_header: 'Thank you for choosing our dental practice!',
  receipt_footer: 'Visit again soon!',
  tax_note: '',
  paper_width: '80mm',
  logo_url: '',
  document_colour: '#0b5150',
  notification_email: '',
  low_stock_alerts: true,
  daily_reports: false,
  system_updates: true,
  error_notifications: true,
  auto_print_receipts: false,
  order_timeout_minutes: 30,
  lock_minutes: 5,
  time_zone: 'Europe/Madrid',
  patient_retention_years: 0,
  tablet_keep_days: 7,
  tax_profile: 'none',
  tax_rates: [
    { code: 'standard', rates: [{ from: '2012-09-01', percent: 21 }] },
    { code: 'reduced', rates: [{ from: '2012-09-01', percent: 10 }] },
    { code: 'super_reduced', rates: [{ from: '1995-01-01', percent: 4 }] },
  ],
  legal_name: '',
  tax_id: '',
  postal_code: '',
  city: '',
  verifactu_since: '',
  verifactu_until: '',
  verifactu_system: 'production',
  books_by_sii: false,
  operation_description: 'Servicios odontológicos',
  setup_finished: true,
};
