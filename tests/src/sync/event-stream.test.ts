import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionRow } from '#src/db/database.ts';
import { eventually } from '#tests/support/eventually.ts';
import { openTablet } from '../db/tablet.ts';
import type { OfflineTablet } from '../db/tablet.ts';

/** The bounds of each pause. A pause takes a moment of real time here. */
const pauses: (readonly [number, number])[] = [];
vi.mock('#src/sync/pause.ts', () => ({
  pause: (bounds: readonly [number, number]) => {
    pauses.push(bounds);
    return new Promise<void>((end) => setTimeout(end, 1));
  },
}));
const { followEvents } = await import('#src/sync/event-stream.ts');

/** The stream needs no more of a session than its token. */
const session = { user: { id: 7, name: 'Ana' } } as SessionRow;

let tablet: OfflineTablet;
let end: AbortController;
let changes: number;
const connect = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

/** Returns an accepted stream of these texts, which then ends; one that stays open if `isOpen`. */
function streamOf(texts: string[], { type = 'text/event-stream', status = 200, isOpen = false } = {}): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
      if (!isOpen) controller.close();
    },
  });
  return new Response(body, { status, headers: { 'content-type': type } });
}

const waits = () => pauses.filter(([least, most]) => least > 0 && most > least).map(([, most]) => most / 1000);

beforeEach(async () => {
  tablet = await openTablet();
  await tablet.db.session.put({ ...session, id: 'this', token: 'a token', exp: Date.now() / 1000 + 3600 });
  end = new AbortController();
  changes = 0;
  pauses.length = 0;
  connect.mockReset().mockRejectedValue(new TypeError('no network'));
  vi.stubGlobal('fetch', connect);
});

afterEach(() => {
  end.abort();
  vi.unstubAllGlobals();
  tablet.close();
});

const follow = (isTakenOver = false) =>
  followEvents({
    db: tablet.db,
    onChange: () => (changes += 1),
    answersAgain: () => new AbortController().signal,
    signal: end.signal,
    isTakenOver,
  });

describe('SYNC-9 the stream of pokes', () => {
  test('each event is one poke, and a heartbeat is none', async () => {
    connect.mockResolvedValueOnce(streamOf([': heartbeat\n\n', 'data: \n\n', 'da', 'ta: \n\n'], { isOpen: true }));
    void follow();
    await eventually(() => expect(changes).toBe(2));
    expect(connect.mock.calls[0]).toMatchObject([
      '/api/sync/events',
      { cache: 'no-store', headers: { accept: 'text/event-stream', authorization: 'Bearer a token' } },
    ]);
    expect(pauses).toEqual([]);
  });

  test('a stream that another tab had before lets the engine ask once, as soon as the server has accepted it', async () => {
    connect.mockResolvedValueOnce(streamOf([': heartbeat\n\n'], { isOpen: true }));
    void follow(true);
    await eventually(() => expect(changes).toBe(1));
  });

  test('a stream that ends lets the engine ask once, and begins again soon', async () => {
    connect.mockImplementation(async () => streamOf([]));
    void follow();
    await eventually(() => expect(changes).toBeGreaterThan(3));
    expect(pauses[0]).toEqual([0, 1000]);
    expect(new Set(waits())).toEqual(new Set([2]));
  });

  test('a server that is away is tried less and less often, and the engine asks each time', async () => {
    void follow();
    await eventually(() => expect(waits().length).toBeGreaterThan(6));
    expect(waits().slice(0, 7)).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(changes).toBeGreaterThan(5);
  });

  test.each([
    ['an error', () => streamOf(['data: \n\n'], { status: 401 })],
    ['a page', () => streamOf(['data: \n\n'], { type: 'text/html' })],
  ])('%s in place of the stream is a refusal, which pokes nobody', async (_what, reply) => {
    connect.mockImplementation(async () => reply());
    void follow();
    await eventually(() => expect(waits().length).toBeGreaterThan(3));
    expect(waits().slice(0, 4)).toEqual([2, 4, 8, 16]);
    expect(changes).toBe(0);
  });

  test('a device without a session asks for no stream', async () => {
    await tablet.db.session.clear();
    void follow();
    await eventually(() => expect(waits().length).toBeGreaterThan(3));
    expect(connect).not.toHaveBeenCalled();
    expect(changes).toBe(0);
  });

  test('it ends with its signal, and pokes nobody after it', async () => {
    connect.mockImplementation(async (_path, { signal }) => {
      const body = new ReadableStream({
        start: (stream) => signal!.addEventListener('abort', () => stream.error(signal!.reason)),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    const followed = follow();
    await eventually(() => expect(connect).toHaveBeenCalled());
    end.abort();
    await followed;
    expect(connect).toHaveBeenCalledTimes(1);
    expect(changes).toBe(0);
  });
});
