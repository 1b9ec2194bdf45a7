/**
 * A table as an A4 PDF. All rows are measured before the first page is written, so that every page can show the number of
 * pages. Each page is sent while the next is drawn.
 */
import PdfKit from 'pdfkit';
import { setImmediate } from 'node:timers/promises';
import { interpolate, translationsIn } from '#server/translations.ts';
import { hasGaps, printable, printableCell, typefaces } from './pdf-fonts.ts';
import { bodySize, drawHead, drawRow, headHeight, ink, measure, rule, shownPart } from './pdf-table.ts';
import type { PdfColumn } from './pdf-table.ts';
import type { ExportContext } from './report-texts.ts';

const margin = 36;

export interface PdfTable {
  title: string;
  columns: readonly PdfColumn[];
  rows: AsyncIterable<string[]>;
  /** @returns the y position at which the table may begin */
  drawHeader: (doc: PDFKit.PDFDocument) => number;
  /** What follows the last row. */
  below: { height: number; draw: (doc: PDFKit.PDFDocument, y: number) => void };
}

interface Row {
  cells: string[];
  height: number;
}

/** Yields the PDF's bytes as they become ready. */
export async function* tablePdf(table: PdfTable, context: ExportContext): AsyncGenerator<Uint8Array> {
  const { exports: words } = translationsIn(context.language);
  const { practice_name, document_colour } = context.clinic;
  const { title, columns, below } = table;
  const doc = new PdfKit({
    size: 'A4',
    layout: 'landscape',
    margin,
    font: typefaces.regular,
    lang: context.language === 'sp' ? 'es-ES' : 'en',
    info: { Title: title, Author: practice_name, CreationDate: new Date(context.atMs) },
  });
  const bottom = doc.page.height - margin - footHeight;
  const top = table.drawHeader(doc);
  const allRows = await measured(doc, table);
  const noteHeight = hasGaps(doc) ? gapNoteHeight : 0;
  const pages = intoPages(allRows, below.height + noteHeight, {
    first: bottom - top - headHeight,
    next: bottom - margin - headHeight,
  });

  for (const [index, rows] of pages.entries()) {
    if (index > 0) doc.addPage();
    let y = drawHead(doc, index === 0 ? top : margin, { columns, colour: document_colour });
    for (const row of rows) {
      drawRow(doc, y, { columns, ...row });
      y += row.height;
    }
    if (index === pages.length - 1) {
      below.draw(doc, y);
      if (noteHeight > 0) drawGapNote(doc, y + below.height, words.gaps);
    }
    drawFoot(doc, `${practice_name} · ${title}`, interpolate(words.page, { page: index + 1, pages: pages.length }));
    // PDFKit compresses pages between turns of the event loop.
    await setImmediate();
    yield* taken(doc);
  }
  doc.end();
  yield* doc as AsyncIterable<Uint8Array>;
}

/** Yields the bytes written so far without waiting for more. */
function* taken(doc: PDFKit.PDFDocument): Generator<Uint8Array> {
  for (;;) {
    const chunk = doc.read() as Uint8Array | null;
    if (chunk === null) return;
    yield chunk;
  }
}

async function measured(doc: PDFKit.PDFDocument, { rows, columns }: PdfTable): Promise<Row[]> {
  const all: Row[] = [];
  doc.font(typefaces.regular).fontSize(bodySize);
  for await (const texts of rows) {
    const cells = texts.map((text) => printableCell(doc, shownPart(text)));
    all.push({ cells, height: measure(doc, columns, cells) });
  }
  return all;
}

/** Distributes rows over pages. The rest follows the last row, on a page of its own when that page is full. */
function intoPages(rows: readonly Row[], below: number, room: { first: number; next: number }): Row[][] {
  const pages: Row[][] = [[]];
  let left = room.first;
  for (const row of [...rows, null]) {
    const height = row?.height ?? below;
    if (height > left) {
      pages.push([]);
      left = room.next;
    }
    if (row) pages.at(-1)!.push(row);
    left -= height;
  }
  return pages;
}

const gapNoteHeight = 24;

/** Says what the question marks are for: a name in Arabic, Hebrew or Chinese letters has one for each letter. */
function drawGapNote(doc: PDFKit.PDFDocument, y: number, text: string): void {
  doc.font(typefaces.regular).fontSize(7.5).fillColor(ink.faint);
  doc.text(text, margin, y + 10, { lineBreak: false });
}

const footHeight = 18;

function drawFoot(doc: PDFKit.PDFDocument, left: string, right: string): void {
  const y = doc.page.height - margin - 8;
  const width = doc.page.width - 2 * margin;
  // PDFKit would start a new page below the bottom margin.
  doc.page.margins.bottom = 0;
  rule(doc, y - 6, ink.line, 0.5);
  doc.font(typefaces.regular).fontSize(7.5).fillColor(ink.faint);
  doc.text(printable(doc, left), margin, y, { width: width - 120, height: 10, ellipsis: true });
  doc.text(right, margin, y, { width, align: 'right', lineBreak: false });
}
