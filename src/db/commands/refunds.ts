/**
 * Refunds treatments. One transaction writes the refund, the printed credit note and its number. A refund returns no
 * supplies to stock.
 */
import { documentOfCreditNote } from '#domain/fiscal/documents.ts';
import { composeRefund } from '#domain/order/compose-documents.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { Order } from '#domain/order/order.ts';
import type { OrderStatus, PaymentMethod } from '#domain/order/vocabulary.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import { issueContext, numbered } from './context.ts';
import type { CommandContext } from './context.ts';
import { creditNoteDocument } from './documents.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import { textLimits } from '#domain/limits.ts';
import { storableText } from './storable-text.ts';

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
    const [draft, settings] = await Promise.all([openOrder(write, orderId, fetched), clinicSettings(db)]);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const issuing = issueContext(write, settings, print);
    const stored = storableText(reason, textLimits.reason) ?? '';
    const composed = composeRefund(issuing, draft.order, { amountMinor, method, reason: stored, lineIds, isStillOwed });
    if (!composed.ok) return composed;
    const payload = numbered(write, composed.value);
    const order = record(write, draft, 'order.refund', payload);
    const issued = { number: payload.credit_note_number, note: payload.credit_note! };
    write.appendRecord(documentOfCreditNote(draft.tail!, issued), issuing.settings);
    const document = creditNoteDocument(payload.refund_id, orderId, issued);
    save(write, draft);
    write.put(db.documents, document);
    const { paidMinor, balanceMinor } = totals(order);
    return accept({
      orderId,
      number: issued.number,
      amountMinor,
      method,
      status: statusOf(order),
      paidMinor,
      balanceMinor,
      document,
      language: issued.note.language,
    });
  });
}
