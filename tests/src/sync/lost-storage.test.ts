import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import type { DeviceRow } from '#src/db/database.ts';
import { noteUnsent, useLostStorage } from '#src/sync/lost-storage.ts';
import { stubLocalStorage } from '#tests/support/local-storage.ts';

const open = () => new ClinicDatabase('lost', { indexedDB: new IDBFactory(), IDBKeyRange });
const device = (device_id: number, code: string) => ({ id: 'this', device_id, code }) as DeviceRow;
const lost = () => useLostStorage.getState().lost;

beforeEach(() => {
  stubLocalStorage();
  useLostStorage.setState({ lost: null });
});

test('a new database has lost what the note counted, before and after it is another device', async () => {
  const before = open();
  await before.device.put(device(1, 'A2'));
  await noteUnsent(before, 4);

  const after = open();
  await noteUnsent(after, 0);
  expect(lost()).toEqual({ device_id: 1, code: 'A2', count: 4 });
  await after.device.put(device(2, 'A3'));
  await noteUnsent(after, 0);
  expect(lost()).toEqual({ device_id: 1, code: 'A2', count: 4 });

  await noteUnsent(after, 1);
  expect(lost(), 'it stays until somebody acknowledges it').not.toBeNull();
  useLostStorage.setState({ lost: null });
  await noteUnsent(after, 0);
  expect(lost(), 'it is told once').toBeNull();
});

test('a device that had sent everything has lost nothing', async () => {
  const before = open();
  await before.device.put(device(1, 'A2'));
  await noteUnsent(before, 4);
  await noteUnsent(before, 0);

  const after = open();
  await after.device.put(device(2, 'A3'));
  await noteUnsent(after, 0);
  expect(lost()).toBeNull();
});

test('a device that is enrolled anew beside its operations has lost nothing', async () => {
  const db = open();
  await db.device.put(device(1, 'A2'));
  await db.operations.add({ op_id: 'a', device_id: 1 } as AnyOperation);
  await noteUnsent(db, 1);
  await db.device.put(device(2, 'A3'));
  await noteUnsent(db, 1);
  expect(lost()).toBeNull();
});
