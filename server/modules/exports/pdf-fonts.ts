/** The app's own typeface on paper. It has the letters of every language written in Latin, Greek or Cyrillic. */
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

/** PDFKit shows the parsed font file only in here. */
interface OpenFace {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

const known = new Map<number, boolean>();

/** The text on one line and in letters that the typeface has; a question mark stands for each other, where a box would. */
export function printable(doc: PDFKit.PDFDocument, text: string): string {
  const { font } = (doc as unknown as OpenFace)._font;
  const isKnown = (codePoint: number) => {
    let answer = known.get(codePoint);
    if (answer === undefined) known.set(codePoint, (answer = font.hasGlyphForCodePoint(codePoint)));
    return answer;
  };
  const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  return Array.from(line, (letter) => (isKnown(letter.codePointAt(0)!) ? letter : '?')).join('');
}
