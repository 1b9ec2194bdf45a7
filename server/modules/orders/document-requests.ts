/** Completes the requests that issue documents: payments, invoices, cancels and refunds (`requests.ts`). */
import type { z } from 'zod';
import { minorFromWire } from '#domain/money.ts';
import { composeCancel, composeInvoice, composePayment, composeRefund } from '#domain/order/compose-documents.ts';
import { refundMethod } from '#domain/order/decisions.ts';
import type { CancelPayload, OrderInvoicePayload, PayPayload, RefundPayload } from '#domain/order/operations.ts';
import { recipientProblems, tidyRecipient } from '#domain/tax/recipient.ts';
import type { Recipient } from '#domain/tax/document.ts';
import type {
  invoiceBodySchema,
  payBodySchema,
  refundBodySchema,
  statusBodySchema,
} from '#domain/order/body-schemas.ts';
import { refundTerms, termsToWire, withReduction } from '#domain/order/refund-terms.ts';
import type { RefundWish } from '#domain/order/refund-terms.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { WriteContext } from '#server/context.ts';
import { issueContext, numbered, requestedOrder } from './composing.ts';

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
  const { payment_id, amount, tendered, change, payment_method, reference_number, notes } = body;
  if (payment_id !== undefined && tendered !== undefined && change !== undefined && amount >= 0) {
    const invoice = body.invoice && { ...body.invoice, notes: body.invoice.notes ?? notes };
    return accept({
      order_id: orderId,
      payment_method,
      reference_number,
      payment_id,
      amount,
      tendered,
      change,
      invoice,
    });
  }
  const order = await requestedOrder(context, orderId);
  if (!order.ok) return order;
  const recipient = requestedRecipient(settings, body.recipient);
  if (!recipient.ok) return recipient;
  const composed = composePayment(issueContext(context, settings, order.value), order.value, {
    method: payment_method,
    tenderedMinor: minorFromWire(amount),
    reference: reference_number,
    recipient: recipient.value,
    notes,
    paymentId: payment_id,
  });
  return numbered(context, settings, composed);
}

/** Checks a recipient as the counter does. Without a tax profile there is none. */
export function requestedRecipient(
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
  const order = await requestedOrder(context, orderId);
  if (!order.ok) return order;
  const recipient = requestedRecipient(settings, typed);
  if (!recipient.ok) return recipient;
  const request = { recipient: recipient.value, replaces };
  return numbered(
    context,
    settings,
    composeInvoice(issueContext(context, settings, order.value), order.value, request),
  );
}

export async function completeCancel(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  { notes, credit_note_number, credit_note }: StatusBody,
): Promise<Result<CancelPayload>> {
  if (credit_note) return accept({ order_id: orderId, status: 'cancelled', notes, credit_note_number, credit_note });
  const order = await requestedOrder(context, orderId);
  if (!order.ok) return order;
  return numbered(
    context,
    settings,
    composeCancel(issueContext(context, settings, order.value), order.value, { notes }),
  );
}

export async function completeRefund(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: RefundBody,
): Promise<Result<RefundPayload>> {
  const { amount, reason, reduction, refund_id, payment_method, credit_note_number, credit_note, still_owed } = body;
  const fact =
    refund_id !== undefined && payment_method !== undefined && credit_note_number !== undefined
      ? { order_id: orderId, amount, reason, still_owed, refund_id, payment_method, credit_note_number, credit_note }
      : null;
  const agreed = agreedRefund(body);
  if (fact && agreed) return accept({ ...fact, ...agreed });
  const order = await requestedOrder(context, orderId);
  if (!order.ok) return order;
  const wish = refundWish(body);
  const { amountMinor } = wish;
  const reductionMinor = reduction === undefined ? undefined : minorFromWire(reduction);
  if (fact) {
    const terms = withReduction(order.value, refundTerms(order.value, wish), { amountMinor, reductionMinor });
    return accept({ ...fact, ...termsToWire(terms) });
  }
  const composed = composeRefund(issueContext(context, settings, order.value), order.value, {
    ...wish,
    method: payment_method ?? refundMethod(order.value),
    reason,
    reductionMinor,
    refundId: refund_id,
  });
  return numbered(context, settings, composed);
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
