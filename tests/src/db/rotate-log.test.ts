import { Dexie } from 'dexie';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, expect, test, vi } from 'vitest';
import { rotateLog } from '#src/db/rotate-log.ts';

const original = { ...Dexie.dependencies };
afterEach(() => Object.assign(Dexie.dependencies, original));

test('creates and deletes one database, and leaves none', async () => {
  const indexedDB = new IDBFactory();
  Object.assign(Dexie.dependencies, { indexedDB });
  const [open, remove] = [vi.spyOn(indexedDB, 'open'), vi.spyOn(indexedDB, 'deleteDatabase')];
  await rotateLog();
  expect(open.mock.lastCall?.[0]).toBe(remove.mock.lastCall?.[0]);
  expect(remove).toHaveBeenCalledOnce();
  expect(await indexedDB.databases()).toEqual([]);
});

test('does not fail when the storage does', async () => {
  const indexedDB = new IDBFactory();
  Object.assign(Dexie.dependencies, { indexedDB });
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await expect(rotateLog()).resolves.toBeUndefined();
});
