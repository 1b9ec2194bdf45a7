/**
 * Pictures of what the counter sells, kept as they are first seen, so that tiles look the same without a network. What
 * stands at such an address never changes, so a kept one is not asked for again. Only these: receipts live under `/api`,
 * of which nothing is ever kept.
 */
const cacheName = 'pictures';
const mostKept = 300;

export const isPicture = ({ method, url }: Request): boolean =>
  method === 'GET' && url.startsWith(`${location.origin}/uploads/`);

/**
 * A storage that fails or is full only costs the keeping.
 *
 * @param meanwhile takes the work that outlives the answer
 */
export async function answerPicture(request: Request, meanwhile: (work: Promise<unknown>) => void): Promise<Response> {
  const kept = await caches.match(request, { cacheName }).catch(() => undefined);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) meanwhile(keep(request, response.clone()).catch(() => undefined));
  return response;
}

/** The oldest make room. */
async function keep(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.put(request, response);
  const all = await cache.keys();
  await Promise.all(all.slice(0, -mostKept).map((old) => cache.delete(old)));
}
