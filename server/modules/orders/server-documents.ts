/** Documents that the server itself issues, for requests that carry none. */
import type { AgreedPayment } from '../../../domain/order/decisions.ts';
import type { Billed } from '../../../domain/order/billing.ts';
import { issueInvoice } from '../../../domain/order/issue-documents.ts';
import type { InvoicePayload, Order } from '../../../domain/order/order.ts';
import type { DocumentContext } from '../../../domain/order/printed-document.ts';
import type { Recipient } from '../../../domain/order/tax-document.ts';
import type { PaymentMethod } from '../../../domain/order/vocabulary.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { WriteContext } from '../../context.ts';
import { documentLabels, documentLanguage } from '../../translations.ts';
import { nextServerNumber } from '../devices/service.ts';

/** Returns the context of a document that no counter prints. */
export const serverDocument = (settings: ClinicSettings): DocumentContext => ({
  settings,
  language: documentLanguage,
  labels: documentLabels,
  cashierName: '',
});

export async function serverInvoice(
  context: WriteContext,
  settings: ClinicSettings,
  {
    order,
    method,
    decision,
    paymentId,
    reference,
    notes,
    lines,
    advanceMinor,
    recipient,
  }: Billed & {
    order: Order;
    method: PaymentMethod;
    decision: AgreedPayment;
    paymentId: string;
    reference: string;
    notes: string;
    recipient: Recipient | undefined;
  },
): Promise<InvoicePayload> {
  const { userId, atMs, newId } = context;
  const payment = {
    paymentId,
    opId: '',
    method,
    reference,
    actorId: userId,
    deviceId: 0,
    atMs,
    creditNoteNumber: null,
    creditNote: null,
    reason: '',
    refundedLines: [],
    allowances: [],
    reductionMinor: 0,
    isStillOwed: false,
    amountMinor: decision.amountMinor,
    tenderedMinor: decision.tenderedMinor,
    changeMinor: decision.changeMinor,
  };
  return issueInvoice(serverDocument(settings), {
    invoiceId: newId(),
    number: await nextServerNumber(context, settings, recipient ? 'full_invoice' : 'invoice'),
    issuedAtMs: atMs,
    order,
    lines,
    advanceMinor,
    recipient,
    payment,
    notes,
  });
}
