import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takePayment } from '#src/db/commands/payments.ts';
import { adjustStock } from '#src/db/commands/stock.ts';
import { attentionEntries, outboxSummary } from '#src/db/queries/outbox.ts';
import { favourites } from '#src/db/queries/catalogue.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { mergePages } from '#sw/sync/feed.ts';
import { settle } from '#sw/sync/outbox.ts';
import { sell, valueOf } from '#tests/src/db/tablet.ts';
import { elsewhere, error, lost, lostReply, none, stockResource } from './clinic-server.ts';
import type { OperationState } from '#src/db/database.ts';
import { updateSync } from '#src/db/singletons.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const isBatch = (path: string) => path.startsWith('/sync/batch');
const serve = () => {
  rig.server.rule = (_call, handle) => handle();
};
const quantity = async () => (await rig.tablet.db.catalogue.get('s1'))!.quantity_milli;

describe('SYNC-9 the feed', () => {
  test('SYNC-9 delivers catalogue, categories and treatments of other tablets', async () => {
    rig.server.changeStock(stockResource(5, { name: 'Ácido', barcode: '123', category_id: null }));
    rig.server.changeCategory({
      id: 4,
      name: 'Higiene',
      description: '',
      color: null,
      image_url: null,
      created_at: '',
      updated_at: '',
    });
    rig.server.change(elsewhere('x'));
    await rig.engine.run('timer');
    expect(await rig.tablet.db.catalogue.get('s5')).toMatchObject({
      search_key: 'acido',
      barcode: '123',
      category_id: 0,
      price_minor: 5000,
    });
    expect(await rig.tablet.db.categories.get(4)).toMatchObject({ name: 'Higiene' });
    expect(await orderById(rig.tablet.db, 'x')).toMatchObject({ status: 'confirmed', balanceMinor: 1000, unsent: 0 });
    // Pages of the back office read again when this moves, and only then.
    const cursor = async () => (await rig.tablet.db.sync.get('this'))!.cursor;
    const before = await cursor();
    await rig.engine.run('timer');
    expect(await cursor()).toBe(before);
    rig.server.change(elsewhere('y'));
    await rig.engine.run('timer');
    expect(await cursor()).not.toBe(before);
  });

  test('brings the number of records that wait for the tax agency, to which those of this device are added', async () => {
    const unsent = async () => (await outboxSummary(rig.tablet.db)).unsentRecords;
    rig.server.unsentRecords = 4;
    await rig.engine.run('timer');
    expect(await unsent()).toBe(4);
    await sell(rig.tablet, { services: [{ itemKey: 's1', quantity: 1 }] });
    expect(await unsent()).toBe(5);
    rig.server.unsentRecords = 0;
    serve();
    await rig.engine.run('timer');
    expect(await unsent()).toBe(0);
  });

  test('SYNC-9 brings, with the first pull, what the clinic sells most', async () => {
    rig.server.change({ ...elsewhere('o1'), createdAtMs: rig.tablet.clock.now - 120_000 });
    await rig.engine.run('timer');
    expect(await favourites(rig.tablet.db, 5)).toEqual(['s1']);
  });

  test('SYNC-9 pages are buffered: an interrupted pull writes nothing, and the next one starts from the same cursor', async () => {
    rig.server.pageSize = 1;
    for (const id of ['a', 'b', 'c']) rig.server.change(elsewhere(id));
    rig.server.troubles.push(none, none, none, lost);
    await rig.engine.run('timer');
    expect(await rig.tablet.db.orders.count()).toBe(0);
    expect(await rig.store.position()).toMatchObject({ cursor: null, link: 'offline' });
    await rig.pass(60_000);
    expect(await rig.tablet.db.orders.count()).toBe(3);
    expect(await rig.store.position()).toMatchObject({ cursor: '5', first_sync_rows: null });
  });

  test('SYNC-9 the first sync reports its progress', async () => {
    rig.server.pageSize = 1;
    const seen: (number | null)[] = [];
    rig.server.rule = ({ path }, handle) => {
      if (path.startsWith('/sync/changes'))
        void rig.store.position().then(({ first_sync_rows }) => seen.push(first_sync_rows));
      return handle();
    };
    await rig.engine.run('timer');
    await expect.poll(() => seen).toEqual([null, 1]);
  });

  test('SYNC-9 waiting operations are replayed over changes of another tablet', async () => {
    rig.server.change(elsewhere('x'));
    await rig.engine.run('timer');
    valueOf(await takePayment(rig.tablet, { orderId: 'x', method: 'cash', tenderedMinor: 400 }));
    const [line] = elsewhere('y').lines;
    rig.server.change({ ...elsewhere('x'), lines: [...elsewhere('x').lines, line!] });
    rig.server.rule = (call, handle) => (isBatch(call.path) ? null : handle());
    await rig.engine.run('online');
    expect(await orderById(rig.tablet.db, 'x')).toMatchObject({
      totalMinor: 2000,
      paidMinor: 400,
      balanceMinor: 1600,
      unsent: 1,
    });
    serve();
    await rig.engine.run('online');
    expect(await orderById(rig.tablet.db, 'x')).toMatchObject({ totalMinor: 2000, paidMinor: 400, unsent: 0 });
    expect(rig.server.orders.get('x')!.payments).toHaveLength(1);
  });

  test('SYNC-9 a sale made during a pull is replayed over the new rows', async () => {
    rig.server.change(elsewhere('x'));
    await rig.engine.run('timer');
    rig.server.change({ ...elsewhere('x'), notes: 'changed' });
    let sale: Promise<unknown> | undefined;
    rig.server.troubles.push((_call, handle) => {
      sale = takePayment(rig.tablet, { orderId: 'x', method: 'cash', tenderedMinor: 1000 });
      return handle();
    });
    await rig.engine.run('timer');
    await sale;
    expect(await orderById(rig.tablet.db, 'x')).toMatchObject({ notes: 'changed', status: 'completed', unsent: 1 });
    expect((await rig.tablet.db.order_bases.get('x'))!.order).toMatchObject({ notes: 'changed', payments: [] });
  });

  test('SYNC-9 an operation whose reply was lost is settled by its receipt, and not sent again', async () => {
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 3 }));
    rig.server.troubles.push(lostReply);
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(['settled']);
    expect(await quantity()).toBe(13_000);
    await rig.pass(60_000);
    expect(rig.server.batches).toHaveLength(1);
  });

  test('SYNC-9 a reply that follows the receipt changes nothing', async () => {
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 3 }));
    const { opIds, texts } = await rig.store.selectBatch({ limit: 200, nowMs: rig.tablet.clock.now });
    const call = {
      method: 'POST',
      path: '/sync/batch',
      token: 'token',
      body: `{"operations":[${texts.join(',')}]}`,
    } as const;
    const reply = (await rig.server.net(call))!.json as {
      data: { results: Parameters<Rig['store']['recordResults']>[0] };
    };
    const page = (await rig.server.net({ method: 'GET', path: '/sync/changes', token: 'token' }))!;
    expect(page.status).toBe(200);
    await rig.newEngine().run('timer');
    expect(await rig.statuses()).toEqual(['settled']);
    await rig.store.recordResults(reply.data.results, { at: rig.tablet.clock.now, offsetMs: 0 }, null);
    expect(opIds).toHaveLength(1);
    expect(await rig.statuses()).toEqual(['settled']);
    expect(await quantity()).toBe(13_000);
  });

  test('SYNC-9 an accepted operation is replayed until its receipt arrives, so that its effect stays visible', async () => {
    rig.server.bringsFeed = false;
    await rig.engine.run('timer');
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'subtract', amount: 4 }));
    rig.server.rule = (call, handle) => (isBatch(call.path) ? handle() : null);
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(['accepted']);
    expect(await quantity()).toBe(6000);
    serve();
    await rig.engine.run('online');
    expect(await rig.statuses()).toEqual(['settled']);
    expect(await rig.tablet.db.catalogue.get('s1')).toMatchObject({ quantity_milli: 6000, base_quantity_milli: 6000 });
  });

  test('SYNC-10 waiting stock adjustments are shown over the server’s current quantity', async () => {
    await rig.engine.run('timer');
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 3 }));
    rig.server.changeStock(stockResource(1, { quantity: 20 }));
    rig.server.rule = (call, handle) => (isBatch(call.path) ? null : handle());
    await rig.engine.run('online');
    expect(await rig.tablet.db.catalogue.get('s1')).toMatchObject({
      base_quantity_milli: 20_000,
      quantity_milli: 23_000,
    });
  });

  test('SYNC-10 a stock adjustment that the feed reports as refused is no longer shown', async () => {
    await rig.engine.run('timer');
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 3 }));
    rig.server.refuses = () => 'FORBIDDEN';
    rig.server.troubles.push(lostReply);
    await rig.engine.run('write');
    expect(await quantity()).toBe(10_000);
    expect(await rig.statuses()).toEqual(['attention']);
  });

  test('SYNC-4 an operation that the feed reports as refused reaches the tray and is no longer replayed', async () => {
    const orderId = await rig.create();
    rig.server.refuses = () => 'VALIDATION';
    rig.server.troubles.push(lostReply);
    await rig.engine.run('write');
    const [entry] = await attentionEntries(rig.tablet.db, { limit: 5 });
    expect(entry!.state).toMatchObject({ status: 'attention', last_error: { code: 'VALIDATION' } });
    expect(await orderById(rig.tablet.db, orderId)).toBeUndefined();
  });

  test.each([
    [{ code: 'ORDER_NOT_FOUND', message: 'No such treatment', details: { stock_id: 3 } } as const],
    [{ code: null, message: null, details: null }],
  ])(
    'SYNC-4 a refusal is told as its receipt says, and as a fault of the server if it says nothing: %j',
    async (said) => {
      await rig.create();
      const [{ op_id, device_seq }] = (await rig.states()) as [OperationState];
      const receipt = { op_id, device_seq, status: 'refused', superseded_by: null, operation: null, ...said } as const;
      await rig.tablet.db.transaction('rw', rig.tablet.db.operation_states, rig.tablet.db.operations, () =>
        settle(rig.tablet.db, [receipt], rig.tablet.clock.now),
      );
      const [state] = await rig.states();
      expect(state!.last_error).toEqual(said.code ? said : { code: 'INTERNAL', message: '' });
    },
  );

  test('SYNC-9 the slower of two concurrent pulls changes nothing', async () => {
    const pull = {
      feed: mergePages([]),
      startedFrom: 'elsewhere',
      lacks: [],
      isComplete: true,
      resend: false,
      cursor: '1',
      epoch: 'e',
      contact: { at: 0, offsetMs: null },
    };
    expect(await rig.store.applyFeed(pull)).toBe(false);
    expect(await rig.tablet.db.catalogue.count()).toBe(3);
  });

  test('SYNC-9 rows for one person do not arrive after another has taken over, and the next pull says what it lacks', async () => {
    await rig.engine.run('timer');
    rig.server.change(elsewhere('x'));
    rig.server.rule = (call, handle) => {
      if (call.path.startsWith('/sync/changes')) void updateSync(rig.tablet.db, { lacks: ['attention'] });
      return handle();
    };
    await rig.engine.run('timer');
    expect(await orderById(rig.tablet.db, 'x')).toBeUndefined();
    rig.server.rule = (_call, handle) => handle();
    await rig.engine.run('timer');
    expect(rig.server.calls.at(-1)!.path).toContain('&lacks=attention');
    expect(await orderById(rig.tablet.db, 'x')).toBeDefined();
    await rig.engine.run('timer');
    expect(rig.server.calls.at(-1)!.path).not.toContain('lacks');
  });

  test('SYNC-9 a feed whose cursor does not advance is abandoned', async () => {
    await rig.engine.run('timer');
    rig.server.change(elsewhere('x'));
    rig.server.pageSize = 0;
    await rig.engine.run('timer');
    expect(await orderById(rig.tablet.db, 'x')).toBeUndefined();
    rig.server.pageSize = 1000;
    await rig.pass(60_000);
    expect(await orderById(rig.tablet.db, 'x')).toBeDefined();
  });
});

