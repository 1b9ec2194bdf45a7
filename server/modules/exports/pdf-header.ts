/** The header of the first page: practice, title, period and filters, and the sums of treatments. */
import { sumRows } from '#domain/report/sums.ts';
import { translationsIn } from '#server/translations.ts';
import type { OrderReport } from '../reports/service.ts';
import { printable, typefaces } from './pdf-fonts.ts';
import { ink, rule } from './pdf-table.ts';
import { formatsOf, periodText, sumText } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';

/**
 * Draws logo or name of the practice, title and facts above a rule.
 *
 * @param facts what the report is narrowed to, besides the period
 * @returns the y position of what follows
 */
export function drawTitle(
  doc: PDFKit.PDFDocument,
  { title, facts }: { title: string; facts: readonly string[] },
  context: ExportContext,
): number {
  const { clinic, logo } = context;
  const { exports: words } = translationsIn(context.language);
  const { left, right, top } = doc.page.margins;
  const half = (doc.page.width - left - right) / 2;
  const line = (text: string, x: number, y: number, options: PDFKit.Mixins.TextOptions = {}) => {
    doc.text(printable(doc, text), x, y, { width: half - 12, ...options });
    return doc.y;
  };

  doc.font(typefaces.bold).fontSize(15).fillColor(clinic.document_colour);
  const nameEnds = logo ? drawLogo(doc, logo, left, top) : line(clinic.practice_name, left, top);
  doc.fillColor(ink.text);
  const titleEnds = line(title, left + half + 12, top, { align: 'right' });
  doc.font(typefaces.regular).fontSize(8.5).fillColor(ink.faint);
  let leftEnds = nameEnds + 2;
  for (const text of [
    logo ? clinic.practice_name : '',
    clinic.address,
    [clinic.phone, clinic.email].filter(Boolean).join(' · '),
  ]) {
    if (text.trim() !== '') leftEnds = line(text, left, leftEnds) + 1;
  }
  let rightEnds = titleEnds + 2;
  const made = `${words.made} ${formatsOf(context).moment(context.atMs)}`;
  for (const text of [periodText(context), ...facts, made]) {
    rightEnds = line(text, left + half + 12, rightEnds, { align: 'right' }) + 1;
  }
  const headEnds = Math.max(leftEnds, rightEnds) + 8;
  rule(doc, headEnds, clinic.document_colour, 1.5);
  return headEnds;
}

const logoHeight = 40;

/** @returns the y position below the logo, which takes the place of the practice's name */
function drawLogo(doc: PDFKit.PDFDocument, logo: Uint8Array, x: number, y: number): number {
  doc.image(Buffer.from(logo), x, y, { fit: [220, logoHeight] });
  return y + logoHeight + 2;
}

const sumHeight = 14;

/**
 * Draws a line for each row of sums below the names of the columns.
 *
 * @returns the y position at which the table may begin
 */
export function drawSums(doc: PDFKit.PDFDocument, y: number, report: OrderReport, context: ExportContext): number {
  const { exports: words } = translationsIn(context.language);
  const { amount, number } = formatsOf(context);
  const { left, right } = doc.page.margins;
  const width = (doc.page.width - left - right) / 4;
  const rows = sumRows(report);
  const height = 38 + (rows.length - 1) * sumHeight;
  const lines = rows.map((row) => [
    row.kind === 'total' ? number(row.count) : sumText(row, context),
    ...[row.total, row.paid, row.refunded].map((each) => amount(each, row.currency)),
  ]);
  const names = [words.sheets.orders, words.columns.total, words.columns.paid, words.columns.refunded];
  for (const [index, name] of names.entries()) {
    const x = left + index * width;
    doc
      .font(typefaces.regular)
      .fontSize(7.5)
      .fillColor(ink.faint)
      .text(name, x, y + 8, { width: width - 20, lineBreak: false });
    for (const [line, cells] of lines.entries())
      doc
        .font(line === 0 ? typefaces.bold : typefaces.regular)
        .fontSize(line === 0 ? 11 : 9)
        .fillColor(ink.text)
        .text(cells[index]!, x, y + 19 + line * sumHeight + (line === 0 ? 0 : 2), {
          width: width - 20,
          lineBreak: false,
        });
  }
  rule(doc, y + height, ink.line, 0.5);
  return y + height + 10;
}
