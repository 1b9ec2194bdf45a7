/** The report of treatments as a PDF. */
import type { ReportOrder } from '#domain/report/resources.ts';
import { sumRows } from '#domain/report/sums.ts';
import { taxText, translationsIn } from '#server/translations.ts';
import type { OrderReport } from '../reports/service.ts';
import { tablePdf } from './pdf-document.ts';
import { typefaces } from './pdf-fonts.ts';
import { drawSums, drawTitle } from './pdf-header.ts';
import { bodySize, ink, places } from './pdf-table.ts';
import type { PdfColumn } from './pdf-table.ts';
import { filterTexts, formatsOf, itemsText, sumText } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';

const shapes = [
  // A number of a taxpayer's series has four letters more.
  { name: 'number', width: 92 },
  { name: 'createdAt', width: 82 },
  { name: 'type', width: 62 },
  { name: 'status', width: 62 },
  { name: 'patient', width: 102, wraps: true },
  { name: 'services', width: 136, wraps: true },
  { name: 'total', width: 78, isAmount: true },
  { name: 'paid', width: 78, isAmount: true },
  { name: 'refunded', width: 78, isAmount: true },
] as const;

/** Yields the PDF's bytes as they become ready. */
export function salesPdf(report: OrderReport, context: ExportContext): AsyncGenerator<Uint8Array> {
  const words = translationsIn(context.language).exports;
  const columns = shapes.map(({ name, ...shape }): PdfColumn => ({ title: words.columns[name], ...shape }));
  const facts = filterTexts(context).map(({ name, value }) => `${name}: ${value}`);
  return tablePdf(
    {
      title: words.title,
      columns,
      rows: cellRows(report.rows, context),
      drawHeader: (doc) => drawSums(doc, drawTitle(doc, { title: words.title, facts }, context), report, context),
      below: { height: totalsHeight(report), draw: (doc, y) => drawTotals(doc, y, { report, columns }, context) },
    },
    context,
  );
}

async function* cellRows(orders: AsyncIterable<ReportOrder>, context: ExportContext): AsyncGenerator<string[]> {
  const { counter, exports: words } = translationsIn(context.language);
  const { moment, amount, number: quantity } = formatsOf(context);
  for await (const order of orders)
    yield [
      order.number,
      moment(order.created_at),
      counter.types[order.order_type],
      words.statuses[order.status],
      order.customer_name,
      itemsText(order.items, quantity),
      amount(order.total, order.currency),
      amount(order.paid, order.currency),
      amount(order.refunded, order.currency),
    ];
}

const totalsRow = 24;
const furtherRow = 14;

/** Returns the height of what follows the last row. */
const totalsHeight = (report: OrderReport): number =>
  totalsRow + (sumRows(report).length - 1 + report.taxes.length) * furtherRow;

/** Draws the totals below the last row: sums, and amounts by tax. */
function drawTotals(
  doc: PDFKit.PDFDocument,
  y: number,
  { report, columns }: { report: OrderReport; columns: readonly PdfColumn[] },
  context: ExportContext,
): void {
  const { exports: words } = translationsIn(context.language);
  const { amount } = formatsOf(context);
  const [first, ...others] = places(doc, columns);
  if (report.count === 0) {
    doc
      .font(typefaces.regular)
      .fontSize(9)
      .fillColor(ink.faint)
      .text(words.empty, first!.x, y + 8);
    return;
  }
  const rows = sumRows(report);
  doc.fontSize(bodySize).fillColor(ink.text);
  for (const [index, row] of rows.entries()) {
    const rowY = y + 8 + index * furtherRow;
    doc
      .font(index === 0 ? typefaces.bold : typefaces.regular)
      .text(sumText(row, context), first!.x, rowY, { lineBreak: false });
    for (const [column, { x, width }] of others.slice(-3).entries())
      doc.text(amount([row.total, row.paid, row.refunded][column]!, row.currency), x, rowY, {
        width,
        align: 'right',
        lineBreak: false,
        features: ['tnum'],
      });
  }
  doc.font(typefaces.regular);
  const taxesY = y + totalsRow + (rows.length - 1) * furtherRow;
  for (const [index, total] of report.taxes.entries()) {
    const parts = [taxText(total, context.language), `${words.columns.base} ${amount(total.base)}`];
    if (!('exempt' in total)) parts.push(`${words.columns.tax} ${amount(total.tax)}`);
    doc.text(parts.join(' · '), first!.x, taxesY + index * furtherRow, { lineBreak: false, features: ['tnum'] });
  }
}
