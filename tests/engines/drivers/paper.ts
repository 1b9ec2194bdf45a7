/** Reads a printed document, which both engines write as PDF. */
import { readFile } from 'node:fs/promises';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Paper } from './browser.ts';

const millimetresPerPoint = 25.4 / 72;

export async function paperIn(file: string): Promise<Paper> {
  const task = getDocument({ data: new Uint8Array(await readFile(file)), verbosity: 0 });
  const pdf = await task.promise;
  const texts: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
  }
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const paper = {
    text: texts.join('\n'),
    pages: pdf.numPages,
    widthMm: Math.round(width * millimetresPerPoint),
    heightMm: Math.round(height * millimetresPerPoint),
  };
  await task.destroy();
  return paper;
}
