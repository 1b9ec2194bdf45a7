/** The table of the PDF report: columns, row heights and positions. Lengths are points. */
import type { ReportOrder } from '../../../domain/report/resources.ts';
import { sumRows } from '../../../domain/report/sums.ts';
import { taxText, translationsIn } from '../../translations.ts';
import type { OrderReport } from '../reports/service.ts';
import { formatsOf, itemsText, sumText } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';

export const ink = { text: '#152120', faint: '#5a6a69', house: '#0b5150', line: '#d5dedc', wash: '#eef4f3' };

export const bodySize = 8;
const lineHeight = 11;
const padding = 4;
/** Longer lists of services are truncated here; the Excel workbook has all of them. */
const mostLines = 5;
export const headHeight = 22;
const totalsRow = 24;
const furtherRow = 14;

/** Returns the height of what stands below the last row. */
export const totalsHeight = (report: OrderReport): number =>
  totalsRow + (sumRows(report).length - 1 + report.taxes.length) * furtherRow;

const columns = [
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
] as const satisfies { name: string; width: number; wraps?: true; isAmount?: true }[];

interface Place {
  x: number;
  width: number;
  wraps: boolean;
  isAmount: boolean;
}

function places(doc: PDFKit.PDFDocument): Place[] {
  let x = doc.page.margins.left;
  return columns.map((column) => {
    const place = {
      x: x + padding,
      width: column.width - 2 * padding,
      wraps: 'wraps' in column,
      isAmount: 'isAmount' in column,
    };
    x += column.width;
    return place;
  });
}

/** Returns the cells of a treatment's row. */
export function rowCells(context: ExportContext): (order: ReportOrder) => string[] {
  const { counter, exports: words } = translationsIn(context.language);
  const { moment, amount, number: quantity } = formatsOf(context);
  return ({ number, created_at, order_type, status, customer_name, items, total, paid, refunded, currency }) => [
    number,
    moment(created_at),
    counter.types[order_type],
    words.statuses[status],
    customer_name,
    itemsText(items, quantity),
    amount(total, currency),
    amount(paid, currency),
    amount(refunded, currency),
  ];
}

/** Returns the height of a row. The document must use the body font. */
export function measure(doc: PDFKit.PDFDocument, cells: readonly string[]): number {
  const lines = places(doc).map(({ width, wraps }, index) => (wraps ? linesOf(doc, cells[index]!, width) : 1));
  return Math.min(Math.max(...lines), mostLines) * lineHeight + 2 * padding;
}

/** Most cells fit on one line, and measuring the width is much faster than laying the text out. */
function linesOf(doc: PDFKit.PDFDocument, text: string, width: number): number {
  return doc.widthOfString(text) <= width
    ? 1
    : Math.round(doc.heightOfString(text, { width, lineGap: gap(doc) }) / lineHeight);
}

const gap = (doc: PDFKit.PDFDocument): number => lineHeight - doc.currentLineHeight(false);

/** @returns the y position of the first row */
export function drawHead(doc: PDFKit.PDFDocument, y: number, { language }: ExportContext): number {
  const words = translationsIn(language).exports.columns;
  doc.font('bold').fontSize(7.5).fillColor(ink.house);
  for (const [index, { x, width, isAmount }] of places(doc).entries()) {
    doc.text(words[columns[index]!.name], x, y + 6, { width, align: isAmount ? 'right' : 'left', lineBreak: false });
  }
  rule(doc, y + headHeight - 2, ink.house, 1);
  return y + headHeight;
}

export function drawRow(doc: PDFKit.PDFDocument, y: number, cells: readonly string[], height: number): void {
  doc.font('regular').fontSize(bodySize).fillColor(ink.text);
  const room = height - 2 * padding;
  for (const [index, place] of places(doc).entries()) drawCell(doc, cells[index]!, y + padding, place, room);
  rule(doc, y + height, ink.line, 0.5);
}

function drawCell(
  doc: PDFKit.PDFDocument,
  text: string,
  y: number,
  { x, width, wraps, isAmount }: Place,
  room: number,
): void {
  if (isAmount) doc.text(text, x, y, { width, align: 'right', lineBreak: false, features: ['tnum'] });
  else if (wraps) doc.text(text, x, y, { width, height: room, ellipsis: true, lineGap: gap(doc) });
  else doc.text(text, x, y, { width, height: lineHeight, ellipsis: true });
}

/** Draws the totals below the last row: sums, and amounts by tax. */
export function drawTotals(doc: PDFKit.PDFDocument, y: number, report: OrderReport, context: ExportContext): void {
  const { exports: words } = translationsIn(context.language);
  const { amount } = formatsOf(context);
  const [first, ...others] = places(doc);
  if (report.count === 0) {
    doc
      .font('regular')
      .fontSize(9)
      .fillColor(ink.faint)
      .text(words.empty, first!.x, y + 8);
    return;
  }
  const rows = sumRows(report);
  doc.fontSize(bodySize).fillColor(ink.text);
  for (const [index, row] of rows.entries()) {
    const rowY = y + 8 + index * furtherRow;
    doc.font(index === 0 ? 'bold' : 'regular').text(sumText(row, context), first!.x, rowY, { lineBreak: false });
    for (const [column, { x, width }] of others.slice(-3).entries())
      doc.text(amount([row.total, row.paid, row.refunded][column]!, row.currency), x, rowY, {
        width,
        align: 'right',
        lineBreak: false,
        features: ['tnum'],
      });
  }
  doc.font('regular');
  const taxesY = y + totalsRow + (rows.length - 1) * furtherRow;
  for (const [index, total] of report.taxes.entries()) {
    const parts = [taxText(total, context.language), `${words.columns.base} ${amount(total.base)}`];
    if (!('exempt' in total)) parts.push(`${words.columns.tax} ${amount(total.tax)}`);
    doc.text(parts.join(' · '), first!.x, taxesY + index * furtherRow, { lineBreak: false, features: ['tnum'] });
  }
}

function rule(doc: PDFKit.PDFDocument, y: number, colour: string, thickness: number): void {
  const { left, right } = doc.page.margins;
  doc
    .moveTo(left, y)
    .lineTo(doc.page.width - right, y)
    .lineWidth(thickness)
    .strokeColor(colour)
    .stroke();
}
