/** Takes payments. One transaction writes the payment, the printed invoice or receipt, and the invoice's number. */
import { paperOfInvoice } from '../../../domain/fiscal/papers.ts';
import { decidePayment } from '../../../domain/order/decisions.ts';
import { billedBy, lacksRecipient } from '../../../domain/order/billing.ts';
import type { Billed } from '../../../domain/order/billing.ts';
import { issueInvoice } from '../../../domain/order/issue-documents.ts';
import { receiptRows } from '../../../domain/order/printed-document.ts';
import type { Recipient } from '../../../domain/order/tax-document.ts';
import type { DocumentContext } from '../../../domain/order/printed-document.ts';
import { totals } from '../../../domain/order/totals.ts';
import type { Payment } from '../../../domain/order/order.ts';
import { minorToWire } from '../../../domain/money.ts';
import type { PaymentMethod } from '../../../domain/order/vocabulary.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { ClinicDatabase, DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { Write } from '../write.ts';
import type { CommandContext } from './context.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import type { OrderDraft } from './order-draft.ts';
import { storableText, textLimits } from './storable-text.ts';

interface Tender {
  method: PaymentMethod;
  tenderedMinor: number;
  /** Stored for methods other than cash. */
  reference?: string;
  /** Makes the invoice a full one. Without it a payment that asks for a full one has none. */
  recipient?: Recipient | undefined;
}

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
  const take = (write: Write, [draft, settings]: Awaited<ReturnType<typeof read>>) =>
    draft ? pay({ settings: write.issuing(settings), ...print }, write, draft, tender) : refuse('ORDER_NOT_FOUND');
  return commit(context, paymentTables(db), take, read);
}

function pay(
  context: DocumentContext,
  write: Write,
  draft: OrderDraft,
  { method, tenderedMinor, reference, recipient: asked }: Tender,
): Result<PaymentOutcome> {
  const recipient = context.settings.tax_profile === 'none' ? undefined : asked;
  const before = draft.order!;
  const decision = decidePayment(before, { method, tenderedMinor });
  if (!decision.ok) return decision;
  const { amountMinor, changeMinor, clears } = decision.value;
  const billed = lacksRecipient(context.settings, before, recipient)
    ? null
    : billedBy(context.settings, before, decision.value);

  const payment: Payment = {
    paymentId: write.newId(),
    opId: '',
    method,
    amountMinor,
    tenderedMinor,
    changeMinor,
    reference: (method === 'cash' ? undefined : storableText(reference, textLimits.reference)) ?? '',
    creditNoteNumber: null,
    creditNote: null,
    reason: '',
    refundedLines: [],
    allowances: [],
    reductionMinor: 0,
    isStillOwed: false,
    actorId: 0,
    deviceId: 0,
    atMs: write.effectiveMs,
  };
  const issue = (bill: Billed) =>
    issueInvoice(context, {
      ...bill,
      invoiceId: write.newId(),
      number: write.nextNumber(recipient ? 'full_invoice' : 'invoice'),
      issuedAtMs: write.effectiveMs,
      order: before,
      payment,
      recipient,
    });
  const invoice = billed ? issue(billed) : undefined;
  const order = record(write, draft, 'order.pay', {
    order_id: draft.id,
    payment_id: payment.paymentId,
    payment_method: method,
    amount: minorToWire(amountMinor),
    tendered: minorToWire(tenderedMinor),
    change: minorToWire(changeMinor),
    ...(payment.reference && { reference_number: payment.reference }),
    ...(invoice && { invoice }),
  });
  if (invoice) write.appendRecord(paperOfInvoice(draft.tail!, invoice), context.settings);
  const document: DocumentRow = {
    id: invoice?.invoice_id ?? payment.paymentId,
    kind: invoice ? 'invoice' : 'receipt',
    order_id: draft.id,
    number: invoice?.invoice_number ?? null,
    issued_at: new Date(write.effectiveMs).toISOString(),
    printed: invoice?.printed ?? receiptRows(context, { order, payment }),
    invoice: invoice ?? null,
    prints: 0,
  };
  save(write, draft);
  write.put(write.db.documents, document);
  return accept({
    orderId: draft.id,
    orderNumber: order.number,
    method,
    amountMinor,
    tenderedMinor,
    changeMinor,
    balanceMinor: totals(order).balanceMinor,
    completed: clears,
    document,
  });
}
