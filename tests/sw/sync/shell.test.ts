import { beforeEach, expect, test, vi } from 'vitest';

const origin = 'https://clinic.test';
type Listener = (event: {
  request: Request;
  waitUntil: (work: Promise<unknown>) => void;
  respondWith: (reply: Promise<Response>) => void;
}) => void;

let listeners: Record<string, Listener>;
let kept: Map<string, Response>;

beforeEach(async () => {
  listeners = {};
  kept = new Map();
  vi.stubGlobal('self', {
    location: { origin },
    addEventListener: (name: string, listener: Listener) => (listeners[name] = listener),
  });
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => [...kept.keys()].map((url) => ({ url })),
      put: async (key: string, response: Response) => void kept.set(key, response),
    }),
    match: async (key: string) => kept.get(key)?.clone(),
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
  let installed: Promise<unknown> | undefined;
  listeners['install']!({ waitUntil: (work: Promise<unknown>) => (installed = work) } as never);
  await installed;
});

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
  expect([...kept.keys()]).toEqual([`${origin}/assets/main.js`, `${origin}/index.html?revision=a1`]);
});
