/** The printed documents of this device. */
import type { CreditNotePayload, InvoicePayload } from '#domain/order/order.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import { isoOf } from '#domain/instant.ts';
import type { ClinicDatabase, DocumentRow } from '../database.ts';

export const invoiceDocument = (orderId: string, invoice: InvoicePayload): DocumentRow => ({
  id: invoice.invoice_id,
  kind: 'invoice',
  order_id: orderId,
  number: invoice.invoice_number,
  issued_at: invoice.issued_at,
  printed: invoice.printed,
  invoice,
  prints: 0,
});

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

/** Increments and returns the print count of a document on this device. Every print after the first is a copy. */
export function incrementPrintCount(db: ClinicDatabase, documentId: string): Promise<number> {
  return db.transaction('rw', db.documents, async () => {
    const document = await db.documents.get(documentId);
    if (!document) return 0;
    const prints = document.prints + 1;
    await db.documents.put({ ...document, prints });
    return prints;
  });
}

export interface ReportContent {
  drawerId: string;
  number: string;
  issuedAtMs: number;
  printed: PrintedRow[];
}

/** Stores a drawer's report before it is printed. A report with other contents replaces the last one, and its print count restarts. */
export function saveDrawerReport(
  db: ClinicDatabase,
  { drawerId, number, issuedAtMs, printed }: ReportContent,
): Promise<DocumentRow> {
  return db.transaction('rw', db.documents, async () => {
    const known = await db.documents.get(drawerId);
    if (known && JSON.stringify(known.printed) === JSON.stringify(printed)) return known;
    const issued_at = isoOf(issuedAtMs);
    const document: DocumentRow = {
      id: drawerId,
      kind: 'report',
      order_id: drawerId,
      number,
      issued_at,
      printed,
      invoice: null,
      prints: 0,
    };
    await db.documents.put(document);
    return document;
  });
}
