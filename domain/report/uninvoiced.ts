/** Treatments that wait for an invoice: money was taken for them, or they are done, and no document bills it. */
import { daysAfter } from '../business-day.ts';

export interface UninvoicedTreatment {
  order_id: string;
  number: string;
  /** The business day of the treatment, `yyyy-mm-dd`. */
  day: string;
  /** The name on the treatment; empty without one. */
  customer: string;
  owed: number;
  paid: number;
  /** What valid invoices bill, less than one of the two. */
  invoiced: number;
  currency: string;
  /** The last day on which the law takes its invoice from anybody (`invoiceDueOn`). */
  due_on: string;
  is_late: boolean;
}

/** `GET /api/reports/uninvoiced`, the oldest first. */
export interface UninvoicedReport {
  treatments: UninvoicedTreatment[];
  /** The number of all, of which a reply has the first. */
  total: number;
}

/** As many are listed. */
export const mostUninvoiced = 200;

/** As many of a month are offered for collective invoices. */
export const mostBillable = 1000;

/**
 * Returns the last day of the term for an invoice (RD 1619/2012, article 11): one to a business is issued before the 16th of the
 * month after the service. One to anybody else is due at once, so the list shows it from the next day on.
 */
export function invoiceDueOn(day: string): string {
  const next = daysAfter(`${day.slice(0, 7)}-28`, 4);
  return `${next.slice(0, 7)}-15`;
}
