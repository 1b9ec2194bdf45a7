import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { servePicture, isPicture } from '#sw/pictures.ts';

const origin = 'https://clinic.test';

/** Cache Storage as far as pictures need it: entries in the order in which they were put. */
class Shelf {
  readonly entries = new Map<string, Response>();
  fails = false;

  open = async () => ({
    put: async (request: Request, response: Response) => {
      if (this.fails) throw new DOMException('full', 'QuotaExceededError');
      this.entries.delete(request.url);
      this.entries.set(request.url, response);
    },
    keys: async () => [...this.entries.keys()].map((url) => new Request(url)),
    delete: async (request: Request) => this.entries.delete(request.url),
  });

  match = async (request: Request) => {
    if (this.fails) throw new DOMException('broken', 'UnknownError');
    return this.entries.get(request.url)?.clone();
  };
}

let shelf: Shelf;
let network: (request: Request) => Promise<Response>;
let asked: string[];

beforeEach(() => {
  shelf = new Shelf();
  asked = [];
  network = async (request) => new Response(`picture at ${request.url}`, { headers: { 'content-type': 'image/webp' } });
  vi.stubGlobal('caches', shelf);
  vi.stubGlobal('fetch', (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return network(request);
  });
  vi.stubGlobal('location', { origin });
});
afterEach(() => vi.unstubAllGlobals());

/** Returns the worker's response after its background work has ended; null when it does not handle the request. */
async function ask(url: string, init: RequestInit = {}): Promise<Response | null> {
  const besides: Promise<unknown>[] = [];
  const request = new Request(url.startsWith('http') ? url : origin + url, init);
  const response = isPicture(request) ? await servePicture(request, (work) => besides.push(work)) : null;
  await Promise.all(besides);
  return response;
}

describe('the worker and pictures', () => {
  test('fetches a picture once and serves it without a network', async () => {
    const first = await (await ask('/uploads/1/a.webp'))!.text();
    network = () => Promise.reject(new TypeError('offline'));
    const again = await ask('/uploads/1/a.webp');
    expect([first, await again!.text(), asked.length]).toEqual([`picture at ${origin}/uploads/1/a.webp`, first, 1]);
  });

  test('answers with an error status when a picture cannot be fetched', async () => {
    network = () => Promise.reject(new TypeError('offline'));
    expect((await ask('/uploads/1/b.webp'))!.status).toBe(504);
    expect(shelf.entries.size).toBe(0);
  });

  test.each(['/api/uploads/1', '/api/stock', '/', '/uploads', 'https://elsewhere.test/uploads/1/a.webp'])(
    'does not handle %s',
    async (url) => {
      expect(await ask(url)).toBeNull();
    },
  );

  test('ignores requests that are not for pictures', async () => {
    expect(await ask('/uploads/1/a.webp', { method: 'POST' })).toBeNull();
  });

  test('does not cache an error', async () => {
    network = async () => new Response('{}', { status: 404 });
    expect((await ask('/uploads/1/gone.webp'))!.status).toBe(404);
    expect(shelf.entries.size).toBe(0);
  });

  test('keeps the newest 300 pictures', async () => {
    for (let index = 0; index < 305; index++) await ask(`/uploads/1/${index}.webp`);
    expect(shelf.entries.size).toBe(300);
    expect([...shelf.entries.keys()][0]).toBe(`${origin}/uploads/1/5.webp`);
  });

  test('serves a picture when the cache fails', async () => {
    shelf.fails = true;
    expect((await ask('/uploads/1/a.webp'))!.status).toBe(200);
    expect(asked).toEqual(['/uploads/1/a.webp']);
  });
});
