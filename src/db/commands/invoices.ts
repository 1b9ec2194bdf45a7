/** Issues invoices that no payment issues. One transaction writes the operation, the printed invoice and its number. */
import { documentOfInvoice } from '#domain/fiscal/documents.ts';
import { composeInvoice } from '#domain/order/compose-documents.ts';
import type { RequestedInvoice } from '#domain/order/compose-documents.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import { issueContext, numbered } from './context.ts';
import type { CommandContext } from './context.ts';
import { invoiceDocument } from './documents.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';
import { recipientTables, rememberRecipient } from './patients.ts';

export interface InvoiceOutcome {
  orderId: string;
  document: DocumentRow;
}

/** Bills what is not invoiced (`decideInvoice`). Under a tax profile the invoice with a recipient is a full one. */
export const invoiceTreatment = (
  context: CommandContext,
  { orderId, recipient }: { orderId: string; recipient?: Recipient | undefined },
): Promise<Result<InvoiceOutcome>> => issue(context, orderId, { recipient });

/** Issues the full invoice that takes the place of a simplified one. */
export const exchangeForFull = (
  context: CommandContext,
  { orderId, number, recipient }: { orderId: string; number: string; recipient: Recipient },
): Promise<Result<InvoiceOutcome>> => issue(context, orderId, { recipient, replaces: number });

function issue(context: CommandContext, orderId: string, request: RequestedInvoice): Promise<Result<InvoiceOutcome>> {
  const { db, print } = context;
  const tables = [...orderTables(db), db.documents, db.settings, ...recipientTables(db)];
  return commit(context, tables, async (write) => {
    const [draft, stored] = await Promise.all([openOrder(write, orderId), clinicSettings(db)]);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const issuing = issueContext(write, stored, print);
    const composed = composeInvoice(issuing, draft.order, request);
    if (!composed.ok) return composed;
    const payload = numbered(write, composed.value);
    record(write, draft, 'order.invoice', payload);
    write.appendRecord(documentOfInvoice(draft.tail!, payload.invoice), issuing.settings);
    save(write, draft);
    const document = invoiceDocument(orderId, payload.invoice);
    write.put(db.documents, document);
    const { recipient } = payload.invoice;
    if (recipient) await rememberRecipient(write, draft.order.patientId, recipient);
    return accept({ orderId, document });
  });
}
