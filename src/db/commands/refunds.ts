/**
 * Giving money back. The refund, the credit note as it will be printed, and its number are one fact: they are written
 * together or not at all. Supplies that were used stay used, whatever is refunded.
 */
import { issueCreditNote } from '../../../domain/order/issue-documents.ts';
import { decideRefund } from '../../../domain/order/decisions.ts';
import { statusOf, totals } from '../../../domain/order/order.ts';
import type { Order } from '../../../domain/order/order.ts';
import type { OrderStatus, PaymentMethod } from '../../../domain/order/vocabulary.ts';
import { minorToWire } from '../../../domain/money.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { CommandContext } from './context.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import { storableText, textLimits } from './storable-text.ts';

export interface Refund {
  orderId: string;
  amountMinor: number;
  method: PaymentMethod;
  /** At least 3 characters; it stands on the credit note. */
  reason: string;
  /** The services that it is about, where it is about some in particular. */
  lineIds?: string[];
  /** The treatment as the server just told of it, where this device does not have it. */
  foreign?: Order | null;
}

export interface RefundOutcome {
  orderId: string;
  number: string;
  amountMinor: number;
  method: PaymentMethod;
  /** What the treatment is now: a full refund cancels it (SYNC-11). */
  status: OrderStatus;
  /** What stays paid. */
  paidMinor: number;
  document: DocumentRow;
  /** Of the paper. */
  language: string;
}

/** Whoever calls has made sure that a manager acts; the server does so again. */
export function refundTreatment(
  context: CommandContext,
  { orderId, amountMinor, method, reason, lineIds, foreign }: Refund,
): Promise<Result<RefundOutcome>> {
  const { db, print } = context;
  return commit(context, [...orderTables(db), db.documents, db.settings], async (write) => {
    const draft = await openOrder(write, orderId, foreign);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const words = storableText(reason, textLimits.reason) ?? '';
    const agreed = decideRefund(draft.order, { amountMinor, reason: words, lineIds });
    if (!agreed.ok) return agreed;
    const lines = agreed.value;
    const number = write.nextNumber('credit_note');
    const creditNote = issueCreditNote(
      { settings: await clinicSettings(write.db), ...print },
      { number, issuedAtMs: write.effectiveMs, order: draft.order, amountMinor, method, reason: words, lines },
    );
    const refundId = write.newId();
    const order = record(write, draft, 'order.refund', {
      order_id: orderId,
      refund_id: refundId,
      payment_method: method,
      amount: minorToWire(amountMinor),
      reason: words,
      credit_note_number: number,
      ...(lines.length > 0 && { line_ids: lines.map(({ lineId }) => lineId) }),
      credit_note: creditNote,
    });
    const { issued_at, printed, language } = creditNote;
    const document: DocumentRow = {
      id: refundId,
      kind: 'credit_note',
      order_id: orderId,
      number,
      issued_at,
      printed,
      invoice: null,
      prints: 0,
    };
    await Promise.all([save(write, draft), write.db.documents.add(document)]);
    return accept({
      orderId,
      number,
      amountMinor,
      method,
      status: statusOf(order),
      paidMinor: totals(order).paidMinor,
      document,
      language,
    });
  });
}
