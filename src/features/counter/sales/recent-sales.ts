/** The papers of late, newest first: those printed here, and the invoices that other tablets issued. */
import { minorFromWire } from '../../../../domain/money.ts';
import { db } from '../../../app/database.ts';
import { currentLanguage } from '../../../app/i18n.ts';
import type { OrderRow, PaperRow } from '../../../db/database.ts';
import { papersOf, recentOrders } from '../../../db/queries/orders.ts';
import type { PrintablePaper } from '../printing/use-paper-printer.ts';

export interface Sale {
  paper: PrintablePaper;
  kind: PaperRow['kind'];
  /** True when this device never printed the paper, so that what it prints can only be a copy. */
  fromElsewhere: boolean;
  order: OrderRow;
  amountMinor: number;
  issuedAtMs: number;
}

const mostOrders = 60;
const mostSales = 30;

export async function recentSales(): Promise<Sale[]> {
  const orders = (await recentOrders(db, { limit: mostOrders })).filter(({ payments }) => payments.length > 0);
  const papers = await Promise.all(orders.map(({ id }) => papersOf(db, id)));
  return orders
    .flatMap((order, index) => salesOf(order, papers[index] ?? []))
    .sort((a, b) => b.issuedAtMs - a.issuedAtMs)
    .slice(0, mostSales);
}

function salesOf(order: OrderRow, papers: readonly PaperRow[]): Sale[] {
  const own = papers.map((paper): Sale => ({
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
    .map((invoice): Sale => ({
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