test('SYNC-12 a device gets a new code, under which numbers start over, when the server knows higher numbers', async () => {
  rig.server.counters = {
    A2: { treatment: 900, invoice: 0, credit_note: 0 },
    A7: { treatment: 40, invoice: 0, credit_note: 0 },
  };
  await rig.engine.run('timer');
  expect(rig.server.codes).toEqual(['B1']);
  expect(await rig.store.device()).toMatchObject({
    code: 'B1',
    counters: { treatment: 0 },
    next_seq: 501,
    device_key: 'key',
  });
  rig.server.counters = { B1: { treatment: 0, invoice: 0, credit_note: 0 } };
  const order = (await orderById(rig.tablet.db, await rig.create()))!;
  expect(order.number).toBe('T-B1-000001');
});

test('SYNC-12 only counters under the device’s own code count, as a copy of its storage has another code', async () => {
  const own = (await rig.store.device())!;
  rig.server.counters = { [own.code]: own.counters, B7: { treatment: 900, invoice: 0, credit_note: 0 } };
  await rig.engine.run('timer');
  expect(rig.server.codes).toEqual([]);
  expect(await rig.store.device()).toEqual(own);
});

test('SYNC-14 the clock offset is measured, and stored with later operations and times', async () => {
  rig.server.skewMs = -90_000;
  await rig.engine.run('timer');
  expect(await rig.store.position()).toMatchObject({ clock_offset_ms: -90_000 });
  const orderId = await rig.create();
  const [operation] = await rig.tablet.db.operations.toArray();
  expect(operation).toMatchObject({
    clock_offset_ms: -90_000,
    occurred_at: new Date(rig.tablet.clock.now).toISOString(),
  });
  expect((await orderById(rig.tablet.db, orderId))!.createdAtMs).toBe(rig.tablet.clock.now - 90_000);
});

test('SYNC-6 a failing feed does not stop the outbox, and a failing outbox does not stop the feed', async () => {
  await rig.create();
  rig.server.rule = (call, handle) => (isBatch(call.path) ? handle() : error(500, 'INTERNAL')(call, handle));
  await rig.engine.run('write');
  expect(await rig.statuses()).toEqual(['accepted']);
  rig.server.rule = (call, handle) => (isBatch(call.path) ? error(500, 'INTERNAL')(call, handle) : handle());
  rig.server.change(elsewhere('x'));
  await rig.create();
  await rig.engine.run('online');
  expect(await orderById(rig.tablet.db, 'x')).toBeDefined();
});
