/** Issued documents without whom they name: for readers who may not know, and for all once the patient is erased. */
import type { PrintedRow } from '../printed-row.ts';
import type { Order } from './order.ts';
import type { Recipient } from '../tax/document.ts';

interface NamingDocument {
  printed: PrintedRow[];
  recipient?: Recipient | undefined;
  notes?: string | undefined;
}

/** Number, lines and sums stay, so that nothing is billed or taken back twice. */
function withoutNames<Document extends NamingDocument>(document: Document): Document {
  const { recipient: _recipient, notes: _notes, ...rest } = document;
  return { ...(rest as Document), printed: [] };
}

/** Returns a treatment as everybody may see it: once its patient is erased, its documents name nobody. */
export const asShown = (order: Order): Order => (order.isErased ? withoutNamesInDocuments(order) : order);

export function withoutNamesInDocuments(order: Order): Order {
  return {
    ...order,
    payments: order.payments.map((payment) => ({
      ...payment,
      creditNote: payment.creditNote && withoutNames(payment.creditNote),
    })),
    cancels: order.cancels.map(({ correction, ...cancel }) => ({
      ...cancel,
      ...(correction && { correction: { ...correction, creditNote: withoutNames(correction.creditNote) } }),
    })),
    invoices: order.invoices.map(withoutNames),
  };
}
