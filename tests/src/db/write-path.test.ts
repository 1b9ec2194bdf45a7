import { Dexie } from 'dexie';
import type { Table } from 'dexie';
import { IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { saveDevice } from '#src/db/singletons.ts';
import { storageFault } from '#src/db/storage-fault.ts';
import { commit } from '#src/db/write.ts';
import { accept } from '#domain/result.ts';
import { deviceReply, openTablet, refusalOf, sell, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => {
  vi.restoreAllMocks();
  tablet.close();
});

const sale = { orderType: 'walk_in' as const, services: [{ itemKey: 's1', quantity: 1 }] };
/** A payment that writes to every table that a command may write to: its treatment is the server's, and nothing waits. */
async function payment() {
  const { orderId } = valueOf(await createTreatment(tablet, sale));
  const { db } = tablet;
  await Promise.all([db.order_bases, db.operations, db.operation_states].map((table) => table.clear()));
  return { orderId, method: 'cash' as const, tenderedMinor: 1000 };
}
const written = async () => {
  const { db } = tablet;
  const tables = [db.orders, db.order_bases, db.operations, db.operation_states, db.documents];
  const counts = await Promise.all(tables.map((table) => table.count()));
  return counts.reduce((sum, count) => sum + count, 0);
};
const counters = async () => (await tablet.db.device.get('this'))!;
const named = (name: string) => Object.assign(new Error(name), { name });

test('a command whose key is at hand begins its transaction within the tap', async () => {
  const begun = vi.spyOn(tablet.db, 'transaction');
  const key = await tablet.actorKey();
  const created = createTreatment({ ...tablet, actorKey: () => key }, sale);
  expect(begun).toHaveBeenCalledTimes(1);
  valueOf(await created);
});

describe('SYNC-1 all or nothing', () => {
  const steps = ['orders', 'order_bases', 'documents', 'operations', 'operation_states', 'device'] as const;
  test.each(steps)(
    'SYNC-1 a crash while writing %s leaves neither payment nor operation nor a used number',
    async (table) => {
      const fail = () => Dexie.Promise.reject(new Error('power cut'));
      const due = await payment();
      const before = [await written(), await counters()];
      const writer = tablet.db[table] as Table;
      for (const method of ['put', 'add', 'bulkAdd'] as const) vi.spyOn(writer, method).mockImplementation(fail);
      await expect(takePayment(tablet, due)).rejects.toThrow('power cut');
      expect([await written(), await counters()]).toEqual(before);
    },
  );

  test('SYNC-1 the transaction asks for strict durability', () => {
    expect((tablet.db as unknown as { _options: object })._options).toMatchObject({
      chromeTransactionDurability: 'strict',
    });
  });
});

describe('SYNC-12 numbers', () => {
  test('SYNC-12 two tabs of one tablet never use a number or a sequence twice', async () => {
    const tabs = [tablet, tablet.otherTab()];
    const sales = await Promise.all(Array.from({ length: 40 }, (_, n) => sell(tabs[n % 2]!, sale)));
    const numbers = sales.flatMap(({ orderNumber, document }) => [orderNumber, document.number]);
    expect(new Set(numbers).size).toBe(80);
    const states = await tablet.db.operation_states.toArray();
    expect(new Set(states.map(({ device_seq }) => device_seq)).size).toBe(120);
    expect(await counters()).toMatchObject({ next_seq: 121, counters: { treatment: 40, invoice: 40, credit_note: 0 } });
  });

  test('SYNC-12 a device continues its numbers under its code, and starts over under another', async () => {
    await sell(tablet, sale);
    const reply = { ...deviceReply, counters: { treatment: 0, invoice: 5, credit_note: 0 } };
    await saveDevice(tablet.db, reply);
    expect(await counters()).toMatchObject({
      code: 'A7',
      device_key: 'key',
      next_seq: 4,
      counters: { treatment: 1, invoice: 5 },
      chain: { count: 1, number: 'INV-A7-000001' },
    });
    await saveDevice(tablet.db, { ...reply, code: 'B2', last_seq: 90 });
    expect(await counters()).toMatchObject({
      code: 'B2',
      next_seq: 91,
      counters: { treatment: 0, invoice: 5 },
      chain: null,
    });
  });

  test('SYNC-12 a device without its key is not stored', async () => {
    await tablet.db.device.clear();
    await saveDevice(tablet.db, deviceReply);
    expect(await tablet.db.device.count()).toBe(0);
  });
});

describe('SYNC-13 notification after a write', () => {
  const transactions: unknown[] = [];
  const onWritten = () => transactions.push(Dexie.currentTransaction);
  beforeEach(() => transactions.splice(0));

  test('SYNC-13 a committed command notifies once, after its transaction', async () => {
    valueOf(await createTreatment({ ...tablet, onWritten }, sale));
    expect(transactions).toEqual([null]);
  });

  test('SYNC-13 a refused or failed command does not notify', async () => {
    const context = { ...tablet, onWritten };
    expect(
      refusalOf(await createTreatment(context, { ...sale, services: [{ itemKey: 's404', quantity: 1 }] })),
    ).not.toBeNull();
    await expect(commit(context, [], () => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
    vi.spyOn(tablet.db.operations, 'bulkAdd').mockImplementation(() => {
      throw named('QuotaExceededError');
    });
    expect(refusalOf(await createTreatment(context, sale))).toBe('STORAGE_FULL');
    expect(transactions).toEqual([]);
  });
});

describe('SYNC-15 storage', () => {
  test('SYNC-15 full storage refuses the sale and writes nothing', async () => {
    vi.spyOn(tablet.db.operation_states, 'bulkAdd').mockImplementation(() => {
      throw named('QuotaExceededError');
    });
    expect(refusalOf(await createTreatment(tablet, sale))).toBe('STORAGE_FULL');
    expect(await written()).toBe(0);
  });

  test.each([
    ['full', named('QuotaExceededError')],
    ['full', Object.assign(named('AbortError'), { inner: named('QuotaExceededError') })],
    ['full', Object.assign(named('BulkError'), { failures: [named('QuotaExceededError')] })],
    ['lost', named('DatabaseClosedError')],
    ['lost', named('InvalidStateError')],
    [null, named('ConstraintError')],
    [null, 'text'],
  ])('SYNC-15 reports the storage fault %s for %s', (fault, error) => {
    expect(storageFault(error)).toBe(fault);
  });

  test('SYNC-15 a lost connection is opened again once, and the sale goes through', async () => {
    const bulkAdd = tablet.db.operations.bulkAdd.bind(tablet.db.operations);
    const spy = vi.spyOn(tablet.db.operations, 'bulkAdd').mockImplementationOnce(() => {
      throw named('DatabaseClosedError');
    });
    spy.mockImplementation(bulkAdd);
    expect(valueOf(await createTreatment(tablet, sale)).number).toBe('T-A7-000001');
    expect(await tablet.db.orders.count()).toBe(1);
  });

  test('SYNC-15 a connection that stays lost refuses the sale', async () => {
    vi.spyOn(tablet.db.operations, 'bulkAdd').mockImplementation(() => {
      throw named('DatabaseClosedError');
    });
    expect(refusalOf(await createTreatment(tablet, sale))).toBe('STORAGE_LOST');
    expect(await written()).toBe(0);
  });

  test('SYNC-15 a connection lost after the commit does not sell twice', async () => {
    const transaction = tablet.db.transaction.bind(tablet.db) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(tablet.db, 'transaction').mockImplementationOnce(((...args: unknown[]) =>
      transaction(...args).then(() => {
        throw named('InvalidStateError');
      })) as never);
    const { number } = valueOf(await createTreatment(tablet, sale));
    expect(number).toBe('T-A7-000001');
    expect(await tablet.db.orders.count()).toBe(1);
    expect(await counters()).toMatchObject({ next_seq: 2 });
  });

  test('SYNC-15 the connection closes for a newer version of the database', async () => {
    expect(tablet.db.isOpen()).toBe(true);
    const newer = new Dexie('dental-counter', { indexedDB: tablet.factory, IDBKeyRange });
    newer.version(2).stores({});
    await newer.open();
    expect(tablet.db.isOpen()).toBe(false);
    newer.close();
  });

  test('SYNC-15 a bug throws and is not a refusal', async () => {
    const bug = () => {
      throw new TypeError('bug');
    };
    await expect(commit(tablet, [], bug)).rejects.toThrow('bug');
    expect(valueOf(await commit(tablet, [], async () => accept(1)))).toBe(1);
  });
});
