/** Issues invoices that no payment issues. One transaction writes the operation, the printed invoice and its number. */
import { paperOfInvoice } from '../../../domain/fiscal/papers.ts';
import { decideInvoice, lacksRecipient } from '../../../domain/order/billing.ts';
import { decideExchange } from '../../../domain/order/decisions.ts';
import { exchangeInvoice, issueInvoice } from '../../../domain/order/issue-documents.ts';
import type { InvoicePayload, Order } from '../../../domain/order/order.ts';
import type { DocumentContext } from '../../../domain/order/printed-document.ts';
import type { Recipient } from '../../../domain/order/tax-document.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { DocumentRow } from '../database.ts';
import { clinicSettings } from '../singletons.ts';
import { commit } from '../write.ts';
import type { Write } from '../write.ts';
import type { CommandContext } from './context.ts';
import { openOrder, orderTables, record, save } from './order-draft.ts';

export interface InvoiceOutcome {
  orderId: string;
  document: DocumentRow;
}

/** Bills what is not invoiced (`decideInvoice`). Under a tax profile the invoice with a recipient is a full one. */
export const invoiceTreatment = (
  context: CommandContext,
  { orderId, recipient: asked }: { orderId: string; recipient?: Recipient | undefined },
): Promise<Result<InvoiceOutcome>> =>
  issue(context, orderId, (write, paper, order) => {
    const recipient = paper.settings.tax_profile === 'none' ? undefined : asked;
    const billed = decideInvoice(paper.settings, order);
    if (!billed.ok) return billed;
    if (lacksRecipient(paper.settings, order, recipient)) return refuse('RECIPIENT_REQUIRED');
    return accept(
      issueInvoice(paper, {
        ...billed.value,
        invoiceId: write.newId(),
        number: write.nextNumber(recipient ? 'full_invoice' : 'invoice'),
        issuedAtMs: write.effectiveMs,
        order,
        payment: null,
        recipient,
      }),
    );
  });

/** Issues the full invoice that takes the place of a simplified one. */
export const exchangeForFull = (
  context: CommandContext,
  { orderId, number, recipient }: { orderId: string; number: string; recipient: Recipient },
): Promise<Result<InvoiceOutcome>> =>
  issue(context, orderId, (write, paper, order) => {
    if (paper.settings.tax_profile === 'none') return refuse('NOT_EXCHANGEABLE');
    const replaced = decideExchange(order, number);
    if (!replaced.ok) return replaced;
    return accept(
      exchangeInvoice(paper, {
        invoiceId: write.newId(),
        number: write.nextNumber('full_invoice'),
        issuedAtMs: write.effectiveMs,
        order,
        invoice: replaced.value,
        recipient,
      }),
    );
  });

function issue(
  context: CommandContext,
  orderId: string,
  invoiceOf: (write: Write, paper: DocumentContext, order: Order) => Result<InvoicePayload>,
): Promise<Result<InvoiceOutcome>> {
  const { db, print } = context;
  return commit(context, [...orderTables(db), db.documents, db.settings], async (write) => {
    const [draft, stored] = await Promise.all([openOrder(write, orderId), clinicSettings(db)]);
    const settings = write.issuing(stored);
    if (!draft?.order) return refuse('ORDER_NOT_FOUND');
    const issued = invoiceOf(write, { settings, ...print }, draft.order);
    if (!issued.ok) return issued;
    const invoice = issued.value;
    record(write, draft, 'order.invoice', { order_id: orderId, invoice });
    write.appendRecord(paperOfInvoice(draft.tail!, invoice), settings);
    save(write, draft);
    const document: DocumentRow = {
      id: invoice.invoice_id,
      kind: 'invoice',
      order_id: orderId,
      number: invoice.invoice_number,
      issued_at: invoice.issued_at,
      printed: invoice.printed,
      invoice,
      prints: 0,
    };
    write.put(db.documents, document);
    return accept({ orderId, document });
  });
}
