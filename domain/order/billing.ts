/** Decides what invoices bill: together no more than is owed, and under a tax profile no less than is paid. */
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { AgreedPayment } from './decisions.ts';
import { uninvoicedLines } from './order.ts';
import type { Order, OrderLine } from './order.ts';
import { simplifiedLimitMinor } from '../tax/document.ts';
import type { Recipient } from '../tax/document.ts';
import { invoicedMinor } from './tax-totals.ts';
import { statusOf, totals } from './totals.ts';

type Profile = Pick<ClinicSettings, 'tax_profile'>;

/** What an invoice bills: what is owed and not invoiced, or an advance. */
export interface Billed {
  /** The lines that it bills; none of what a credit note has taken back, and of an advance. */
  lines: OrderLine[];
  advanceMinor?: number | undefined;
}

/** Returns what is owed and not invoiced; null if that is nothing. Services without a price are invoiced all the same. */
function unbilled(order: Order): Billed | null {
  const lines = uninvoicedLines(order);
  const leftMinor = totals(order).owedMinor - invoicedMinor(order);
  return leftMinor > 0 || (leftMinor === 0 && lines.length > 0) ? { lines } : null;
}

/**
 * Decides what the invoice of a payment bills, or that it issues none. A payment that clears the balance bills what is owed
 * and not invoiced. Under a tax profile a payment that leaves a balance is invoiced as an advance, as far as more was taken
 * than invoiced.
 */
export function billedBy(
  { tax_profile }: Profile,
  order: Order,
  { amountMinor, clears }: Pick<AgreedPayment, 'amountMinor' | 'clears'>,
): Billed | null {
  if (clears) return unbilled(order);
  return tax_profile === 'none' ? null : advance(order, totals(order).paidMinor + amountMinor);
}

function advance(order: Order, paidMinor: number): Billed | null {
  const advanceMinor = paidMinor - invoicedMinor(order);
  return advanceMinor > 0 ? { lines: [], advanceMinor } : null;
}

/**
 * Decides the invoice that no payment issues. Under a tax profile it bills a service that is done, paid or not, or money that
 * no invoice bills. Without one it bills a completed treatment, when two devices have each taken a part of its price.
 */
export function decideInvoice({ tax_profile }: Profile, order: Order): Result<Billed> {
  const isTaxed = tax_profile !== 'none';
  const { owedMinor, paidMinor } = totals(order);
  const uncovered = isTaxed ? advance(order, paidMinor) : null;
  const status = statusOf(order);
  if (status === 'cancelled') return uncovered ? accept(uncovered) : refuse('ORDER_CANCELLED');
  const isOpen = isTaxed || (status === 'completed' && owedMinor > invoicedMinor(order));
  const billed = (isOpen ? unbilled(order) : null) ?? uncovered;
  return billed ? accept(billed) : refuse('NOTHING_TO_INVOICE');
}

const taxed: Profile = { tax_profile: 'ES' };

/** Returns what the next invoice of a treatment, without a payment, bills under a tax profile; 0 if none is due. */
export function nextInvoiceMinor(order: Order): number {
  const decision = decideInvoice(taxed, order);
  if (!decision.ok) return 0;
  return decision.value.advanceMinor ?? totals(order).owedMinor - invoicedMinor(order);
}

/**
 * True where only a full invoice is lawful, and nobody has said who receives it. The counter then takes the payment without an
 * invoice. The invoice follows when the recipient is known; until then the treatment counts as paid and not invoiced.
 */
export const lacksRecipient = (profile: Profile, order: Order, recipient: Recipient | undefined): boolean =>
  recipient === undefined && needsFullInvoice(profile, order);

/**
 * True when a treatment costs more than a simplified invoice may state. Its parts count together: a sale that is paid or
 * invoiced in parts is one sale.
 */
export const needsFullInvoice = ({ tax_profile }: Profile, order: Order): boolean =>
  tax_profile !== 'none' && Math.max(totals(order).owedMinor, nextInvoiceMinor(order)) > simplifiedLimitMinor;
