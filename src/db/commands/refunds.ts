/**
 * Refunds treatments. One transaction writes the refund, the printed credit note and its number. A refund returns no
 * supplies to stock.
 */
import { paperOfCreditNote } from '../../../domain/fiscal/papers.ts';
import { issueCreditNote } from '../../../domain/order/issue-documents.ts';
import { creditNoteSeries } from '../../../domain/order/issue-tax.ts';
import { decideRefund } from '../../../domain/order/decisions.ts';
import { termsToWire } from '../../../domain/order/refund-terms.ts';
import { statusOf, totals } from '../../../domain/order/totals.ts';
import type { CreditNotePayload, Order } from '../../../domain/order/order.ts';
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
  /** At least 3 characters; printed on the credit note. */
  reason: string;
  /** The refunded services; absent for a refund of the treatment as a whole. */
  lineIds?: string[] | undefined;
  /** True for money that was taken by mistake: the treatment is still to be paid. */
  isStillOwed?: boolean | undefined;
  /** The treatment as just fetched from the server, when this device doesn't have it. */
  fetched?: Order | null;
}

export interface RefundOutcome {
  orderId: string;
  number: string;
  amountMinor: number;
  method: PaymentMethod;
  /** The treatment's status after the refund: a full refund cancels it (SYNC-11). */
  status: OrderStatus;
  /** The amount that stays paid. */
  paidMinor: number;
  /** The amount that is then due; negative when overpaid. */
  balanceMinor: number;
  document: DocumentRow;
  language: string;
}

/** The caller ensures that a manager acts, and the server checks the role again. */
export function refundTreatment(
  context: CommandContext,
  { orderId, amountMinor, method, reason, lineIds, isStillOwed, fetched }: Refund,
): Promise<Result<RefundOutcome>> {
  const { db, print } = context;
  return commit(context, [...orderTables(db), db.documents, db.settings], async (write) => {
    const draft = await openOrder(write, orderId, fetched);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const stored = storableText(reason, textLimits.reason) ?? '';
    const decision = decideRefund(draft.order, { amountMinor, reason: stored, lineIds, isStillOwed });
    if (!decision.ok) return decision;
    const terms = decision.value;
    const number = write.nextNumber(
      creditNoteSeries(
        draft.order,
        terms.lines.map(({ line }) => line.lineId),
      ),
    );
    const settings = write.issuing(await clinicSettings(write.db));
    const content = { number, issuedAtMs: write.effectiveMs, order: draft.order, amountMinor, method, reason: stored };
    const creditNote = issueCreditNote({ settings, ...print }, { ...content, terms });
    const refundId = write.newId();
    const order = record(write, draft, 'order.refund', {
      order_id: orderId,
      refund_id: refundId,
      payment_method: method,
      amount: minorToWire(amountMinor),
      reason: stored,
      credit_note_number: number,
      ...termsToWire(terms),
      ...(isStillOwed && { still_owed: true as const }),
      credit_note: creditNote,
    });
    write.appendRecord(paperOfCreditNote(draft.tail!, { number, note: creditNote }), settings);
    const document = creditNoteDocument(refundId, orderId, { number, note: creditNote });
    save(write, draft);
    write.put(db.documents, document);
    const { paidMinor, balanceMinor } = totals(order);
    return accept({
      orderId,
      number,
      amountMinor,
      method,
      status: statusOf(order),
      paidMinor,
      balanceMinor,
      document,
      language: creditNote.language,
    });
  });
}

/** @param id of the refund, or of the operation that cancels the treatment */
export const creditNoteDocument = (
  id: string,
  orderId: string,
  { number, note: { issued_at, printed } }: { number: string; note: CreditNotePayload },
): DocumentRow => ({
  id,
  kind: 'credit_note',
  order_id: orderId,
  number,
  issued_at,
  printed,
  invoice: null,
  prints: 0,
});
