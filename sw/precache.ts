/**
 * The app shell, precached so that the app opens without a network. It replaces the Workbox library, which is larger than
 * the rest of this file's job. A new version fetches only the files that changed, and an interrupted install continues
 * where it stopped. Nothing under `/api` is cached or served from here.
 *
 * While a new version waits, both versions share one cache; the revision in each key tells their files apart. When the new
 * version activates, it deletes the old version's files.
 */
declare const self: ServiceWorkerGlobalScope;

/** An entry of the Workbox manifest that the build injects. */
export interface ShellFile {
  url: string;
  /** Null when the file name contains a hash of the content. */
  revision: string | null;
}

/** The static routing API of service workers, which TypeScript's library lacks. */
interface RoutableEvent extends ExtendableEvent {
  addRoutes?: (route: { condition: { urlPattern: string }; source: { cacheName: string } }) => Promise<void>;
}

const cacheName = 'shell';
const parallelFetches = 6;

const cacheKey = ({ url, revision }: ShellFile): string => {
  const key = new URL(url, self.location.origin);
  if (revision !== null) key.searchParams.set('revision', revision);
  return key.href;
};

/** Registers the install, activate and fetch handlers of the shell. */
export function serveShell(files: readonly ShellFile[]): void {
  const keys = new Map(files.map((file) => [new URL(file.url, self.location.origin).pathname, cacheKey(file)]));
  self.addEventListener('install', (event) => {
    // The browser then serves assets from the cache without starting the worker, and requests a missing one from the server.
    void (event as RoutableEvent).addRoutes?.({ condition: { urlPattern: '/assets/*' }, source: { cacheName } });
    event.waitUntil(fetchMissing(files));
  });
  self.addEventListener('activate', (event) => event.waitUntil(deleteOthers(new Set(keys.values()))));
  self.addEventListener('fetch', (event) => {
    const key = shellKey(event.request, keys);
    if (key !== undefined) event.respondWith(fromShell(event.request, key));
  });
}

function shellKey(request: Request, keys: ReadonlyMap<string, string>): string | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api/')) return undefined;
  // Every other address is a screen of the single page.
  return keys.get(pathname) ?? (request.mode === 'navigate' ? keys.get('/index.html') : undefined);
}

async function fromShell(request: Request, key: string): Promise<Response> {
  const cached = await caches.match(key, { cacheName });
  // A browser short of space may have evicted the file.
  return cached ?? fetch(request);
}

/** Rejects when a file can't be fetched. The files fetched so far stay, and the next attempt fetches the rest. */
async function fetchMissing(files: readonly ShellFile[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const cached = new Set((await cache.keys()).map(({ url }) => url));
  const missing = files.filter((file) => !cached.has(cacheKey(file)));
  const fetchNext = async (): Promise<void> => {
    for (let file = missing.pop(); file; file = missing.pop()) {
      const response = await fetch(file.url, { cache: file.revision === null ? 'default' : 'no-cache' });
      if (!response.ok || response.redirected)
        throw new Error(`Failed to precache ${file.url}: HTTP ${response.status}`);
      await cache.put(cacheKey(file), response);
    }
  };
  await Promise.all(Array.from({ length: parallelFetches }, fetchNext));
}

async function deleteOthers(wanted: ReadonlySet<string>): Promise<void> {
  const cache = await caches.open(cacheName);
  const others = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(others.map((request) => cache.delete(request)));
}
