/**
 * Decides what may be done to a treatment: on the tablet when a person acts, and on the server for a REST request. Each
 * function returns the values for the operation's payload, or a refusal. Operations that already happened are not decided
 * again. Money is minor units, quantities are thousandths.
 */
import { isReasonTooShort } from '../reason.ts';
import { maxLines, maxMinor, maxMilli } from '../limits.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import { creditOf } from './credited.ts';
import { billedLineIds, subtotal } from './order.ts';
import { chosenPrices, refundTerms } from './refund-terms.ts';
import type { RefundTerms, RefundWish } from './refund-terms.ts';
import { isWithinLimits, statusOf, totals } from './totals.ts';
import type { Invoice, Order, OrderLine } from './order.ts';
import { invoicedMinor, isInvoiced, standingInvoices } from './tax-totals.ts';
import type { TaxCode } from '../tax/codes.ts';
import type { PaymentMethod } from './vocabulary.ts';

/** A stock item or product, with its current price. */
export interface Sellable {
  type: 'stock' | 'product';
  id: number;
  name: string;
  priceMinor: number;
  isAvailable: boolean;
  taxCode?: TaxCode | undefined;
}

export interface RequestedLine {
  lineId: string;
  sellable: Sellable | undefined;
  quantityMilli: number;
  /** The key of its tax on the day of the sale. */
  tax?: string | undefined;
  notes?: string | undefined;
}

export type AgreedLine = Omit<OrderLine, 'opId' | 'position' | 'replaces'>;

/**
 * Turns requested services into lines at current prices. Refuses an empty request, services that can't be sold, and a sum
 * beyond the limit.
 */
export function decideLines(requested: readonly RequestedLine[]): Result<AgreedLine[]> {
  if (requested.length === 0) return refuse('ORDER_EMPTY');
  if (requested.length > maxLines) return refuse('VALIDATION', { max: maxLines });
  const lines: AgreedLine[] = [];
  for (const { lineId, sellable, quantityMilli, tax, notes } of requested) {
    if (!sellable) return refuse('ITEM_UNKNOWN');
    if (!sellable.isAvailable) return refuse('ITEM_UNAVAILABLE', { name: sellable.name });
    if (!Number.isInteger(quantityMilli) || quantityMilli < 1000 || quantityMilli > maxMilli) {
      return refuse('QUANTITY_INVALID', { name: sellable.name });
    }
    lines.push({
      lineId,
      stockId: sellable.type === 'stock' ? sellable.id : null,
      productId: sellable.type === 'product' ? sellable.id : null,
      name: sellable.name,
      quantityMilli,
      unitPriceMinor: sellable.priceMinor,
      ...(tax && { tax }),
      notes: notes ?? '',
    });
  }
  return subtotal(lines) > maxMinor ? refuse('AMOUNT_TOO_LARGE') : accept(lines);
}

/** Services can be added unless the treatment is cancelled. A paid treatment reopens with a balance. */
export function decideAddedServices(order: Order, requested: readonly RequestedLine[]): Result<AgreedLine[]> {
  if (statusOf(order) === 'cancelled') return refuse('ORDER_CANCELLED');
  const added = decideLines(requested);
  if (!added.ok) return added;
  const lines = added.value.map((line) => ({ ...line, opId: '', position: 0, replaces: null }));
  return isWithinLimits({ ...order, lines: [...order.lines, ...lines] }) ? added : refuse('ORDER_FULL');
}

/** A line with another quantity or note. */
export interface RequestedReplacement {
  /** The id of the new line. */
  lineId: string;
  replaces: string;
  /** Absent to keep what the replaced line has, like the note. */
  quantityMilli?: number | undefined;
  notes?: string | undefined;
}

export interface RequestedChange {
  removedIds: readonly string[];
  replacements: readonly RequestedReplacement[];
}

export type AgreedReplacement = AgreedLine & { replaces: string };

/**
 * Decides which lines of an open treatment are taken away or replaced; a replacement keeps the service and the agreed
 * price. Refuses lines on an invoice, and what would leave less to pay than was paid: that is a refund.
 */
export function decideChange(order: Order, { removedIds, replacements }: RequestedChange): Result<AgreedReplacement[]> {
  const status = statusOf(order);
  if (status === 'cancelled') return refuse('ORDER_CANCELLED');
  if (status === 'completed') return refuse('ORDER_PAID');
  if (removedIds.length + replacements.length > maxLines) return refuse('VALIDATION', { max: maxLines });
  const billed = billedLineIds(order.invoices);
  const lines = new Map(order.lines.map((line) => [line.lineId, line]));
  for (const lineId of [...removedIds, ...replacements.map(({ replaces }) => replaces)]) {
    const line = lines.get(lineId);
    if (!line) return refuse('LINE_GONE');
    if (billed.has(lineId)) return refuse('LINE_INVOICED', { name: line.name });
    lines.delete(lineId);
  }
  const agreed: AgreedReplacement[] = [];
  for (const { lineId, replaces, quantityMilli: wantedMilli, notes } of replacements) {
    const { opId: _opId, position: _position, ...line } = order.lines.find((each) => each.lineId === replaces)!;
    const quantityMilli = wantedMilli ?? line.quantityMilli;
    if (!Number.isInteger(quantityMilli) || quantityMilli < 1000 || quantityMilli > maxMilli)
      return refuse('QUANTITY_INVALID', { name: line.name });
    agreed.push({ ...line, lineId, replaces, quantityMilli, notes: notes ?? line.notes });
  }
  if (lines.size + agreed.length === 0) return refuse('LAST_LINE');
  return accept(agreed);
}

