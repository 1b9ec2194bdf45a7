/** Sales as the printed documents that prove them: those of this device, and the numbered ones of other devices. */
import { businessDay } from '#domain/business-day.ts';
import { amountForm, readDecimal } from '#domain/decimal.ts';
import { minorFromWire } from '#domain/money.ts';
import type { CreditNotePayload } from '#domain/order/order.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import { milliToWire } from '#domain/quantity.ts';
import { db } from '#src/local-data/database.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import type { OrderRow, DocumentRow } from '#src/db/database.ts';
import { isUnsent } from '#src/db/operation-state.ts';
import { documentsOf, findOrders, isSold, recentlySoldOrders } from '#src/db/queries/orders.ts';
import type { PrintableDocument } from '#src/printing/use-document-printer.ts';

export interface Sale {
  document: PrintableDocument;
  kind: DocumentRow['kind'];
  /** True when another device issued the document, so that this device can only print a copy. */
  isForeign: boolean;
  order: OrderRow;
  /** True while the server does not have the payment behind the document, even if it has the treatment. */
  unsent: boolean;
  /** What the document says in total; negative on a credit note. */
  amountMinor: number;
  /**
   * What was taken or given back with this document. It is less than the total of an invoice whose treatment was paid in
   * parts, because each part has a document of its own; null if no money moved, as with an exchanged invoice.
   */
  moved: { minor: number; method: PaymentMethod } | null;
  issuedAtMs: number;
}

type SaleDocument = Omit<Sale, 'unsent'>;

const foundOrderLimit = 30;
const saleLimit = 30;

export async function recentSales(): Promise<Sale[]> {
  return salesOf(await recentlySoldOrders(db, { limit: saleLimit }));
}

/** Returns the recent sales on this device whose customer name, numbers or amounts match the text. */
export async function searchSales(text: string): Promise<Sale[]> {
  const amountMinor = readDecimal(text, amountForm).scaled ?? null;
  return salesOf(await findOrders(db, { text, amountMinor, limit: foundOrderLimit }));
}

/** Returns the documents of treatments, newest first. The treatments need not be on this device. */
export async function salesOf(treatments: readonly OrderRow[], limit = saleLimit): Promise<Sale[]> {
  const orders = treatments.filter(isSold);
  const documents = await Promise.all(orders.map(({ id }) => documentsOf(db, id)));
  const sales = orders
    .flatMap((order, index) => saleDocuments(order, documents[index] ?? []))
    .sort((a, b) => b.issuedAtMs - a.issuedAtMs)
    .slice(0, limit);
  const states = await db.operation_states.bulkGet(sales.map(issuedBy));
  return sales.map((sale, index) => ({ ...sale, unsent: states[index] !== undefined && isUnsent(states[index]) }));
}

/** Returns the money that moved with a document: of an invoice the payment that issued it, of other documents their own. */
function movedBy(order: OrderRow, id: string): Sale['moved'] {
  const invoice = order.invoices.find(({ invoice_id }) => invoice_id === id);
  const payment = order.payments.find(({ paymentId, opId }) => (invoice ? opId === invoice.op_id : paymentId === id));
  return payment ? { minor: payment.amountMinor, method: payment.method } : null;
}

/** Groups sales by the day of the clinic, the latest first. */
export function salesByDay(sales: readonly Sale[], timeZone: string): { day: string; sales: Sale[] }[] {
  const days = new Map<string, Sale[]>();
  for (const sale of sales) {
    const day = businessDay(sale.issuedAtMs, timeZone);
    days.set(day, [...(days.get(day) ?? []), sale]);
  }
  return [...days].map(([day, ofDay]) => ({ day, sales: ofDay }));
}

/** Returns the id of the operation that issued the document; the credit note of a cancel has the id of its own. */
function issuedBy({ document, order }: Pick<Sale, 'document' | 'order'>): string {
  const invoice = order.invoices.find(({ invoice_id }) => invoice_id === document.id);
  return invoice?.op_id ?? order.payments.find(({ paymentId }) => paymentId === document.id)?.opId ?? document.id;
}

/** Returns what was sold: the lines that the invoice bills, those that the credit note names, or all of the treatment's. */
export function soldIn({ document, order }: Pick<Sale, 'document' | 'order'>): string {
  const invoice = order.invoices.find(({ invoice_id }) => invoice_id === document.id);
  const refund = order.payments.find(({ paymentId }) => paymentId === document.id);
  const named = invoice?.line_ids ?? (refund?.refundedLines ?? []).map(({ lineId }) => lineId);
  const lines = order.lines.filter(({ lineId }) => named.length === 0 || named.includes(lineId));
  return lines
    .map(({ name, quantityMilli }) => (quantityMilli === 1000 ? name : `${milliToWire(quantityMilli)} × ${name}`))
    .join(', ');
}

function saleDocuments(order: OrderRow, documents: readonly DocumentRow[]): SaleDocument[] {
  const payments = new Map(order.payments.map((payment) => [payment.paymentId, payment]));
  const corrections = new Map(order.cancels.map(({ opId, correction }) => [opId, correction?.creditNote]));
  const own = documents.map((document): SaleDocument => {
    const { invoice } = document;
    const payment = payments.get(document.id);
    const creditNote = payment?.creditNote ?? corrections.get(document.id);
    return {
      document: { ...document, language: invoice?.language ?? creditNote?.language ?? currentLanguage() },
      kind: document.kind,
      isForeign: false,
      order,
      moved: movedBy(order, document.id),
      amountMinor: invoice ? minorFromWire(invoice.total_amount) : (payment?.amountMinor ?? statedGross(creditNote)),
      issuedAtMs: Date.parse(document.issued_at),
    };
  });
  const known = new Set(documents.map(({ id }) => id));
  return [...own, ...foreignInvoices(order, known), ...foreignCreditNotes(order, known)];
}

function foreignInvoices(order: OrderRow, known: ReadonlySet<string>): SaleDocument[] {
  return order.invoices
    .filter(({ invoice_id }) => !known.has(invoice_id))
    .map(({ invoice_id: id, invoice_number: number, printed, language, total_amount, issued_at }) => ({
      document: { id, order_id: order.id, number, printed, language },
      kind: 'invoice',
      isForeign: true,
      order,
      moved: movedBy(order, id),
      amountMinor: minorFromWire(total_amount),
      issuedAtMs: Date.parse(issued_at),
    }));
}

function foreignCreditNotes(order: OrderRow, known: ReadonlySet<string>): SaleDocument[] {
  const refunds = order.payments.flatMap(({ paymentId: id, creditNoteNumber: number, creditNote, amountMinor }) =>
    creditNote ? { id, number, creditNote, amountMinor } : [],
  );
  const corrections = order.cancels.flatMap(({ opId: id, correction }) =>
    correction ? { id, ...correction, amountMinor: statedGross(correction.creditNote) } : [],
  );
  return [...refunds, ...corrections]
    .filter(({ id }) => !known.has(id))
    .map(({ id, number, creditNote: { printed, language, issued_at }, amountMinor }) => ({
      document: { id, order_id: order.id, number, printed, language },
      kind: 'credit_note',
      isForeign: true,
      order,
      moved: movedBy(order, id),
      amountMinor,
      issuedAtMs: Date.parse(issued_at),
    }));
}

/** Returns what a credit note takes back; negative. */
const statedGross = (note: CreditNotePayload | undefined): number => minorFromWire(note?.total_amount ?? 0);
