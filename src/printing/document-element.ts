import type { ClinicSettings, PaperWidth } from '#domain/settings/settings.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import { element, rowElement } from './elements.ts';
import { loadLogo, logoElement } from './logo.ts';
import { fillSheet } from './sheet.ts';

/** How the clinic's documents look. */
export type PaperLook = Pick<ClinicSettings, 'logo_url' | 'document_colour'>;

/** Content of a printed document. `copyWord` marks every print after the first. */
export interface PrintContent {
  title: string;
  language: string;
  width: PaperWidth;
  rows: readonly PrintedRow[];
  copyWord: string | null;
  look: PaperLook;
}

/**
 * Builds the document: rows one below the other for a roll, a sheet of any length for A4, which `layOutSheets` divides once
 * it is in its document.
 *
 * @param tag `main` if the document is the whole page
 */
export async function documentElement(
  document: Document,
  { title, width, rows, copyWord, look }: PrintContent,
  tag: 'main' | 'article' = 'main',
): Promise<HTMLElement> {
  const hasCode = rows.some(({ style }) => style === 'qr');
  const [codes, picture] = await Promise.all([hasCode ? import('./qr-code.ts') : null, loadLogo(look.logo_url)]);
  const codeImage = (text: string) => codes!.qrImage(document, text);
  const paper = element(document, tag, 'paper');
  paper.dataset['width'] = width;
  const practice = rows.find(({ part, style }) => part === 'practice' && style === 'title')?.left ?? '';
  const logo = picture && logoElement(document, picture, practice);
  if (width === 'A4') {
    paper.style.setProperty('--paper-colour', look.document_colour);
    fillSheet(document, paper, { title, rows, copyWord, logo, codeImage });
    return paper;
  }
  if (copyWord) paper.append(element(document, 'p', 'paper-copy', copyWord));
  const nameAt = rows.findIndex(({ style }) => style === 'title');
  rows.forEach((row, at) => {
    if (at === nameAt && logo) paper.append(logo);
    if (row.style !== 'head') paper.append(row.style === 'qr' ? codeImage(row.left ?? '') : rowElement(document, row));
  });
  return paper;
}

const millimetresPerPixel = 25.4 / 96;

/**
 * Returns the `@page` rule of a document. Chromium ignores `size: 80mm auto` and prints on Letter, so the page of a roll gets
 * the measured height in millimetres, plus one so that rounding never pushes the last line onto a second page. The sheets of
 * A4 have their margins inside.
 */
export function pageRule(width: PaperWidth, heightPx: number): string {
  if (width === 'A4') return '@page { size: A4; margin: 0; }';
  const heightMm = Math.ceil(heightPx * millimetresPerPixel) + 1;
  return `@page { size: ${width} ${heightMm}mm; margin: 0; }`;
}
