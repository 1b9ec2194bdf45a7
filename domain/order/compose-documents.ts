/**
 * Composes what issues documents: payments, invoices, cancels and refunds, each with its document. `compose.ts` says who
 * calls it, and composes the treatments themselves.
 */
import { businessDay } from '../business-day.ts';
import { minorToWire } from '../money.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import { mustNotInvoice } from '../settings/verifactu.ts';
import { billedBy, decideInvoice, lacksRecipient } from './billing.ts';
import type { Composed } from './compose.ts';
import { decideCancel, decideExchange, decidePayment, decideRefund } from './decisions.ts';
import type { RequestedRefund } from './decisions.ts';
import { cancelNote, exchangeInvoice, issueCreditNote, issueInvoice } from './issue-documents.ts';
import { cancelSeries, creditNoteSeries } from './issue-tax.ts';
import { paymentOf } from './operations.ts';
import type { CancelPayload, OrderInvoicePayload, PayPayload, RefundPayload } from './operations.ts';
import type { Order } from './order.ts';
import type { DocumentContext } from './document-writer.ts';
import { termsToWire, withReduction } from './refund-terms.ts';
import { isInvoiced } from './tax-totals.ts';
import type { Recipient } from '../tax/document.ts';
import type { PaymentMethod } from './vocabulary.ts';

/** How documents are issued: by which settings, in which words, when, and with which ids. */
export interface IssueContext extends DocumentContext {
  atMs: number;
  newId: () => string;
}

/** True on a day on which the clinic issues nothing: money is taken all the same, and its invoice waits. */
export const issuesNothing = ({ settings, atMs }: Pick<IssueContext, 'settings' | 'atMs'>): boolean =>
  mustNotInvoice(settings, businessDay(atMs, settings.time_zone));

export interface RequestedPayment {
  method: PaymentMethod;
  tenderedMinor: number;
  /** Kept for methods other than cash. */
  reference?: string | undefined;
  /** Makes the invoice a full one. Without it a payment that asks for a full one has none. */
  recipient?: Recipient | undefined;
  /** Stand on the invoice that the payment issues. */
  notes?: string | undefined;
  paymentId?: string | undefined;
}

export function composePayment(
  context: IssueContext,
  order: Order,
  { method, tenderedMinor, reference, recipient: asked, notes, paymentId }: RequestedPayment,
): Result<Composed<PayPayload>> {
  const { settings, atMs, newId } = context;
  const decision = decidePayment(order, { method, tenderedMinor });
  if (!decision.ok) return decision;
  const payload: PayPayload = {
    order_id: order.id,
    payment_id: paymentId ?? newId(),
    payment_method: method,
    amount: minorToWire(decision.value.amountMinor),
    tendered: minorToWire(tenderedMinor),
    change: minorToWire(decision.value.changeMinor),
    ...(method !== 'cash' && reference && { reference_number: reference }),
  };
  const recipient = namedRecipient(context, asked);
  const waits = issuesNothing(context) || lacksRecipient(settings, order, recipient);
  const billed = waits ? null : billedBy(settings, order, decision.value);
  if (!billed) return accept({ series: null, payload });
  const payment = paymentOf(payload, { opId: '', actorId: 0, deviceId: 0, atMs });
  return accept({
    series: invoiceSeries(recipient),
    payload: (number) => ({
      ...payload,
      invoice: issueInvoice(context, { ...billed, ...issueOf(context, order), number, payment, recipient, notes }),
    }),
  });
}

export interface RequestedInvoice {
  recipient?: Recipient | undefined;
  /** The number of the simplified invoice that a full one takes the place of; absent to bill what is not invoiced. */
  replaces?: string | undefined;
}

