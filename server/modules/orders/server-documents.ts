/** Numbers and documents that the server itself issues, for requests that carry none. */
import type { AgreedPayment } from '../../../domain/order/decisions.ts';
import { issueInvoice } from '../../../domain/order/issue-documents.ts';
import { serverDeviceCode } from '../../../domain/device.ts';
import { formatNumber } from '../../../domain/order/numbers.ts';
import type { Series } from '../../../domain/order/numbers.ts';
import type { InvoicePayload, Order } from '../../../domain/order/order.ts';
import type { DocumentContext } from '../../../domain/order/printed-document.ts';
import type { PaymentMethod } from '../../../domain/order/vocabulary.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { WriteContext } from '../../context.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { documentLabels, documentLanguage } from '../../translations.ts';

/**
 * Returns the next number of the server's own series. The row stays locked until the commit, so no number is skipped or
 * shared.
 */
export async function nextNumber(sql: Sql, clinicId: number, of: Series): Promise<string> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    `next ${of}`,
    `update device_codes set ${of} = ${of} + 1 where clinic_id = $1 and code = '${serverDeviceCode}' returning ${of} as count`,
    [clinicId],
  );
  return formatNumber(of, serverDeviceCode, row!.count);
}

/** Returns the context of a document that no counter prints. */
export const serverDocument = (settings: ClinicSettings): DocumentContext => ({
  settings,
  language: documentLanguage,
  labels: documentLabels,
  cashierName: '',
});

export async function serverInvoice(
  { sql, clinicId, userId, atMs, newId }: WriteContext,
  settings: ClinicSettings,
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
    actorId: userId,
    deviceId: 0,
    atMs,
    creditNoteNumber: null,
    creditNote: null,
    reason: '',
    amountMinor: decision.amountMinor,
    tenderedMinor: decision.tenderedMinor,
    changeMinor: decision.changeMinor,
  };
  return issueInvoice(serverDocument(settings), {
    invoiceId: newId(),
    number: await nextNumber(sql, clinicId, 'invoice'),
    issuedAtMs: atMs,
    order,
    lines: decision.invoiceLines,
    payment,
  });
}
