import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askAhead, serverWait } from '#src/auth/server-tries.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import { mirrorSession } from '#src/session/mirror.ts';
import { person } from './people.ts';
import { unique } from '#tests/support/unique.ts';

const now = Date.UTC(2026, 2, 2, 8);
const ana = person(7, 'Ana');

let db: ClinicDatabase;
/** What the server answers next, and what it was asked. */
let waits: number[];
let asked: unknown[];

beforeEach(async () => {
  db = new ClinicDatabase(unique('tries'));
  await mirrorSession(db, { user: ana, exp: now / 1000 + 3600, token: 'syncs-only' });
  [waits, asked] = [[], []];
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  vi.stubGlobal('location', { href: 'http://clinic.test/' });
  const RealRequest = Request;
  vi.stubGlobal(
    'Request',
    class extends RealRequest {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, 'http://clinic.test') : input, init);
      }
    },
  );
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(await request.json());
    return Response.json({ success: true, data: { wait_ms: waits.shift() ?? 0 } });
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await db.delete();
});

test('a PIN takes the answer that was asked for while it was typed, and the next PIN another one', async () => {
  waits = [5000, 3000];
  for (let key = 0; key < 6; key += 1) askAhead(db, now, ana.id);
  expect(await serverWait(db, now + 2000, { userId: ana.id, failed: false })).toBe(3000);
  expect(asked).toEqual([{ user_id: ana.id, failed: false }]);
  expect(await serverWait(db, now + 2000, { userId: ana.id, failed: false })).toBe(3000);
  expect(asked).toHaveLength(2);
});

test('an answer asked for ahead is for its person, and none stands for a failed PIN', async () => {
  waits = [9000, 0, 7000];
  askAhead(db, now, ana.id);
  expect(await serverWait(db, now, { userId: 8, failed: false })).toBe(0);
  expect(await serverWait(db, now, { userId: ana.id, failed: true })).toBe(7000);
  expect(asked.at(-1)).toEqual({ user_id: ana.id, failed: true });
});

test('without an answer nobody waits', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  askAhead(db, now, ana.id);
  expect(await serverWait(db, now, { userId: ana.id, failed: false })).toBe(0);
});
