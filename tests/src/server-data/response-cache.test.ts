import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recall, remember } from '#src/server-data/response-cache.ts';
import { holdKeys } from '#src/session/keys.ts';
import { newKey } from '#src/session/sealed.ts';
import { useSession } from '#src/session/session.ts';
import { person } from '../auth/people.ts';
import { stubCacheStorage } from '#tests/support/cache-storage.ts';
import { openTablet } from '../db/tablet.ts';

beforeEach(() => void stubCacheStorage());
afterEach(() => vi.unstubAllGlobals());

/** Opens a tablet whose person has unlocked it. */
async function unlockedTablet() {
  const { db } = await openTablet();
  const user = person(1, 'Marta', 'manager');
  useSession.setState({ user, mode: 'online' });
  await holdKeys({ userId: user.id, key: await newKey(), actor: null, token: null });
  return { db };
}

test('the cache returns the last response with its time, marked as cached', async () => {
  const { db } = await unlockedTablet();
  await remember(db, 'stats', { total: 1 }, 1000);
  await remember(db, 'stats', { total: 2 }, 2000);
  expect(await recall(db, 'stats')).toEqual({ value: { total: 2 }, at: 2000, fresh: false });
  expect(await recall(db, 'never asked')).toBeNull();
});

test('the cache keeps the latest 200 responses only', async () => {
  const { db } = await unlockedTablet();
  for (let at = 1; at <= 203; at += 1) await remember(db, `page ${at}`, at, at);
  expect(await db.query_cache.count()).toBe(200);
  expect(await recall(db, 'page 3')).toBeNull();
  expect(await recall(db, 'page 4')).toMatchObject({ value: 4 });
});
