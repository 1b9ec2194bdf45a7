import type { PaperWidth } from '../../domain/settings/settings.ts';
import type { PrintedRow } from '../../domain/printed-row.ts';

/** Content of a printed document. `copyWord` marks every print after the first. */
export interface PrintContent {
  title: string;
  language: string;
  width: PaperWidth;
  rows: readonly PrintedRow[];
  copyWord: string | null;
}

/**
 * Builds the document from plain elements: the print window has no framework, and its policy allows no inline styles.
 *
 * @param tag `main` if the document is the whole page
 */
export async function documentElement(
  document: Document,
  { width, rows, copyWord }: PrintContent,
  tag: 'main' | 'article' = 'main',
): Promise<HTMLElement> {
  const { qrImage } = rows.some(({ style }) => style === 'qr') ? await import('./qr-code.ts') : { qrImage: null };
  const paper = element(document, tag, 'paper');
  paper.dataset['width'] = width;
  if (copyWord) paper.append(element(document, 'p', 'paper-copy', copyWord));
  for (const row of rows)
    paper.append(row.style === 'qr' ? qrImage!(document, row.left ?? '') : rowElement(document, row));
  return paper;
}

function rowElement(document: Document, { style, left, right }: PrintedRow): HTMLElement {
  if (style === 'rule') return element(document, 'hr', 'paper-rule');
  if (style === 'title') return element(document, 'h1', 'paper-title', left);
  const sided = right !== undefined || style === 'pair' || style === 'item' || style === 'total';
  if (!sided) return element(document, 'p', `paper-${style}`, left);
  const row = element(document, 'div', `paper-row paper-${style}`);
  row.append(element(document, 'span', '', left), element(document, 'span', '', right));
  return row;
}

function element(document: Document, tag: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const millimetresPerPixel = 25.4 / 96;

/**
 * Returns the `@page` rule of a document. Chromium ignores `size: 80mm auto` and prints on Letter, so the page of a roll gets
 * the measured height in millimetres, plus one so that rounding never pushes the last line onto a second page.
 */
export function pageRule(width: PaperWidth, heightPx: number): string {
  if (width === 'A4') return '@page { size: A4; margin: 15mm; }';
  const heightMm = Math.ceil(heightPx * millimetresPerPixel) + 1;
  return `@page { size: ${width} ${heightMm}mm; margin: 0; }`;
}