/** Composes an invoice that no payment issues. Under a tax profile the one with a recipient is a full one. */
export function composeInvoice(
  context: IssueContext,
  order: Order,
  { recipient: asked, replaces }: RequestedInvoice,
): Result<Composed<OrderInvoicePayload>> {
  const { settings } = context;
  if (issuesNothing(context)) return refuse('VERIFACTU_REQUIRED');
  const recipient = namedRecipient(context, asked);
  if (replaces !== undefined) return composeExchange(context, order, replaces, recipient);
  const billed = decideInvoice(settings, order);
  if (!billed.ok) return billed;
  if (lacksRecipient(settings, order, recipient)) return refuse('RECIPIENT_REQUIRED');
  return accept({
    series: invoiceSeries(recipient),
    payload: (number) => ({
      order_id: order.id,
      invoice: issueInvoice(context, {
        ...billed.value,
        ...issueOf(context, order),
        number,
        payment: null,
        recipient,
      }),
    }),
  });
}

function composeExchange(
  context: IssueContext,
  order: Order,
  replaces: string,
  recipient: Recipient | undefined,
): Result<Composed<OrderInvoicePayload>> {
  if (context.settings.tax_profile === 'none') return refuse('NOT_EXCHANGEABLE');
  if (!recipient) return refuse('RECIPIENT_REQUIRED');
  const replaced = decideExchange(order, replaces);
  if (!replaced.ok) return replaced;
  return accept({
    series: 'full_invoice',
    payload: (number) => ({
      order_id: order.id,
      invoice: exchangeInvoice(context, {
        ...issueOf(context, order),
        number,
        invoice: replaced.value,
        recipient,
      }),
    }),
  });
}

/** Without a tax profile there are no full invoices, and nobody is named on one. */
const namedRecipient = ({ settings }: IssueContext, asked: Recipient | undefined): Recipient | undefined =>
  settings.tax_profile === 'none' ? undefined : asked;

const invoiceSeries = (recipient: Recipient | undefined) => (recipient ? 'full_invoice' : 'invoice');

const issueOf = ({ atMs, newId }: IssueContext, order: Order) => ({ invoiceId: newId(), issuedAtMs: atMs, order });

/** The cancel of an invoiced treatment has the credit note that takes the invoice back. */
export function composeCancel(
  context: IssueContext,
  order: Order,
  { notes }: { notes?: string | undefined },
): Result<Composed<CancelPayload>> {
  const decision = decideCancel(order);
  if (!decision.ok) return decision;
  const payload: CancelPayload = { order_id: order.id, status: 'cancelled', ...(notes !== undefined && { notes }) };
  const series = cancelSeries(order);
  if (!series) return accept({ series, payload });
  if (issuesNothing(context)) return refuse('VERIFACTU_REQUIRED');
  return accept({
    series,
    payload: (number) => {
      const { note } = cancelNote(context, { number, order, issuedAtMs: context.atMs, reason: notes ?? '' });
      return { ...payload, credit_note_number: number, credit_note: note };
    },
  });
}

export interface RefundRequest extends RequestedRefund {
  method: PaymentMethod;
  /** A stated reduction holds, within the bounds that the terms leave. */
  reductionMinor?: number | undefined;
  refundId?: string | undefined;
}

export function composeRefund(
  context: IssueContext,
  order: Order,
  request: RefundRequest,
): Result<Composed<RefundPayload>> {
  const { amountMinor, method, reason, isStillOwed, reductionMinor, refundId } = request;
  const decision = decideRefund(order, request);
  if (!decision.ok) return decision;
  // Money that no invoice bills goes back without a corrective invoice.
  if (issuesNothing(context) && isInvoiced(order)) return refuse('VERIFACTU_REQUIRED');
  const terms = withReduction(order, decision.value, { amountMinor, reductionMinor });
  const { atMs, newId } = context;
  return accept({
    series: creditNoteSeries(order, { amountMinor, ...terms }),
    payload: (number) => ({
      order_id: order.id,
      refund_id: refundId ?? newId(),
      payment_method: method,
      amount: minorToWire(amountMinor),
      reason,
      credit_note_number: number,
      ...termsToWire(terms),
      ...(isStillOwed && { still_owed: true as const }),
      credit_note: issueCreditNote(context, { number, issuedAtMs: atMs, order, amountMinor, method, reason, terms }),
    }),
  });
}
