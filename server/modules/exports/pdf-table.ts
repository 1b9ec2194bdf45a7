/** A table in a PDF: columns, row heights and positions. Lengths are points. */
import { typefaceOf, typefaces } from './pdf-fonts.ts';

export const ink = { text: '#152120', faint: '#55605f', line: '#d5dbda' };

export const bodySize = 8;
const lineHeight = 11;
const padding = 4;
/** Longer texts, such as lists of services, are truncated here; the Excel workbook has all of them. */
const mostLines = 5;
/** More letters than so many lines hold of the widest column, however narrow the letters. */
const mostLetters = 600;

/**
 * Returns the part of a text that a row can show. PDFKit takes seconds for the lines of all services of a treatment with two
 * hundred long ones.
 */
export const shownPart = (text: string): string =>
  text.length <= mostLetters ? text : `${Array.from(text.slice(0, mostLetters)).slice(0, -1).join('')}…`;
export const headHeight = 22;

export interface PdfColumn {
  title: string;
  width: number;
  wraps?: true;
  isAmount?: true;
}

export interface Place {
  x: number;
  width: number;
  wraps: boolean;
  isAmount: boolean;
}

export function places(doc: PDFKit.PDFDocument, columns: readonly PdfColumn[]): Place[] {
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

/** Returns the height of a row. The document uses the body font before and after. */
export function measure(doc: PDFKit.PDFDocument, columns: readonly PdfColumn[], cells: readonly string[]): number {
  const lines = places(doc, columns).map(({ width, wraps }, index) => (wraps ? linesOf(doc, cells[index]!, width) : 1));
  doc.font(typefaces.regular);
  return Math.min(Math.max(...lines), mostLines) * lineHeight + 2 * padding;
}

/** Most cells fit on one line, and measuring the width is much faster than laying the text out. */
function linesOf(doc: PDFKit.PDFDocument, text: string, width: number): number {
  const features = useTypefaceOf(doc, text);
  return doc.widthOfString(text, features) <= width
    ? 1
    : Math.round(doc.heightOfString(text, { width, lineGap: gap(doc), ...features }) / lineHeight);
}

/** Takes the typeface of a text. @returns the options without which PDFKit would order words of Arabic and Hebrew from the left */
function useTypefaceOf(doc: PDFKit.PDFDocument, text: string): { features?: PDFKit.Mixins.OpenTypeFeatures[] } {
  const typeface = typefaceOf(text);
  doc.font(typeface);
  return typeface === typefaces.regular ? {} : { features: [] };
}

const gap = (doc: PDFKit.PDFDocument): number => lineHeight - doc.currentLineHeight(false);

/** @returns the y position of the first row */
export function drawHead(
  doc: PDFKit.PDFDocument,
  y: number,
  { columns, colour }: { columns: readonly PdfColumn[]; colour: string },
): number {
  doc.font(typefaces.bold).fontSize(7.5).fillColor(ink.faint);
  for (const [index, { x, width, isAmount }] of places(doc, columns).entries()) {
    doc.text(columns[index]!.title, x, y + 6, { width, align: isAmount ? 'right' : 'left', lineBreak: false });
  }
  rule(doc, y + headHeight - 2, colour, 1);
  return y + headHeight;
}

export function drawRow(
  doc: PDFKit.PDFDocument,
  y: number,
  { columns, cells, height }: { columns: readonly PdfColumn[]; cells: readonly string[]; height: number },
): void {
  doc.font(typefaces.regular).fontSize(bodySize).fillColor(ink.text);
  const room = height - 2 * padding;
  for (const [index, place] of places(doc, columns).entries())
    drawCell(doc, cells[index]!, { ...place, y: y + padding, room });
  rule(doc, y + height, ink.line, 0.5);
}

function drawCell(
  doc: PDFKit.PDFDocument,
  text: string,
  { x, y, width, room, wraps, isAmount }: Place & { y: number; room: number },
): void {
  const features = useTypefaceOf(doc, text);
  if (isAmount) doc.text(text, x, y, { width, align: 'right', lineBreak: false, features: ['tnum'] });
  else if (wraps) doc.text(text, x, y, { width, height: room, ellipsis: true, lineGap: gap(doc), ...features });
  else doc.text(text, x, y, { width, height: lineHeight, ellipsis: true, ...features });
}

export function rule(doc: PDFKit.PDFDocument, y: number, colour: string, thickness: number): void {
  const { left, right } = doc.page.margins;
  doc
    .moveTo(left, y)
    .lineTo(doc.page.width - right, y)
    .lineWidth(thickness)
    .strokeColor(colour)
    .stroke();
}
