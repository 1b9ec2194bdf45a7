/** Completes the requests that issue documents: payments, invoices, cancels and refunds (`requests.ts`). */
import type { z } from 'zod';
import { minorFromWire, minorToWire } from '../../../domain/money.ts';
import { billedBy, decideInvoice, lacksRecipient } from '../../../domain/order/billing.ts';
import type { Billed } from '../../../domain/order/billing.ts';
import {
  decideCancel,
  decideExchange,
  decidePayment,
  decideRefund,
  refundMethod,
} from '../../../domain/order/decisions.ts';
import { cancelNote, exchangeInvoice, issueCreditNote, issueInvoice } from '../../../domain/order/issue-documents.ts';
import { cancelSeries, creditNoteSeries } from '../../../domain/order/issue-tax.ts';
import type {
  CancelPayload,
  OrderInvoicePayload,
  PayPayload,
  RefundPayload,
} from '../../../domain/order/operations.ts';
import { recipientProblems, tidyRecipient } from '../../../domain/order/recipient.ts';
import type { Recipient } from '../../../domain/order/tax-document.ts';
import { totals } from '../../../domain/order/totals.ts';
import type { Order } from '../../../domain/order/order.ts';
import type {
  invoiceBodySchema,
  payBodySchema,
  refundBodySchema,
  statusBodySchema,
} from '../../../domain/order/schemas.ts';
import { refundTerms, termsToWire, withAllowances } from '../../../domain/order/refund-terms.ts';
import type { RefundTerms, RefundWish } from '../../../domain/order/refund-terms.ts';
import { isValid, problemMessages } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { WriteContext } from '../../context.ts';
import { nextServerNumber } from '../devices/service.ts';
import { serverDocument, serverInvoice } from './server-documents.ts';
import { loadOrders } from './store.ts';

type PayBody = z.infer<typeof payBodySchema>;
type RefundBody = z.infer<typeof refundBodySchema>;
type StatusBody = z.infer<typeof statusBodySchema>;
type InvoiceBody = z.infer<typeof invoiceBodySchema>;

