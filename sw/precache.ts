/**
 * The app shell, precached so that the app opens without a network. It replaces the Workbox library, which is larger than
 * the rest of this file's job. A new version fetches only the files that changed, and an interrupted install continues
 * where it stopped. Nothing under `/api` is cached or served from here.
 *
 * While a new version waits, both versions share one cache; the revision in each key tells their files apart. The page that
 * opens at `/` lies in a cache per version besides, because a static route can't name a revision. When the new version
 * activates, it deletes the old version's files.
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
  addRoutes?: (
    routes: {
      condition: { urlPattern: string | { pathname: string; search: string } };
      source: { cacheName: string };
    }[],
  ) => Promise<void>;
}

const cacheName = 'shell';
/** Begins the name of a cache that holds the page for `/`, where the app opens. Each version has its own. */
const startCachePrefix = 'start-';
const parallelFetches = 6;

const cacheKey = ({ url, revision }: ShellFile): string => {
  const key = new URL(url, self.location.origin);
  if (revision !== null) key.searchParams.set('revision', revision);
  return key.href;
};

/** Registers the install, activate and fetch handlers of the shell. */
export function serveShell(files: readonly ShellFile[]): void {
  const keys = new Map(files.map((file) => [new URL(file.url, self.location.origin).pathname, cacheKey(file)]));
  const pageKey = keys.get('/index.html')!;
  const startCache = `${startCachePrefix}${new URL(pageKey).searchParams.get('revision')}`;
  self.addEventListener('install', (event) => {
    // The browser then serves these from the cache without starting the worker, and requests a missing one from the server.
    void (event as RoutableEvent).addRoutes?.([
      { condition: { urlPattern: '/assets/*' }, source: { cacheName } },
      { condition: { urlPattern: { pathname: '/', search: '' } }, source: { cacheName: startCache } },
    ]);
    event.waitUntil(fetchMissing(files).then(() => copyPage(pageKey, startCache)));
  });
  self.addEventListener('activate', (event) => event.waitUntil(deleteOthers(new Set(keys.values()), startCache)));
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

/** Stores the page for the route of `/`, which finds it by this address alone. */
async function copyPage(pageKey: string, startCache: string): Promise<void> {
  const page = await caches.match(pageKey, { cacheName });
  if (page) await (await caches.open(startCache)).put('/', page);
}

async function deleteOthers(wanted: ReadonlySet<string>, startCache: string): Promise<void> {
  const cache = await caches.open(cacheName);
  const others = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  const pages = (await caches.keys()).filter((name) => name.startsWith(startCachePrefix) && name !== startCache);
  await Promise.all([...others.map((request) => cache.delete(request)), ...pages.map((name) => caches.delete(name))]);
}
