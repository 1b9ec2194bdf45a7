import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { updateSync } from '#src/db/singletons.ts';
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
const { probeWhileOffline } = await import('#src/sync/probe.ts');

const alive = () => Response.json({ success: true });
const moment = () => new Promise((end) => setTimeout(end, 40));

let tablet: OfflineTablet;
let page: { visibilityState: string };
let end: AbortController;
const told = { reached: 0, online: 0 };
const health = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

beforeEach(async () => {
  tablet = await openTablet();
  page = { visibilityState: 'visible' };
  end = new AbortController();
  Object.assign(told, { reached: 0, online: 0 });
  pauses.length = 0;
  health.mockReset().mockRejectedValue(new TypeError('no network'));
  vi.stubGlobal('fetch', health);
  vi.stubGlobal('document', page);
});

afterEach(() => {
  end.abort();
  vi.unstubAllGlobals();
  tablet.close();
});

const watch = () =>
  probeWhileOffline({
    db: tablet.db,
    onReached: () => (told.reached += 1),
    onOnline: () => (told.online += 1),
    signal: end.signal,
  });

describe('SYNC-13 the page asks an unreachable server for a sign of life', () => {
  test('it asks again after each failure, at the same pace', async () => {
    watch();
    await eventually(() => expect(health.mock.calls.length).toBeGreaterThan(3));
    expect(health.mock.calls[0]).toMatchObject([
      '/api/health',
      { cache: 'no-store', credentials: 'omit', redirect: 'error' },
    ]);
    expect(new Set(pauses.map(String))).toEqual(new Set(['1000,2000']));
    expect(told).toEqual({ reached: 0, online: 0 });
  });

  test('a server that answers is told, and is asked half as often each time, at least once a minute', async () => {
    health.mockImplementation(async () => alive());
    watch();
    await eventually(() => expect(told.reached).toBeGreaterThan(6));
    expect(pauses.slice(0, 7).map(([, most]) => most / 1000)).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });

  test.each([
    ['an error', () => Response.json({ success: true }, { status: 503 })],
    ['a refusal', () => Response.json({ success: false })],
    ['a text that only looks like success', () => Response.json({ success: 'true' })],
    ["a captive portal's page", () => new Response('<html>Welcome</html>')],
  ])('%s is no sign of life', async (_what, reply) => {
    health.mockImplementation(async () => reply());
    watch();
    await eventually(() => expect(health.mock.calls.length).toBeGreaterThan(3));
    expect(told.reached).toBe(0);
  });

  test('a page that nobody looks at asks nothing', async () => {
    page.visibilityState = 'hidden';
    watch();
    await eventually(() => expect(pauses.length).toBeGreaterThan(3));
    expect(health).not.toHaveBeenCalled();
    page.visibilityState = 'visible';
    await eventually(() => expect(health).toHaveBeenCalled());
  });

  test('it stops when the engine has reached the server, which it tells once', async () => {
    watch();
    await eventually(() => expect(health).toHaveBeenCalled());
    await updateSync(tablet.db, { link: 'online' });
    await eventually(() => expect(told.online).toBe(1));
    await moment();
    const asked = health.mock.calls.length;
    await moment();
    expect(health.mock.calls.length).toBe(asked);
    expect(told.online).toBe(1);

    await updateSync(tablet.db, { link: 'offline' });
    await eventually(() => expect(health.mock.calls.length).toBeGreaterThan(asked));
  });

  test('a link that was never lost has not come back', async () => {
    await updateSync(tablet.db, { link: 'online' });
    watch();
    await moment();
    expect(health).not.toHaveBeenCalled();
    expect(told.online).toBe(0);
  });

  test('it ends with its signal', async () => {
    watch();
    await eventually(() => expect(health).toHaveBeenCalled());
    end.abort();
    await moment();
    const asked = health.mock.calls.length;
    await updateSync(tablet.db, { link: 'online' });
    await updateSync(tablet.db, { link: 'offline' });
    await moment();
    expect(health.mock.calls.length).toBe(asked);
    expect(told.online).toBe(0);
  });
});
