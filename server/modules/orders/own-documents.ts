/** What the server numbers and writes itself, for those who ask for a sale or a refund rather than report one. */
import type { AgreedPayment } from '../../../domain/order/decisions.ts';
import { issueInvoice } from '../../../domain/order/issue-documents.ts';
import { formatNumber, serverDeviceCode } from '../../../domain/order/numbers.ts';
import type { Series } from '../../../domain/order/numbers.ts';
import type { InvoicePayload, Order } from '../../../domain/order/order.ts';
import type { DocumentContext } from '../../../domain/order/printed-document.ts';
import type { PaymentMethod } from '../../../domain/order/vocabulary.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { documentLabels, documentLanguage } from '../../document-labels.ts';
import { clinicSettings } from '../clinics/service.ts';
import type { RequestContext } from './requests.ts';

/** The next number of the server's own series. The row stays locked until the sale is committed, so none is skipped or shared. */
export async function nextNumber(sql: Sql, clinicId: number, of: Series): Promise<string> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    `next ${of}`,
    `update device_codes set ${of} = ${of} + 1 where clinic_id = $1 and code = '${serverDeviceCode}' returning ${of} as count`,
    [clinicId],
  );
  return formatNumber(of, serverDeviceCode, row!.count);
}

/** Where nobody at a counter chose a language. */
export const serverDocument = async (sql: Sql, clinicId: number): Promise<DocumentContext> => ({
  settings: await clinicSettings(sql, clinicId),
  language: documentLanguage,
  labels: documentLabels,
  cashierName: '',
});

export async function serverInvoice(
  sql: Sql,
  { clinicId, receivedAtMs, actorId, newId }: RequestContext,
  {
    order,
    method,
    decision,
    paymentId,
    reference,
  }: { order: Order; method: PaymentMethod; decision: AgreedPayment; paymentId: string; reference: string },
): Promise<InvoicePayload> {
  const payment = {
    paymentId,
    opId: '',
    method,
    reference,
    actorId,
    deviceId: 0,
    atMs: receivedAtMs,
    creditNoteNumber: null,
    creditNote: null,
    reason: '',
    amountMinor: decision.amountMinor,
    tenderedMinor: decision.tenderedMinor,
    changeMinor: decision.changeMinor,
  };
  return issueInvoice(await serverDocument(sql, clinicId), {
    invoiceId: newId(),
    number: await nextNumber(sql, clinicId, 'invoice'),
    issuedAtMs: receivedAtMs,
    order,
    lines: decision.invoiceLines,
    payment,
  });
}
