/**
 * Caches the pictures of services as they are first fetched, so that tiles look the same without a network. An upload's
 * address is immutable, so a cached picture is never revalidated. Receipts are served under `/api`, which is never cached.
 */
import { endableFetch } from './endable-fetch.ts';

const cacheName = 'pictures';
const maxPictures = 300;

export const isPicture = ({ method, url }: Request): boolean =>
  method === 'GET' && url.startsWith(`${location.origin}/uploads/`);

/**
 * Serves a picture from the cache or the network. When the storage fails or is full, the picture is served uncached. One that
 * cannot be fetched is an error status, because WebKit reports a rejection as an unhandled one (`FetchEvent.handled`).
 *
 * @param waitUntil keeps the worker alive for work that outlives the response
 */
export async function servePicture(request: Request, waitUntil: (work: Promise<unknown>) => void): Promise<Response> {
  const cached = await caches.match(request, { cacheName }).catch(() => undefined);
  if (cached) return cached;
  const response = await endableFetch(request).catch(() => new Response(null, { status: 504 }));
  if (response.ok) waitUntil(store(request, response.clone()).catch(() => undefined));
  return response;
}

/** Stores the picture and evicts the oldest ones above the limit. */
async function store(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.put(request, response);
  const all = await cache.keys();
  await Promise.all(all.slice(0, -maxPictures).map((old) => cache.delete(old)));
}