/** Refuses a changed treatment that would hold more than it can, or of which more was paid than is left. */
export function decideChanged(after: Order): Result<null> {
  if (!isWithinLimits(after)) return refuse('ORDER_FULL');
  const { paidMinor, balanceMinor } = totals(after);
  return paidMinor > 0 && balanceMinor <= 0 ? refuse('CHANGE_BELOW_PAID') : accept(null);
}

/** The cancel of an invoiced treatment has a credit note (`cancelNote`). */
export function decideCancel(order: Order): Result<null> {
  // An invoice of another device may arrive after the cancel; it needs a correction, too.
  if (statusOf(order) === 'cancelled' && !isInvoiced(order)) return refuse('ORDER_CANCELLED');
  return totals(order).paidMinor === 0 ? accept(null) : refuse('ORDER_HAS_PAYMENTS');
}

/**
 * Decides the exchange of a simplified invoice for a full one. Returns the invoice. What was refunded of it stays refunded
 * by its own credit note; an invoice of which nothing is left is not exchanged.
 */
export function decideExchange(order: Order, number: string): Result<Invoice> {
  const invoice = standingInvoices(order).find(({ invoice_number }) => invoice_number === number);
  const isLeft = invoicedMinor(order) > 0;
  return invoice?.document_type === 'F2' && isLeft ? accept(invoice) : refuse('NOT_EXCHANGEABLE');
}

export interface AgreedPayment {
  amountMinor: number;
  tenderedMinor: number;
  changeMinor: number;
  /** True when the payment clears the balance and so issues the invoice. */
  clears: boolean;
}

/**
 * Decides a payment of the tendered amount. Only cash gives change; other methods accept at most the balance. A payment of 0
 * completes a treatment that costs nothing.
 */
export function decidePayment(
  order: Order,
  { method, tenderedMinor }: { method: PaymentMethod; tenderedMinor: number },
): Result<AgreedPayment> {
  const status = statusOf(order);
  if (status === 'cancelled') return refuse('ORDER_CANCELLED');
  if (status === 'completed') return refuse('ORDER_PAID');
  const { balanceMinor } = totals(order);
  if (tenderedMinor > maxMinor) return refuse('AMOUNT_TOO_LARGE');
  if (!Number.isInteger(tenderedMinor) || tenderedMinor < 0) return refuse('AMOUNT_INVALID');
  if (tenderedMinor === 0 && balanceMinor > 0) return refuse('AMOUNT_INVALID');
  if (method !== 'cash' && tenderedMinor > balanceMinor) return refuse('AMOUNT_EXCEEDS_BALANCE');
  const amountMinor = Math.min(tenderedMinor, balanceMinor);
  return accept({
    amountMinor,
    tenderedMinor,
    changeMinor: tenderedMinor - amountMinor,
    clears: amountMinor === balanceMinor,
  });
}

export interface RequestedRefund extends RefundWish {
  reason: string;
}

/**
 * Decides a refund: it needs a reason, and exceeds neither what is still paid, nor what is left of the named services, nor what is
 * left of the invoices that it corrects.
 */
export function decideRefund(order: Order, request: RequestedRefund): Result<RefundTerms> {
  const { amountMinor, reason, lineIds = [], statedMinor, isStillOwed } = request;
  if (!Number.isInteger(amountMinor) || amountMinor <= 0) return refuse('AMOUNT_INVALID');
  if (amountMinor > totals(order).paidMinor) return refuse('REFUND_EXCEEDS_PAYMENTS');
  if (isReasonTooShort(reason)) return refuse('REASON_REQUIRED');
  const terms = refundTerms(order, request);
  if (creditOf(order, { amountMinor, ...terms }).excessMinor > 0) return refuse('REFUND_EXCEEDS_INVOICE');
  if (isStillOwed || lineIds.length === 0) return accept(terms);
  const chosen = chosenPrices(order, lineIds);
  if (chosen.length < new Set(lineIds).size) return refuse('LINE_GONE');
  const tooMuch = chosen.some(({ line, earnedMinor }) => (statedMinor?.get(line.lineId) ?? 0) > earnedMinor);
  return tooMuch || terms.lines.length === 0 ? refuse('REFUND_EXCEEDS_SERVICE') : accept(terms);
}

/** Returns what a refund of these services proposes: what they earn, and at most what is still paid. */
export function refundOfLines(order: Order, lineIds: readonly string[]): number {
  const earnedMinor = chosenPrices(order, lineIds).reduce((sum, price) => sum + Math.max(0, price.earnedMinor), 0);
  return Math.max(0, Math.min(totals(order).paidMinor, earnedMinor));
}

/** Returns the default method of a refund: the one that holds most of the amount still paid. */
export function refundMethod({ payments }: Pick<Order, 'payments'>): PaymentMethod {
  const held = new Map<PaymentMethod, number>();
  for (const { method, amountMinor } of payments) held.set(method, (held.get(method) ?? 0) + amountMinor);
  const [most] = [...held].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 'cash';
}
