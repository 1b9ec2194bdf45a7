/** Prints a document as a printer does, photographs the paper, and reads the QR code of the photograph. */
import type { Browser, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import jsQr from 'jsqr';
import sharp from 'sharp';

/** The resolution of receipt printers. */
const dotsPerInch = 203;

const moduleOf = createRequire(import.meta.url);
const library = (name: string): Buffer => readFileSync(moduleOf.resolve(`pdfjs-dist/build/${name}`));

const rasteriser = `<!doctype html><script type="module">
  import { getDocument, GlobalWorkerOptions } from '/pdf.min.mjs';
  GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs';
  globalThis.pages = async (base64, scale) => {
    const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const pdf = await getDocument({ data }).promise;
    const pages = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale });
      const canvas = Object.assign(document.createElement('canvas'), viewport);
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      await page.render({ canvas, viewport }).promise;
      pages.push(canvas.toDataURL('image/png').split(',')[1]);
    }
    return pages;
  };
</script>`;

declare global {
  // Of the rasterising page.
  var pages: (base64: string, scale: number) => Promise<string[]>;
}

/** The page that draws documents, by browser. */
const rasterisers = new WeakMap<Browser, Promise<Page>>();

async function openRasteriser(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.route('http://paper.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    return pathname.endsWith('.mjs')
      ? route.fulfill({ contentType: 'text/javascript', body: library(pathname.slice(1)) })
      : route.fulfill({ contentType: 'text/html', body: rasteriser });
  });
  await page.goto('http://paper.test/');
  await page.waitForFunction(() => 'pages' in globalThis);
  return page;
}

/** Returns the pages of a document, in a printer's dots. */
export async function printedPages(browser: Browser, printed: Page): Promise<Buffer[]> {
  const pdf = await printed.pdf({ preferCSSPageSize: true });
  const opening = rasterisers.get(browser) ?? openRasteriser(browser);
  rasterisers.set(browser, opening);
  const images = await (
    await opening
  ).evaluate(({ base64, by }) => globalThis.pages(base64, by), {
    base64: pdf.toString('base64'),
    by: dotsPerInch / 72,
  });
  return images.map((image) => Buffer.from(image, 'base64'));
}

/** Photographs a paper that lies askew on a grey table in poor light, somewhat out of focus. */
export const photographed = async (paper: Buffer): Promise<Buffer> =>
  sharp(await sharp(paper).flatten({ background: '#fff' }).rotate(4, { background: '#777' }).toBuffer())
    .extend({ top: 40, bottom: 60, left: 50, right: 30, background: '#777' })
    .resize({ width: Math.round((await sharp(paper).metadata()).width * 1.3) })
    .blur(1.6)
    .linear(0.6, 30)
    .jpeg({ quality: 50 })
    .toBuffer();

/** Returns what the QR code of an image says; undefined if none is found. */
export async function readCode(image: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  // A printed code is dark on light; jsQR would else search the inverted image as well.
  return jsQr(new Uint8ClampedArray(data), info.width, info.height, { inversionAttempts: 'dontInvert' })?.data;
}
