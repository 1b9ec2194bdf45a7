import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { adjustStock } from '#src/db/commands/stock.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { outboxSummary } from '#src/db/queries/outbox.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { maxBatchBytes } from '#domain/protocol/sync.ts';
import { valueOf } from '#tests/src/db/tablet.ts';
import { updateSync } from '#src/db/singletons.ts';
import { elsewhere, lostReply, says } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventually } from '#tests/support/eventually.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const isBatch = (path: string) => path.startsWith('/sync/batch');
const answered = { epoch: 'epoch-1', server_time: '2026-05-12T10:00:00.000Z' };
const sizes = () => rig.server.batches.map((batch) => batch.length);
const batchCalls = () => rig.server.calls.filter(({ path }) => isBatch(path)).length;

describe('SYNC-1 SYNC-3 the sent operations', () => {
  test('SYNC-1 a sale is sent as it was written, in the order of device_seq, and settled by its receipts', async () => {
    const orderId = await rig.sell();
    await rig.engine.run('write');
    expect(rig.server.batches).toHaveLength(1);
    expect(rig.server.batches[0]).toEqual(
      JSON.parse(JSON.stringify(await rig.tablet.db.operations.orderBy(':id').toArray())),
    );
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 0 });
    expect(await rig.tablet.db.order_bases.count()).toBe(0);
    expect(await outboxSummary(rig.tablet.db)).toMatchObject({ waiting: 0, attention: 0, sending: 0, link: 'online' });
  });

  test('SYNC-3 a batch has at most 200 operations, and batches follow until nothing is due', async () => {
    for (let count = 0; count < 450; count += 1)
      valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 1 }));
    await rig.engine.run('write');
    expect(sizes()).toEqual([200, 200, 50]);
    expect(rig.server.batches.flat().map(({ device_seq }) => device_seq)).toEqual(
      Array.from({ length: 450 }, (_, n) => n + 1),
    );
  });

  test('SYNC-3 a batch has at most 256 KiB', async () => {
    const notes = 'ñ'.repeat(2000);
    for (let count = 0; count < 100; count += 1)
      valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 1, notes }));
    await rig.engine.run('write');
    const bytes = rig.server.calls.filter(({ path }) => isBatch(path)).map(({ body }) => Buffer.byteLength(body!));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(maxBatchBytes);
    expect(sizes().reduce((sum, size) => sum + size, 0)).toBe(100);
    expect(bytes.length).toBe(2);
  });

  test('SYNC-1 a treatment counts as sent only when all its operations are', async () => {
    const orderId = await rig.sell();
    const [, payment] = await rig.states();
    await rig.tablet.db.operation_states.put({ ...payment!, status: 'retry', next_at: rig.tablet.clock.now + 30_000 });
    for (const unsent of [1, 0]) {
      await rig.engine.run('write');
      expect((await orderById(rig.tablet.db, orderId))!.unsent).toBe(unsent);
      await rig.pass(30_000);
    }
  });

  test('SYNC-9 an accepted operation is replayed, and its treatment not shown as sent, until the feed confirms it', async () => {
    const orderId = await rig.create();
    rig.server.rule = (call, handle) => (isBatch(call.path) ? handle() : null);
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(['accepted']);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ unsent: 1 });
    expect(await rig.tablet.db.order_bases.get(orderId)).toEqual({ id: orderId, order: null });
  });
});

describe('SYNC-5 held operations', () => {
  test('SYNC-5 a refused operation holds its dependants and nothing else', async () => {
    const poisoned = await rig.sell();
    const other = await rig.sell();
    rig.server.refuses = ({ kind, payload }) =>
      kind === 'order.create' && payload.order_id === poisoned ? 'VALIDATION' : null;
    await rig.engine.run('write');
    await rig.pass(5000);
    expect(await rig.statuses()).toEqual(['attention', 'retry', 'settled', 'settled']);
    expect((await orderById(rig.tablet.db, other))!.unsent).toBe(0);
    await rig.pass(60_000);
    expect(rig.server.batches.flat().filter(({ device_seq }) => device_seq === 2)).toHaveLength(1);
  });

  test('SYNC-5 an operation that waits for its turn holds later ones of its aggregate only', async () => {
    await rig.create();
    const [first] = await rig.states();
    await rig.tablet.db.operation_states.put({ ...first!, status: 'retry', next_at: rig.tablet.clock.now + 30_000 });
    valueOf(await takePayment(rig.tablet, { orderId: first!.aggregate.slice(6), method: 'cash', tenderedMinor: 400 }));
    await rig.create();
    await rig.engine.run('write');
    expect(rig.server.batches.flat().map(({ device_seq }) => device_seq)).toEqual([3]);
    await rig.pass(30_000);
    expect(rig.server.batches.flat().map(({ device_seq }) => device_seq)).toEqual([3, 1, 2]);
  });

  test('SYNC-5 the scan passes more held operations than a batch holds', async () => {
    const { tablet } = rig;
    for (let count = 0; count < 205; count += 1)
      valueOf(await adjustStock(tablet, { stockId: 1, action: 'add', amount: 1 }));
    const [first] = await rig.states();
    await tablet.db.operation_states.put({ ...first!, status: 'retry', next_at: tablet.clock.now + 60_000 });
    await rig.create();
    await rig.engine.run('write');
    expect(rig.server.batches.flat().map(({ kind }) => kind)).toEqual(['order.create']);
  });

  test('SYNC-4 after `waiting`, the operation is sent again later', async () => {
    await rig.create();
    const [state] = await rig.states();
    const reply = { success: false, code: 'DEPENDENCY_PENDING', message: '' };
    const results = [{ op_id: state!.op_id, status: 'waiting', replayed: false, reply }];
    rig.server.troubles.push(says(200, { success: true, data: { ...answered, results } }));
    await rig.engine.run('write');
    expect((await rig.states())[0]).toMatchObject({ status: 'retry', last_error: { code: 'DEPENDENCY_PENDING' } });
    await rig.engine.run('online');
    expect(batchCalls()).toBe(1);
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled']);
  });
});