export async function completePay(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: PayBody,
): Promise<Result<PayPayload>> {
  const { payment_id, tendered, change, payment_method, reference_number, notes } = body;
  const shared = { order_id: orderId, payment_method, reference_number };
  if (payment_id !== undefined && tendered !== undefined && change !== undefined && body.amount >= 0) {
    const invoice = body.invoice && { ...body.invoice, notes: body.invoice.notes ?? notes };
    return accept({ ...shared, payment_id, amount: body.amount, tendered, change, invoice });
  }
  const order = (await loadOrders(context.sql, context.clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const decision = decidePayment(order, { method: payment_method, tenderedMinor: minorFromWire(body.amount) });
  if (!decision.ok) return decision;
  const { amountMinor, tenderedMinor, changeMinor } = decision.value;
  const asked = requestedRecipient(settings, body.recipient);
  if (!asked.ok) return asked;
  const recipient = asked.value;
  const billed = lacksRecipient(settings, order, recipient) ? null : billedBy(settings, order, decision.value);
  const paymentId = payment_id ?? context.newId();
  const reference = payment_method === 'cash' ? undefined : reference_number;
  const issue = (bill: Billed) =>
    serverInvoice(context, settings, {
      ...bill,
      order,
      method: payment_method,
      decision: decision.value,
      paymentId,
      reference: reference ?? '',
      notes: notes ?? '',
      recipient,
    });
  return accept({
    ...shared,
    reference_number: reference,
    payment_id: paymentId,
    amount: minorToWire(amountMinor),
    tendered: minorToWire(tenderedMinor),
    change: minorToWire(changeMinor),
    invoice: billed ? await issue(billed) : undefined,
  });
}

/** Checks a recipient as the counter does. Without a tax profile there is none. */
function requestedRecipient(
  { tax_profile }: ClinicSettings,
  typed: Recipient | undefined,
): Result<Recipient | undefined> {
  if (tax_profile === 'none' || !typed) return accept(undefined);
  const recipient = tidyRecipient(typed);
  const problems = recipientProblems(recipient);
  if (isValid(problems)) return accept(recipient);
  const details = Object.entries(problemMessages(problems)).map(([field, text]) => [`recipient.${field}`, text]);
  return refuse('VALIDATION', Object.fromEntries(details) as Record<string, string>);
}

export async function completeInvoice(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  { invoice, recipient: typed, replaces }: InvoiceBody,
): Promise<Result<OrderInvoicePayload>> {
  if (invoice) return accept({ order_id: orderId, invoice });
  const { sql, clinicId, atMs, newId } = context;
  const order = (await loadOrders(sql, clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const asked = requestedRecipient(settings, typed);
  if (!asked.ok) return asked;
  const recipient = asked.value;
  const isTaxed = settings.tax_profile !== 'none';
  const paper = serverDocument(settings);
  const issued = async (full: boolean) => ({
    invoiceId: newId(),
    number: await nextServerNumber(context, settings, full ? 'full_invoice' : 'invoice'),
    issuedAtMs: atMs,
    order,
  });
  if (replaces !== undefined) {
    if (!isTaxed) return refuse('NOT_EXCHANGEABLE');
    if (!recipient) return refuse('RECIPIENT_REQUIRED');
    const replaced = decideExchange(order, replaces);
    if (!replaced.ok) return replaced;
    const exchanged = exchangeInvoice(paper, { ...(await issued(true)), invoice: replaced.value, recipient });
    return accept({ order_id: orderId, invoice: exchanged });
  }
  const billed = decideInvoice(settings, order);
  if (!billed.ok) return billed;
  if (lacksRecipient(settings, order, recipient)) return refuse('RECIPIENT_REQUIRED');
  const content = { ...(await issued(recipient !== undefined)), ...billed.value, payment: null, recipient };
  return accept({ order_id: orderId, invoice: issueInvoice(paper, content) });
}

export async function completeCancel(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  { notes, credit_note_number, credit_note }: StatusBody,
): Promise<Result<CancelPayload>> {
  const shared = { order_id: orderId, status: 'cancelled' as const, notes };
  if (credit_note) return accept({ ...shared, credit_note_number, credit_note });
  const { sql, clinicId, atMs } = context;
  const order = (await loadOrders(sql, clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const decision = decideCancel(order);
  if (!decision.ok) return decision;
  const series = cancelSeries(order);
  if (!series) return accept(shared);
  const number = await nextServerNumber(context, settings, series);
  const content = { number, order, issuedAtMs: atMs, reason: notes ?? '' };
  const { note } = cancelNote(serverDocument(settings), content);
  return accept({ ...shared, credit_note_number: number, credit_note: note });
}

export async function completeRefund(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: RefundBody,
): Promise<Result<RefundPayload>> {
  const { amount, reason, refund_id, payment_method, credit_note_number, credit_note, still_owed } = body;
  const shared = { order_id: orderId, amount, reason, still_owed };
  const fact =
    refund_id !== undefined && payment_method !== undefined && credit_note_number !== undefined
      ? { ...shared, refund_id, payment_method, credit_note_number, credit_note }
      : null;
  const agreed = agreedRefund(body);
  if (fact && agreed) return accept({ ...fact, ...agreed });
  const { sql, clinicId, atMs, newId } = context;
  const order = (await loadOrders(sql, clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const wish = refundWish(body);
  if (fact) return accept({ ...fact, ...termsToWire(statedTerms(order, body, refundTerms(order, wish))) });
  const decided = decideRefund(order, { ...wish, reason });
  if (!decided.ok) return decided;
  const terms = statedTerms(order, body, decided.value);
  const method = payment_method ?? refundMethod(order);
  const refunded = terms.lines.map(({ line }) => line.lineId);
  const number = await nextServerNumber(context, settings, creditNoteSeries(order, refunded));
  const content = { number, issuedAtMs: atMs, order, amountMinor: wish.amountMinor, method, reason };
  return accept({
    ...shared,
    ...termsToWire(terms),
    refund_id: refund_id ?? newId(),
    payment_method: method,
    credit_note_number: number,
    credit_note: issueCreditNote(serverDocument(settings), { ...content, terms }),
  });
}

/** Returns the terms that a body states in full. */
function agreedRefund({
  lines = [],
  allowances,
  reduction,
  still_owed,
}: RefundBody): Pick<RefundPayload, 'lines' | 'allowances' | 'reduction'> | null {
  if (still_owed) return { reduction: 0 };
  const stated = lines.flatMap(({ line_id, amount }) => (amount === undefined ? [] : { line_id, amount }));
  if (reduction === undefined || stated.length < lines.length) return null;
  const statedMinor = stated.reduce((sum, { amount }) => sum + minorFromWire(amount), 0);
  if (!allowances && minorFromWire(reduction) > statedMinor) return null;
  return { reduction, allowances, ...(stated.length > 0 && { lines: stated }) };
}

const refundWish = ({ amount, lines = [], still_owed }: RefundBody): RefundWish => ({
  amountMinor: minorFromWire(amount),
  lineIds: lines.map(({ line_id }) => line_id),
  statedMinor: new Map(
    lines.flatMap((line) => (line.amount === undefined ? [] : [[line.line_id, minorFromWire(line.amount)]])),
  ),
  isStillOwed: still_owed,
});

/** A stated reduction holds, within the bounds that the terms leave. */
function statedTerms(order: Order, { amount, reduction }: RefundBody, terms: RefundTerms): RefundTerms {
  if (reduction === undefined) return terms;
  const linesMinor = terms.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const reductionMinor = Math.min(minorFromWire(amount), Math.max(linesMinor, minorFromWire(reduction)));
  return withAllowances(order, terms.lines, reductionMinor);
}

/** `GET /orders/{id}/payment-summary`. */
export interface PaymentSummary {
  total: number;
  reduction: number;
  owed: number;
  paid: number;
  balance: number;
}

export function paymentSummary(order: Order): PaymentSummary {
  const { totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor } = totals(order);
  return {
    total: minorToWire(totalMinor),
    reduction: minorToWire(reductionMinor),
    owed: minorToWire(owedMinor),
    paid: minorToWire(paidMinor),
    balance: minorToWire(balanceMinor),
  };
}
