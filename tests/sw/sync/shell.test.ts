import { beforeEach, expect, test, vi } from 'vitest';

const origin = 'https://clinic.test';
type Listener = (event: {
  request: Request;
  waitUntil: (work: Promise<unknown>) => void;
  respondWith: (reply: Promise<Response>) => void;
}) => void;

let listeners: Record<string, Listener>;
/** The files of each cache by its name. */
let kept: Map<string, Map<string, Response>>;
let routes: unknown[];

beforeEach(async () => {
  listeners = {};
  kept = new Map();
  vi.stubGlobal('self', {
    location: { origin },
    addEventListener: (name: string, listener: Listener) => (listeners[name] = listener),
  });
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      const files = kept.get(name) ?? new Map<string, Response>();
      kept.set(name, files);
      return {
        keys: async () => [...files.keys()].map((url) => ({ url })),
        put: async (key: string, response: Response) => void files.set(key, response),
        delete: async ({ url }: Request) => files.delete(url),
      };
    },
    keys: async () => [...kept.keys()],
    delete: async (name: string) => kept.delete(name),
    match: async (key: string, { cacheName }: { cacheName: string }) => kept.get(cacheName)?.get(key)?.clone(),
  });
  vi.stubGlobal('fetch', async (url: string) => new Response(`file ${url}`));
  // Its types are those of a worker, which the compiler of this folder does not know.
  const { serveShell } = (await import(new URL('../../../sw/precache.ts', import.meta.url).href)) as {
    serveShell: (files: { url: string; revision: string | null }[]) => void;
  };
  serveShell([
    { url: 'index.html', revision: 'a1' },
    { url: 'assets/main.js', revision: null },
  ]);
  routes = [];
  await happen('install', { addRoutes: async (added: unknown[]) => void routes.push(...added) });
});

/** Lets an event of the worker's life happen, and waits for the work that it begins. */
async function happen(name: 'install' | 'activate', event: object = {}): Promise<void> {
  const works: Promise<unknown>[] = [];
  listeners[name]!({ ...event, waitUntil: (work: Promise<unknown>) => works.push(work) } as never);
  await Promise.all(works);
}

/** Returns the worker's response; null when it leaves the request to the network. */
async function answer(path: string, init: { method?: string; mode?: string } = {}): Promise<string | null> {
  let replied: Promise<Response> | undefined;
  const request = { url: new URL(path, origin).href, method: 'GET', mode: 'cors', ...init } as Request;
  listeners['fetch']!({ request, waitUntil: () => {}, respondWith: (reply) => (replied = reply) });
  return replied ? (await replied).text() : null;
}

test('opens every screen and file of the app without a network', async () => {
  expect(await answer('/admin/stock', { mode: 'navigate' })).toBe('file index.html');
  expect(await answer('/assets/main.js')).toBe('file assets/main.js');
});

test('SECURITY handles no request under /api and no write, and caches only the files of the app', async () => {
  for (const path of ['/api/orders', '/api/sync/changes?cursor=1', '/api/uploads/1', '/api/index.html']) {
    expect([path, await answer(path), await answer(path, { mode: 'navigate' })]).toEqual([path, null, null]);
  }
  expect(await answer('/index.html', { method: 'POST' })).toBeNull();
  expect(await answer('https://elsewhere.test/index.html')).toBeNull();
  expect([...kept.get('shell')!.keys()]).toEqual([`${origin}/assets/main.js`, `${origin}/index.html?revision=a1`]);
});

test('the browser opens the app at / without the worker, by a cache that belongs to the version', async () => {
  expect(routes).toContainEqual({
    condition: { urlPattern: { pathname: '/', search: '' } },
    source: { cacheName: 'start-a1' },
  });
  expect(await kept.get('start-a1')!.get('/')!.text()).toBe('file index.html');
});

test('a version that takes over deletes the files of the one before, and no pictures', async () => {
  kept.get('shell')!.set(`${origin}/index.html?revision=a0`, new Response('before'));
  kept.set('start-a0', new Map([['/', new Response('before')]]));
  kept.set('pictures', new Map());
  await happen('activate');
  expect([...kept.keys()]).toEqual(['shell', 'start-a1', 'pictures']);
  expect([...kept.get('shell')!.keys()]).toEqual([`${origin}/assets/main.js`, `${origin}/index.html?revision=a1`]);
});
