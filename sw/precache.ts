/**
 * The app's shell, so that it opens without a network. Written by hand because the library for it is a seventh of what
 * the worker may weigh, and because of the bad Wi-Fi: a new version fetches only the files that changed, and an install
 * that breaks off goes on where it stopped. Nothing under `/api` is ever served from here, nor kept.
 *
 * Both versions live in one cache while the new one waits, told apart by the revision in each key; the old one's files
 * go when the new one takes over.
 */
declare const self: ServiceWorkerGlobalScope;

export interface ShellFile {
  url: string;
  /** Null where the name itself carries a hash of the content. */
  revision: string | null;
}

/** As the build writes them: an entry with `*` stands for many files, whose hashes of eight characters are its revision. */
const unfold = (entry: ShellFile): ShellFile | ShellFile[] =>
  entry.url.includes('*')
    ? entry.revision!.match(/.{8}/g)!.map((hash) => ({ url: entry.url.replace('*', hash), revision: null }))
    : entry;

/** Chromium can serve from a cache without asking the worker; what the cache lacks, it gets from the server. The compiler's library does not know it. */
interface RoutableEvent extends ExtendableEvent {
  addRoutes?: (route: { condition: { urlPattern: string }; source: { cacheName: string } }) => Promise<void>;
}

const cacheName = 'shell';
const atOnce = 6;

const keyOf = ({ url, revision }: ShellFile): string => {
  const key = new URL(url, self.location.origin);
  if (revision !== null) key.searchParams.set('revision', revision);
  return key.href;
};

/** Registers its own install, activate and fetch handlers. */
export function serveShell(entries: readonly ShellFile[]): void {
  const files = entries.flatMap(unfold);
  const keys = new Map(files.map((file) => [new URL(file.url, self.location.origin).pathname, keyOf(file)]));
  self.addEventListener('install', (event) => {
    void (event as RoutableEvent).addRoutes?.({ condition: { urlPattern: '/assets/*' }, source: { cacheName } });
    event.waitUntil(fetchMissing(files));
  });
  self.addEventListener('activate', (event) => event.waitUntil(dropOthers(new Set(keys.values()))));
  self.addEventListener('fetch', (event) => {
    const key = shellKey(event.request, keys);
    if (key !== undefined) event.respondWith(fromShell(event.request, key));
  });
}

function shellKey(request: Request, keys: ReadonlyMap<string, string>): string | undefined {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || pathname.startsWith('/api/')) return undefined;
  // Every address is a screen of the one page.
  return keys.get(pathname) ?? (request.mode === 'navigate' ? keys.get('/index.html') : undefined);
}

async function fromShell(request: Request, key: string): Promise<Response> {
  const kept = await caches.match(key, { cacheName });
  // A browser short of space may have dropped a file; the server still has it.
  return kept ?? fetch(request);
}

/** Fails as a whole when a file cannot be had; what has arrived stays, and the next attempt asks for the rest. */
async function fetchMissing(files: readonly ShellFile[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const missing = files.filter((file) => !kept.has(keyOf(file)));
  const fetchNext = async (): Promise<void> => {
    for (let file = missing.pop(); file; file = missing.pop()) {
      const response = await fetch(file.url, { cache: file.revision === null ? 'default' : 'no-cache' });
      if (!response.ok || response.redirected) throw new Error(`${file.url} could not be kept: ${response.status}`);
      await cache.put(keyOf(file), response);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, fetchNext));
}

async function dropOthers(wanted: ReadonlySet<string>): Promise<void> {
  const cache = await caches.open(cacheName);
  const others = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(others.map((request) => cache.delete(request)));
}
