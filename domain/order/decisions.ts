/**
 * What may be done to a treatment, decided before it becomes a fact: by the tablet when a person acts, and by the server
 * when a REST call asks. Each returns what the operation's payload needs, or a refusal that a person can read.
 * Money is minor units, quantities are thousandths.
 */
import { maxMinor } from '../money.ts';
import { isReasonTooShort } from '../reason.ts';
import { maxMilli } from '../quantity.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import { statusOf, totals, uninvoicedLines } from './order.ts';
import type { Order, OrderLine } from './order.ts';
import type { PaymentMethod } from './vocabulary.ts';

/** What can be sold: a stock item or a product, with its price as of now. */
export interface Sellable {
  type: 'stock' | 'product';
  id: number;
  name: string;
  priceMinor: number;
  isAvailable: boolean;
}

export interface RequestedLine {
  lineId: string;
  sellable: Sellable | undefined;
  quantityMilli: number;
  notes?: string | undefined;
}

export type AgreedLine = Omit<OrderLine, 'opId'>;

/** A plan becomes lines at today's prices. A plan without services, or with one that cannot be sold, is refused. */
export function decideLines(requested: readonly RequestedLine[]): Result<AgreedLine[]> {
  if (requested.length === 0) return refuse('ORDER_EMPTY');
  const lines: AgreedLine[] = [];
  for (const { lineId, sellable, quantityMilli, notes } of requested) {
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
      notes: notes ?? '',
    });
  }
  return accept(lines);
}

/** Services may be added until a treatment is cancelled; added to a paid one they reopen it with a balance. */
export function decideAddedServices(order: Order, requested: readonly RequestedLine[]): Result<AgreedLine[]> {
  if (statusOf(order) === 'cancelled') return refuse('ORDER_CANCELLED');
  return decideLines(requested);
}

export function decideCancel(order: Order): Result<null> {
  if (statusOf(order) === 'cancelled') return refuse('ORDER_CANCELLED');
  if (totals(order).paidMinor !== 0) return refuse('ORDER_HAS_PAYMENTS');
  return accept(null);
}

export interface AgreedPayment {
  amountMinor: number;
  tenderedMinor: number;
  changeMinor: number;
  /** True when nothing is due afterwards: this payment issues the invoice. */
  clears: boolean;
  /** The lines that the invoice bills. */
  invoiceLines: OrderLine[];
}

/**
 * A payment of what was handed over. Change is given on cash only; by any other method no more than the balance can be
 * taken. A treatment that costs nothing is completed by a payment of nothing.
 */
export function decidePayment(
  order: Order,
  { method, tenderedMinor }: { method: PaymentMethod; tenderedMinor: number },
): Result<AgreedPayment> {
  const status = statusOf(order);
  if (status === 'cancelled') return refuse('ORDER_CANCELLED');
  if (status === 'completed') return refuse('ORDER_PAID');
  const { balanceMinor } = totals(order);
  if (!Number.isInteger(tenderedMinor) || tenderedMinor < 0 || tenderedMinor > maxMinor)
    return refuse('AMOUNT_INVALID');
  if (tenderedMinor === 0 && balanceMinor > 0) return refuse('AMOUNT_INVALID');
  if (method !== 'cash' && tenderedMinor > balanceMinor) return refuse('AMOUNT_EXCEEDS_BALANCE');
  const amountMinor = Math.min(tenderedMinor, balanceMinor);
  const clears = amountMinor === balanceMinor;
  return accept({
    amountMinor,
    tenderedMinor,
    changeMinor: tenderedMinor - amountMinor,
    clears,
    invoiceLines: clears ? uninvoicedLines(order) : [],
  });
}

export interface RequestedRefund {
  amountMinor: number;
  reason: string;
  /** The services that it is about, where it is about some in particular. */
  lineIds?: readonly string[] | undefined;
}

/** A refund gives back at most what stays paid, and says why. @returns the services that it is about */
export function decideRefund(
  order: Order,
  { amountMinor, reason, lineIds = [] }: RequestedRefund,
): Result<OrderLine[]> {
  if (!Number.isInteger(amountMinor) || amountMinor <= 0) return refuse('AMOUNT_INVALID');
  if (amountMinor > totals(order).paidMinor) return refuse('REFUND_EXCEEDS_PAYMENTS');
  if (isReasonTooShort(reason)) return refuse('REASON_REQUIRED');
  return accept(order.lines.filter(({ lineId }) => lineIds.includes(lineId)));
}

/** How money goes back unless somebody chooses otherwise: by the method that holds most of what stays paid. */
export function refundMethod({ payments }: Pick<Order, 'payments'>): PaymentMethod {
  const held = new Map<PaymentMethod, number>();
  for (const { method, amountMinor } of payments) held.set(method, (held.get(method) ?? 0) + amountMinor);
  const [most] = [...held].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? 'cash';
}
