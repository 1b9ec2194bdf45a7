/** The papers of late, newest first: those printed here, and the invoices and credit notes that other tablets issued. */
import { minorFromWire } from '../../../../domain/money.ts';
import { db } from '../../../device/database.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import type { OrderRow, DocumentRow } from '../../../db/database.ts';
import { isUnsent } from '../../../db/operation-state.ts';
import { documentsOf, recentOrders } from '../../../db/queries/orders.ts';
import type { PrintableDocument } from '../../../printing/use-document-printer.ts';

export interface Sale {
  paper: PrintableDocument;
  kind: DocumentRow['kind'];
  /** True when this device never printed the paper, so that what it prints can only be a copy. */
  fromElsewhere: boolean;
  order: OrderRow;
  /** True while the server has not taken the payment behind the paper, whatever it has of the treatment. */
  unsent: boolean;
  /** Negative on a credit note. */
  amountMinor: number;
  issuedAtMs: number;
}

type SaleDocument = Omit<Sale, 'unsent'>;

const mostOrders = 60;
const mostSales = 30;

export async function recentSales(): Promise<Sale[]> {
  return salesOf(await recentOrders(db, { limit: mostOrders }));
}

/** The papers of treatments, newest first. A treatment that this device does not have has those that the server keeps. */
export async function salesOf(found: readonly OrderRow[]): Promise<Sale[]> {
  const orders = found.filter(({ payments }) => payments.length > 0);
  const papers = await Promise.all(orders.map(({ id }) => documentsOf(db, id)));
  const sales = orders
    .flatMap((order, index) => saleDocuments(order, papers[index] ?? []))
    .sort((a, b) => b.issuedAtMs - a.issuedAtMs)
    .slice(0, mostSales);
  const states = await db.operation_states.bulkGet(sales.map(paymentOpId));
  return sales.map((sale, index) => ({ ...sale, unsent: states[index] !== undefined && isUnsent(states[index]) }));
}

/** The operation that the paper is proof of. */
function paymentOpId({ paper, order }: Pick<Sale, 'paper' | 'order'>): string {
  const invoice = order.invoices.find(({ invoice_id }) => invoice_id === paper.id);
  return invoice?.op_id ?? order.payments.find(({ paymentId }) => paymentId === paper.id)?.opId ?? '';
}

function saleDocuments(order: OrderRow, papers: readonly DocumentRow[]): SaleDocument[] {
  const payments = new Map(order.payments.map((payment) => [payment.paymentId, payment]));
  const own = papers.map((paper): SaleDocument => {
    const payment = payments.get(paper.id);
    return {
      paper: { ...paper, language: paper.invoice?.language ?? payment?.creditNote?.language ?? currentLanguage() },
      kind: paper.kind,
      fromElsewhere: false,
      order,
      amountMinor: paper.invoice ? minorFromWire(paper.invoice.total_amount) : (payment?.amountMinor ?? 0),
      issuedAtMs: Date.parse(paper.issued_at),
    };
  });
  const known = new Set(papers.map(({ id }) => id));
  return [...own, ...foreignInvoices(order, known), ...foreignCreditNotes(order, known)];
}

function foreignInvoices(order: OrderRow, known: ReadonlySet<string>): SaleDocument[] {
  return order.invoices
    .filter(({ invoice_id }) => !known.has(invoice_id))
    .map(({ invoice_id: id, invoice_number: number, printed, language, total_amount, issued_at }) => ({
      paper: { id, order_id: order.id, number, printed, language },
      kind: 'invoice',
      fromElsewhere: true,
      order,
      amountMinor: minorFromWire(total_amount),
      issuedAtMs: Date.parse(issued_at),
    }));
}

function foreignCreditNotes(order: OrderRow, known: ReadonlySet<string>): SaleDocument[] {
  return order.payments.flatMap(({ paymentId: id, creditNoteNumber: number, creditNote, amountMinor }) => {
    if (!creditNote || known.has(id)) return [];
    const { printed, language, issued_at } = creditNote;
    const paper = { id, order_id: order.id, number, printed, language };
    return {
      paper,
      kind: 'credit_note' as const,
      fromElsewhere: true,
      order,
      amountMinor,
      issuedAtMs: Date.parse(issued_at),
    };
  });
}
