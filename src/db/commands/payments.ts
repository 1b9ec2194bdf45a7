/** Takes payments. One transaction writes the payment, the printed invoice or receipt, and the invoice's number. */
import { documentOfInvoice } from '#domain/fiscal/documents.ts';
import { composePayment } from '#domain/order/compose-documents.ts';
import type { IssueContext, RequestedPayment } from '#domain/order/compose-documents.ts';
import { receiptRows } from '#domain/order/printed-document.ts';
import { totals } from '#domain/order/totals.ts';
import type { Order, Payment } from '#domain/order/order.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicDatabase, DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { Write } from '../write.ts';
import { issueContext, numbered } from './context.ts';
import type { CommandContext } from './context.ts';
import { invoiceDocument } from './documents.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import type { OrderDraft } from './order-draft.ts';
import { recipientTables, rememberRecipient } from './patients.ts';
import { textLimits } from '#domain/limits.ts';
import { isoOf } from '#domain/instant.ts';
import { storableText } from './storable-text.ts';

type Tender = Pick<RequestedPayment, 'method' | 'tenderedMinor' | 'reference' | 'recipient'>;

export interface PaymentOutcome {
  orderId: string;
  orderNumber: string;
  method: PaymentMethod;
  /** The part of `tenderedMinor` that counts towards the treatment. */
  amountMinor: number;
  tenderedMinor: number;
  changeMinor: number;
  /** The amount still due. */
  balanceMinor: number;
  completed: boolean;
  document: DocumentRow;
}

const paymentTables = (db: ClinicDatabase) => [...orderTables(db), db.documents, db.settings];

export function takePayment(
  context: CommandContext,
  { orderId, ...tender }: Tender & { orderId: string },
): Promise<Result<PaymentOutcome>> {
  const { db, print } = context;
  const read = () => Promise.all([openOrder({ db }, orderId), clinicSettings(db)]);
  const { recipient } = tender;
  const take = (write: Write, [draft, settings]: Awaited<ReturnType<typeof read>>) => {
    if (!draft) return refuse('ORDER_NOT_FOUND');
    const outcome = pay(issueContext(write, settings, print), write, draft, tender);
    return recipient && outcome.ok && outcome.value.document.invoice?.recipient
      ? rememberRecipient(write, draft.order!.patientId, recipient).then(() => outcome)
      : outcome;
  };
  return commit(context, [...paymentTables(db), ...(recipient ? recipientTables(db) : [])], take, read);
}

function pay(
  context: IssueContext,
  write: Write,
  draft: OrderDraft,
  { reference, ...tender }: Tender,
): Result<PaymentOutcome> {
  const stored = storableText(reference, textLimits.reference);
  const composed = composePayment(context, draft.order!, { ...tender, reference: stored });
  if (!composed.ok) return composed;
  const payload = numbered(write, composed.value);
  const order = record(write, draft, 'order.pay', payload);
  const { invoice } = payload;
  if (invoice) write.appendRecord(documentOfInvoice(draft.tail!, invoice), context.settings);
  const payment = order.payments.find(({ paymentId }) => paymentId === payload.payment_id)!;
  const document = invoice ? invoiceDocument(draft.id, invoice) : receiptDocument(context, order, payment);
  save(write, draft);
  write.put(write.db.documents, document);
  const { method, amountMinor, tenderedMinor, changeMinor } = payment;
  const { balanceMinor } = totals(order);
  return accept({
    orderId: draft.id,
    orderNumber: order.number,
    method,
    amountMinor,
    tenderedMinor,
    changeMinor,
    balanceMinor,
    completed: balanceMinor === 0,
    document,
  });
}

const receiptDocument = (context: IssueContext, order: Order, payment: Payment): DocumentRow => ({
  id: payment.paymentId,
  kind: 'receipt',
  order_id: order.id,
  number: null,
  issued_at: isoOf(context.atMs),
  printed: receiptRows(context, { order, payment }),
  invoice: null,
  prints: 0,
});