describe('SYNC-5 one batch after another', () => {
  beforeEach(() => rig.engine.run('timer'));

  /** The results of the first batch are not taken down before the second has left. */
  function recordingIsSlow(): void {
    const recordResults = rig.store.recordResults.bind(rig.store);
    vi.spyOn(rig.store, 'recordResults').mockImplementationOnce(async (...args) => {
      await eventually(() => expect(batchCalls()).toBe(2));
      return recordResults(...args);
    });
  }

  test('SYNC-5 the results of a batch are recorded while the next one is in flight', async () => {
    for (let count = 0; count < 250; count += 1) await rig.create();
    recordingIsSlow();
    await rig.engine.run('write');
    expect(sizes()).toEqual([200, 50]);
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
  });

  test('SYNC-5 no batch contains successors of an operation whose result is not recorded', async () => {
    for (let count = 0; count < 199; count += 1) await rig.create();
    await rig.sell();
    for (let count = 0; count < 10; count += 1) await rig.create();
    recordingIsSlow();
    await rig.engine.run('write');
    // The record of the sale's invoice depends on nothing.
    expect(sizes()).toEqual([200, 11, 1]);
    expect(rig.server.batches[2]![0]).toMatchObject({ kind: 'order.pay', device_seq: 201 });
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
  });

  test('SYNC-5 the next batch is taken while one is in flight, and put back when the network fails', async () => {
    for (let count = 0; count < 250; count += 1) await rig.create();
    const taken = vi.spyOn(rig.store, 'selectBatch');
    rig.server.troubles.push((_call, _handle) => null);
    await rig.engine.run('write');
    expect(taken).toHaveBeenCalledTimes(2);
    expect(new Set(await rig.statuses())).toEqual(new Set(['retry']));
    await rig.pass(60_000);
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
    expect(rig.server.receipts.size).toBe(250);
  });

  test('SYNC-15 both batches end and are sent again under the same ids when results cannot be recorded', async () => {
    for (let count = 0; count < 250; count += 1) await rig.create();
    vi.spyOn(rig.store, 'recordResults').mockRejectedValueOnce(
      Object.assign(new Error('full'), { name: 'QuotaExceededError' }),
    );
    await expect(rig.engine.run('write')).rejects.toThrow('full');
    expect(sizes()).toEqual([200, 50]);
    expect(new Set(await rig.statuses())).toEqual(new Set(['sending']));
    await rig.pass(1500);
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
    expect(rig.server.receipts.size).toBe(250);
  });
});

describe('SYNC-9 the feed in the reply', () => {
  const pulls = () => rig.server.calls.filter(({ path }) => path.startsWith('/sync/changes')).length;
  beforeEach(() => rig.engine.run('timer'));

  test('SYNC-9 settles the batch and brings other changes, so that no pull follows', async () => {
    rig.server.change(elsewhere('x'));
    const orderId = await rig.sell();
    await rig.engine.run('write');
    expect([batchCalls(), pulls()]).toEqual([1, 1]);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 0 });
    expect(await orderById(rig.tablet.db, 'x')).toMatchObject({ balanceMinor: 1000 });
  });

  test('SYNC-9 each batch leaves from the place that the previous reply has reached', async () => {
    for (let count = 0; count < 450; count += 1) await rig.create();
    await rig.engine.run('write');
    expect([sizes(), pulls()]).toEqual([[200, 200, 50], 1]);
    const cursors = rig.server.calls
      .filter(({ path }) => isBatch(path))
      .map(({ path }) => Number(new URL(path, 'http://x').searchParams.get('cursor')));
    expect(cursors).toEqual([cursors[0], cursors[0]! + 400, cursors[0]! + 800]);
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
  });

  test('SYNC-9 is ignored when another engine has moved the cursor, and a pull follows', async () => {
    const orderId = await rig.sell();
    const recordResults = rig.store.recordResults.bind(rig.store);
    vi.spyOn(rig.store, 'recordResults').mockImplementationOnce(async (...args) => {
      await updateSync(rig.tablet.db, { cursor: '1' });
      return recordResults(...args);
    });
    await rig.engine.run('write');
    expect(pulls()).toBe(2);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
    expect((await orderById(rig.tablet.db, orderId))!.unsent).toBe(0);
  });

  test('SYNC-9 a lost reply is repeated with the feed from the same cursor', async () => {
    rig.server.troubles.push(lostReply);
    await rig.sell();
    rig.server.rule = (call, handle) => (isBatch(call.path) ? handle() : null);
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(['retry', 'retry']);
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
    expect(rig.server.orders.size).toBe(1);
  });

  test('SYNC-9 a reply without the feed is followed by a pull before the next batch', async () => {
    rig.server.bringsFeed = false;
    for (let count = 0; count < 250; count += 1) await rig.create();
    const before = rig.server.calls.length;
    await rig.engine.run('write');
    const paths = rig.server.calls.slice(before).map(({ path }) => path.split('?')[0]);
    expect(paths).toEqual(['/sync/batch', '/sync/changes', '/sync/batch', '/sync/changes']);
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
  });
});
