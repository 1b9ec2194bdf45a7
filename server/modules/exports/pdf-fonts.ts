/** The app's own typeface for PDF files. It covers every language written in Latin, Greek or Cyrillic letters. */
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const face = (weight: string) => resolve(`@expo-google-fonts/inter/${weight}/Inter_${weight}.ttf`);

export const fonts = {
  get regular() {
    return face('400Regular');
  },
  get bold() {
    return face('600SemiBold');
  },
};

/** PDFKit exposes the parsed font only here. */
interface OpenFace {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

const known = new Map<number, boolean>();

const withGaps = new WeakSet<PDFKit.PDFDocument>();

/** Returns whether the typeface lacked a character of what was made printable for the document. */
export const hasGaps = (doc: PDFKit.PDFDocument): boolean => withGaps.has(doc);

/**
 * Returns the text on one line. A question mark replaces each character that the typeface lacks; PDFKit would draw a
 * box.
 */
export function printable(doc: PDFKit.PDFDocument, text: string): string {
  const { font } = (doc as unknown as OpenFace)._font;
  const isKnown = (codePoint: number) => {
    let answer = known.get(codePoint);
    if (answer === undefined) known.set(codePoint, (answer = font.hasGlyphForCodePoint(codePoint)));
    return answer;
  };
  const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return Array.from(line, (letter) => {
    if (isKnown(letter.codePointAt(0)!)) return letter;
    withGaps.add(doc);
    return '?';
  }).join('');
}
