/** The clinic's logo. Its address never changes its picture, so the worker keeps it, and this page too once it has loaded it. */

/** A document does not wait longer for it. */
const timeoutMs = 1500;
/** More than the highest place for it has, at the resolution of a printer. */
const mostPixels = 1600;

const known = new Map<string, Promise<ImageBitmap | null>>();

/** Returns the picture; null without an address, and where it cannot be loaded. */
export function loadLogo(url: string): Promise<ImageBitmap | null> {
  if (!url) return Promise.resolve(null);
  let loading = known.get(url);
  if (!loading) {
    loading = read(url).catch(() => {
      known.delete(url);
      return null;
    });
    known.set(url, loading);
  }
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null));
  return Promise.race([loading, timeout]);
}

async function read(url: string): Promise<ImageBitmap> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The logo answers ${response.status}`);
  return createImageBitmap(await response.blob());
}

/** Draws the picture. A canvas needs no address that the document would have to load. */
export function logoElement(document: Document, picture: ImageBitmap, name: string): HTMLElement {
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, mostPixels / Math.max(picture.width, picture.height));
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.className = 'paper-logo';
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', name);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
