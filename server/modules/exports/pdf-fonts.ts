/**
 * The typefaces of PDF files. The app's own covers every language written in Latin, Greek or Cyrillic letters; names in Arabic and
 * Hebrew letters have one of theirs. The letters of Chinese, Japanese and Korean would take tens of megabytes.
 */
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const face = (file: string) => resolve(`@expo-google-fonts/${file}.ttf`);

/**
 * The files of the typefaces. A document names a typeface by its file: PDFKit would parse one that is registered under another
 * name, and is the document's first, each time that it is asked for.
 */
export const typefaces = {
  regular: face('inter/400Regular/Inter_400Regular'),
  bold: face('inter/600SemiBold/Inter_600SemiBold'),
  arabic: face('noto-sans-arabic/400Regular/NotoSansArabic_400Regular'),
  hebrew: face('noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular'),
};

/** What each other typeface writes: names without digits, because PDFKit orders no text of two directions. */
const written: [file: string, RegExp][] = [
  [typefaces.arabic, /^[\p{Script=Arabic}\p{Script=Inherited}\s.'-]+$/u],
  [typefaces.hebrew, /^[\p{Script=Hebrew}\p{Script=Inherited}\s.'-]+$/u],
];
const anyOther = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Returns the typeface of the text of a cell. */
export function typefaceOf(text: string): string {
  if (!anyOther.test(text)) return typefaces.regular;
  return written.find(([, letters]) => letters.test(text))?.[0] ?? typefaces.regular;
}

/** PDFKit exposes the parsed font only here. */
interface OpenFace {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

const known = new Map<number, boolean>();

const withGaps = new WeakSet<PDFKit.PDFDocument>();

/** Returns whether the typeface lacked a character of what was made printable for the document. */
export const hasGaps = (doc: PDFKit.PDFDocument): boolean => withGaps.has(doc);

/**
 * Returns the text on one line in the document's typeface. A question mark replaces each character that it lacks; PDFKit would
 * draw a box.
 */
export function printable(doc: PDFKit.PDFDocument, text: string): string {
  return withoutGaps(doc, onOneLine(text));
}

/** Returns the text of a cell on one line, which `typefaceOf` gives its typeface. */
export function printableCell(doc: PDFKit.PDFDocument, text: string): string {
  const line = onOneLine(text);
  return typefaceOf(line) === typefaces.regular ? withoutGaps(doc, line) : line;
}

const onOneLine = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

function withoutGaps(doc: PDFKit.PDFDocument, line: string): string {
  const { font } = (doc as unknown as OpenFace)._font;
  const isKnown = (codePoint: number) => {
    let answer = known.get(codePoint);
    if (answer === undefined) known.set(codePoint, (answer = font.hasGlyphForCodePoint(codePoint)));
    return answer;
  };
  return Array.from(line, (letter) => {
    if (isKnown(letter.codePointAt(0)!)) return letter;
    withGaps.add(doc);
    return '?';
  }).join('');
}
