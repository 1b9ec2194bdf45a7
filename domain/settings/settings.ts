import type { Language } from '../language.ts';
import type { Currency } from '../money.ts';

/** The paper of printed documents: a roll's width in millimetres, or a sheet. */
export const paperWidths = ['80mm', '58mm', 'A4'] as const;
export type PaperWidth = (typeof paperWidths)[number];

/** A clinic's settings, in `GET /settings` and on tablets. Rates are percentages. */
export interface ClinicSettings {
  practice_name: string;
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
  /** The language of a device until a user chooses another. */
  default_language: Language;
  receipt_header: string;
  receipt_footer: string;
  tax_note: string;
  paper_width: PaperWidth;
  notification_email: string;
  low_stock_alerts: boolean;
  daily_reports: boolean;
  system_updates: boolean;
  error_notifications: boolean;
  auto_print_receipts: boolean;
  order_timeout_minutes: number;
  time_zone: string;
  /** Patients without a treatment for this number of years are erased; 0 keeps them. */
  patient_retention_years: number;
  /** Tablets delete operations this number of days after the server has confirmed them (SYNC-16). */
  tablet_keep_days: number;
  /** False until the administrator of a new clinic has finished or skipped its setup. */
  setup_finished: boolean;
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
  default_language: 'en',
  receipt_header: 'Thank you for choosing our dental practice!',
  receipt_footer: 'Visit again soon!',
  tax_note: '',
  paper_width: '80mm',
  notification_email: '',
  low_stock_alerts: true,
  daily_reports: false,
  system_updates: true,
  error_notifications: true,
  auto_print_receipts: false,
  order_timeout_minutes: 30,
  time_zone: 'Europe/Madrid',
  patient_retention_years: 0,
  tablet_keep_days: 7,
  setup_finished: true,
};
