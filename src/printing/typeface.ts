/** The app's typeface in a document of its own window, so that a PDF made of it contains the same letters everywhere. */
import latinExtended from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url';
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { PrintedRow } from '#domain/printed-row.ts';

const family = 'Inter Variable';
const faces = [
  {
    url: latin,
    unicodeRange: 'U+0000-00FF, U+0131, U+0152-0153, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2212',
  },
  // Few documents need it, and the worker has it only once it was needed.
  { url: latinExtended, unicodeRange: 'U+0100-02BA, U+1E00-1E9F, U+1EF2-1EFF', needed: /[\u0100-\u02ba\u1e00-\u1eff]/ },
];
/** A document does not wait longer for it: it then prints in the letters of the system. */
const timeoutMs = 1500;

const files = new Map<string, Promise<ArrayBuffer>>();

function fileOf(url: string): Promise<ArrayBuffer> {
  let file = files.get(url);
  if (!file) {
    file = fetch(url).then((response) => response.arrayBuffer());
    file.catch(() => files.delete(url));
    files.set(url, file);
  }
  return file;
}

/** Loads the letters that nearly all documents need; none of them waits for a failure. */
export const loadLetters = (): Promise<unknown> => fileOf(latin).catch(() => null);

/**
 * Loads the typeface into a document. The app's own document has it by its style sheet.
 *
 * @param rows what the document says
 */
export async function loadTypeface(document: Document, rows: readonly PrintedRow[]): Promise<void> {
  const text = rows.map(({ left = '', right = '' }) => left + right).join('');
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs));
  await Promise.race([timeout, loadInto(document, text)]).catch(() => undefined);
}

async function loadInto(document: Document, text: string): Promise<void> {
  if (!document.fonts) return;
  if (document === globalThis.document) {
    await document.fonts.load(`1em "${family}"`);
    return;
  }
  // A document shows only faces that its own window made.
  const { FontFace: Face } = document.defaultView as unknown as { FontFace: typeof FontFace };
  const wanted = faces.filter(({ needed }) => !needed || needed.test(text));
  await Promise.allSettled(
    wanted.map(async ({ url, unicodeRange }) => {
      const face = new Face(family, await fileOf(url), { weight: '100 900', unicodeRange });
      document.fonts.add(await face.load());
    }),
  );
}
