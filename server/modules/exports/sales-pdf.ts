/**
 * The report of treatments as an A4 PDF. All rows are measured before the first page is written, so that every page can
 * show the number of pages. Each page is sent while the next is drawn.
 */
import PdfKit from 'pdfkit';
import { setImmediate } from 'node:timers/promises';
import type { ReportOrder } from '../../../domain/report/resources.ts';
import { interpolate, translationsIn } from '../../translations.ts';
import type { OrderReport } from '../reports/service.ts';
import { fonts, printable } from './pdf-fonts.ts';
import { bodySize, drawHead, drawRow, drawTotals, headHeight, measure, rowCells, totalsHeight } from './pdf-table.ts';
import { drawHeader } from './pdf-header.ts';
import type { ExportContext } from './report-texts.ts';

const margin = 36;

interface Row {
  cells: string[];
  height: number;
}

/** Yields the PDF's bytes as they become ready. */
export async function* salesPdf(report: OrderReport, context: ExportContext): AsyncGenerator<Uint8Array> {
  const { exports: words } = translationsIn(context.language);
  const { practice_name } = context.clinic;
  const doc = new PdfKit({
    size: 'A4',
    layout: 'landscape',
    margin,
    font: fonts.regular,
    lang: context.language === 'sp' ? 'es-ES' : 'en',
    info: { Title: words.title, Author: practice_name, CreationDate: new Date(context.atMs) },
  });
  doc.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  const bottom = doc.page.height - margin - footHeight;
  const top = drawHeader(doc, report, context);
  const pages = intoPages(await measured(doc, report.rows, context), totalsHeight(report), {
    first: bottom - top - headHeight,
    next: bottom - margin - headHeight,
  });

  for (const [index, rows] of pages.entries()) {
    if (index > 0) doc.addPage();
    let y = drawHead(doc, index === 0 ? top : margin, context);
    for (const { cells, height } of rows) {
      drawRow(doc, y, cells, height);
      y += height;
    }
    if (index === pages.length - 1) drawTotals(doc, y, report, context);
    drawFoot(
      doc,
      `${practice_name} · ${words.title}`,
      interpolate(words.page, { page: index + 1, pages: pages.length }),
    );
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

async function measured(
  doc: PDFKit.PDFDocument,
  orders: AsyncIterable<ReportOrder>,
  context: ExportContext,
): Promise<Row[]> {
  const cellsOf = rowCells(context);
  const rows: Row[] = [];
  doc.font('regular').fontSize(bodySize);
  for await (const order of orders) {
    const cells = cellsOf(order).map((text) => printable(doc, text));
    rows.push({ cells, height: measure(doc, cells) });
  }
  return rows;
}

/** Distributes rows over pages. The totals follow the last row, on a page of their own when that page is full. */
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

const footHeight = 18;

function drawFoot(doc: PDFKit.PDFDocument, left: string, right: string): void {
  const y = doc.page.height - margin - 8;
  const width = doc.page.width - 2 * margin;
  // PDFKit would start a new page below the bottom margin.
  doc.page.margins.bottom = 0;
  doc.font('regular').fontSize(7.5).fillColor('#5a6a69');
  doc.text(printable(doc, left), margin, y, { width: width - 120, height: 10, ellipsis: true });
  doc.text(right, margin, y, { width, align: 'right', lineBreak: false });
}
