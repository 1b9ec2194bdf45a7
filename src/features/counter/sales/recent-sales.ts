/** The papers of late, newest first: those printed here, and the invoices that other tablets issued. */
import { minorFromWire } from '../../../../domain/money.ts';
import { db } from '../../../app/database.ts';
import { currentLanguage } from '../../../app/i18n.ts';
import type { OrderRow, PaperRow } from '../../../db/database.ts';
import { isUnsent } from '../../../db/operation-state.ts';
import { papersOf, recentOrders } from '../../../db/queries/orders.ts';
import type { PrintablePaper } from '../printing/use-paper-printer.ts';

export interface Sale {
  paper: PrintablePaper;
  kind: PaperRow['kind'];
  /** True when this device never printed the paper, so that what it prints can only be a copy. */
  fromElsewhere: boolean;
  order: OrderRow;
  /** True while the server has not taken the payment behind the paper, whatever it has of the treatment. */
  unsent: boolean;
  amountMinor: number;
  issuedAtMs: number;
}

const mostOrders = 60;
const mostSales = 30;

export async function recentSales(): Promise<Sale[]> {
  const orders = (await recentOrders(db, { limit: mostOrders })).filter(({ payments }) => payments.length > 0);
  const papers = await Promise.all(orders.map(({ id }) => papersOf(db, id)));
  const sales = orders
    .flatMap((order, index) => salesOf(order, papers[index] ?? []))
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

function salesOf(order: OrderRow, papers: readonly PaperRow[]): Omit<Sale, 'unsent'>[] {
  const own = papers.map((paper): Omit<Sale, 'unsent'> => ({
    paper: { ...paper, language: paper.invoice?.language ?? currentLanguage() },
    kind: paper.kind,
    fromElsewhere: false,
    order,
    amountMinor: paper.invoice
      ? minorFromWire(paper.invoice.total_amount)
      : (order.payments.find(({ paymentId }) => paymentId === paper.id)?.amountMinor ?? 0),
    issuedAtMs: Date.parse(paper.issued_at),
  }));
  const known = new Set(papers.map(({ id }) => id));
  const others = order.invoices
    .filter(({ invoice_id }) => !known.has(invoice_id))
    .map((invoice): Omit<Sale, 'unsent'> => ({
      paper: {
        id: invoice.invoice_id,
        order_id: order.id,
        number: invoice.invoice_number,
        printed: invoice.printed,
        language: invoice.language,
      },
      kind: 'invoice',
      fromElsewhere: true,
      order,
      amountMinor: minorFromWire(invoice.total_amount),
      issuedAtMs: Date.parse(invoice.issued_at),
    }));
  return [...own, ...others];
}
