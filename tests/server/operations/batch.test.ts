import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderResource } from '#domain/order/resource.ts';
import { operationVersion } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { operationModules } from '#server/modules.ts';
import { applyBatch } from '#server/operations/batch.ts';
import { parseOperation } from '#server/operations/incoming.ts';
import { OperationRegistry } from '#server/operations/registry.ts';
import { setListPrice } from '#tests/support/prices.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';

/** Takes every proof for a valid one. */
const trusting = { proves: () => true, approves: () => true };

let server: TestServer;
let tablet: TestDevice;
let manager: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  await setListPrice(server);
  tablet = await TestDevice.enrol(server);
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const orderOf = (reply: unknown): OrderResource => (reply as { data: OrderResource }).data;
const getOrder = async (id: string): Promise<OrderResource> =>
  orderOf((await server.app.inject({ url: `/api/orders/${id}`, headers: tablet.headers })).json());
const count = async (sql: string, values: unknown[]): Promise<number> =>
  Number((await server.database.$client.query(`select count(*) as n from ${sql}`, values)).rows[0].n);

describe('SYNC-2 a fact is recorded as it stands', () => {
  test('keeps ids, number, names and prices whatever the catalogue says', async () => {
    const create = tablet.create([line({ stock_id: 999_999, name: 'Gone since', unit_price: 12.34, quantity: 3 })]);
    const [result] = await tablet.send(create);
    expect(result).toMatchObject({ status: 'applied', replayed: false });
    const order = await getOrder(create.payload.order_id);
    expect(order).toMatchObject({ number: create.payload.number, status: 'confirmed', price: 37.02, balance: 37.02 });
    expect(order.OrderItems[0]).toMatchObject({ name: 'Gone since', price: 12.34, quantity: 3 });
  });

  test('refuses only the malformed operation, and names the field', async () => {
    const good = tablet.create();
    const bad = tablet.create([line({ unit_price: -1 })]);
    const results = await tablet.send(bad, good);
    expect(results.map(({ status }) => status)).toEqual(['refused', 'applied']);
    expect(results[0]!.reply).toMatchObject({
      success: false,
      code: 'VALIDATION',
      details: { 'items.0.unit_price': expect.any(String) },
    });
  });
});

describe('SYNC-4 each operation takes effect once', () => {
  test('returns the stored reply byte for byte when an operation is replayed', async () => {
    const create = tablet.create();
    const pay = tablet.pay(create, 60);
    const first = await tablet.send(create, pay);
    const again = await tablet.send(create, pay);
    expect(again.map(({ replayed }) => replayed)).toEqual([true, true]);
    expect(again.map(({ reply }) => JSON.stringify(reply))).toEqual(first.map(({ reply }) => JSON.stringify(reply)));
    expect(await count('payments where op_id = $1', [pay.op_id])).toBe(1);
  });

  test('applies an operation once when it arrives many times at once', async () => {
    const create = tablet.create();
    const pay = tablet.pay(create, 60);
    const attempts = await Promise.all(Array.from({ length: 8 }, () => tablet.send(create, pay)));
    for (const results of attempts) expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(await count('payments where order_id = $1', [create.payload.order_id])).toBe(1);
    expect(await count('order_lines where order_id = $1', [create.payload.order_id])).toBe(1);
  });

  test('refuses other content under the same id, and changes nothing', async () => {
    const create = tablet.create();
    await tablet.send(create);
    const [result] = await tablet.send({ ...create, payload: { ...create.payload, customer_name: 'Someone else' } });
    expect(result).toMatchObject({ status: 'refused', reply: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect((await getOrder(create.payload.order_id)).customer_name).toBe('');
  });

  test('raises a refusal as an attention item on every manager’s device', async () => {
    const bad = tablet.create([line({ quantity: -1 })]);
    await tablet.send(bad);
    const { rows } = await manager.pull();
    expect(rows.attention).toContainEqual(
      expect.objectContaining({
        kind: 'refused',
        op_id: bad.op_id,
        details: expect.objectContaining({ code: 'VALIDATION' }),
      }),
    );
    expect((await tablet.pull()).rows.attention).toEqual([]);
  });
});

describe('SYNC-3 and SYNC-5 one operation never delays another', () => {
  test('undoes a poisoned operation alone', async () => {
    const taken = tablet.create();
    await tablet.send(taken);
    // The line id belongs to another treatment, which only the database notices.
    const poisoned = tablet.create([line({ line_id: taken.payload.items[0]!.line_id })]);
    const innocent = tablet.create();
    const results = await tablet.send(poisoned, innocent);
    expect(results.map(({ status }) => status)).toEqual(['refused', 'applied']);
    expect(await count('orders where id = $1', [poisoned.payload.order_id])).toBe(0);
  });

  test('does not deadlock when two batches change the same treatments in opposite order', async () => {
    const creates = Array.from({ length: 10 }, () => tablet.create());
    await tablet.send(...creates);
    const pays = (reverse: boolean) =>
      (reverse ? creates.toReversed() : creates).map((create) => tablet.pay(create, 1));
    const rounds = await Promise.all(Array.from({ length: 8 }, (_, index) => tablet.send(...pays(index % 2 === 0))));
    expect(rounds.flat().every(({ status }) => status === 'applied')).toBe(true);
    const orders = await Promise.all(creates.map((create) => getOrder(create.payload.order_id)));
    expect(orders.map(({ paid }) => paid)).toEqual(creates.map(() => 8));
  });

  test('keeps an operation waiting without a receipt while its dependency is missing', async () => {
    const create = tablet.create();
    const pay = tablet.pay(create, 60);
    const [early] = await tablet.send(pay);
    expect(early).toMatchObject({ status: 'waiting', reply: { code: 'DEPENDENCY_PENDING' } });
    expect(await count('sync_ops where op_id = $1', [pay.op_id])).toBe(0);
    expect((await tablet.send(create, pay)).map(({ status }) => status)).toEqual(['applied', 'applied']);
  });

  test('keeps an operation of a newer version waiting, whatever the form of its payload', async () => {
    const v = operationVersion + 1;
    const newer = [
      tablet.create([line()], { v }),
      { ...tablet.create([line()], { v }), payload: { order_id: ['x'] } },
      {
        ...manager.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 1 }, { v }),
        payload: { stock_id: 'x' },
      },
      {
        ...manager.operation(
          'operation.void',
          { op_id: newId(), reason: 'given up' },
          { v, aggregate: 'stock:1', supersedes: newId() },
        ),
        payload: { op_id: 'x' },
      },
    ] as AnyOperation[];
    const results = await tablet.send(...newer);
    for (const result of results)
      expect(result).toMatchObject({ status: 'waiting', reply: { code: 'UNKNOWN_VERSION' } });
  });
});

describe('SYNC-3 an operation that cannot be stored is refused permanently, without the others', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a time of year 0', { occurred_at: '0000-01-01T00:00:00.000Z' }],
    ['a time with a fraction of 200 digits', { occurred_at: `2026-01-05T10:00:00.${'1'.repeat(200)}Z` }],
    ['an offset to before year 1', { clock_offset_ms: -70_000_000_000_000 }],
    ['an offset beyond the range of dates', { clock_offset_ms: -Number.MAX_SAFE_INTEGER }],
    ['an aggregate with a NUL', { aggregate: 'order:\u0000' }],
    ['a kind with a NUL', { kind: 'order.create\u0000' }],
    ['a dependency with a lone surrogate', { depends_on: ['\ud800'] }],
    ['a replaced id with a lone surrogate', { supersedes: '\ud800' }],
    ['a version that is too large', { v: 2 ** 31 }],
    ['a sequence that is too large', { device_seq: 2 ** 63 }],
    ['a NUL within the payload', { payload: { order_id: newId(), number: 'T\u0000', notes: '\ud800', '\u0000': 1 } }],
  ])('%s', async (_title, wrong) => {
    const bad = { ...tablet.create(), ...wrong } as AnyOperation;
    const good = tablet.create();
    const results = await tablet.send(bad, good);
    expect(results.map(({ status }) => status)).toEqual(['refused', 'applied']);
    const details = (results[0]!.reply as { details?: object }).details ?? {};
    expect(results[0]!.reply).toMatchObject({ code: 'VALIDATION' });
    expect(Object.keys(details).length).toBeGreaterThan(0);
    expect(await count('sync_ops where op_id = $1', [bad.op_id])).toBe(1);
    expect((await tablet.send(bad))[0]).toEqual({ ...results[0], replayed: true });
  });

  test('accepts times of wrong clocks, and large offsets', async () => {
    const years = 365 * 86_400_000;
    const wrong = [
      { occurred_at: '1970-01-01T00:00:00.000Z', clock_offset_ms: null },
      { occurred_at: '1970-01-01T00:00:00.000Z', clock_offset_ms: 56 * years },
      { occurred_at: '2100-01-01T00:00:00.000Z', clock_offset_ms: -74 * years },
      { clock_offset_ms: -74 * years },
      { clock_offset_ms: 56 * years },
      { occurred_at: '1900-01-01T00:00:00.000Z', clock_offset_ms: -900 * years },
      { occurred_at: '2999-12-31T23:59:59.999Z', clock_offset_ms: 900 * years },
    ];
    const results = await tablet.send(...wrong.map((times) => tablet.create([line()], times)));
    expect(results.map(({ status }) => status)).toEqual(wrong.map(() => 'applied'));
  });

  test('shows managers the readable fields, and lets them void the operation', async () => {
    const bad = { ...tablet.create(), occurred_at: '0000-01-01T00:00:00.000Z' };
    await tablet.send(bad);
    const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === bad.op_id);
    const facts = {
      actor_id: tablet.userId,
      device: tablet.info.code,
      aggregate: bad.aggregate,
      number: bad.payload.number,
      amount: 60,
    };
    expect(item).toMatchObject({
      kind: 'refused',
      op_kind: 'order.create',
      order_id: bad.payload.order_id,
      details: facts,
    });
    const act = manager.operation(
      'operation.void',
      { op_id: bad.op_id, reason: 'given up' },
      { aggregate: bad.aggregate, supersedes: bad.op_id },
    );
    expect((await manager.send(act))[0]!.status).toBe('applied');
  });

  test('is refused in the transaction of its batch, or one would cost each of the others a transaction', async () => {
    const receivedAtMs = Date.now();
    const { clinicId } = server;
    const registry = new OperationRegistry(operationModules);
    const twice = line();
    const wrong = [
      { ...tablet.create(), payload: { number: 'T\u0000', notes: '\ud800', '\u0000': '\\u0000' } },
      { ...tablet.create(), kind: 'none', payload: { number: '\u0000\u0000', '\udfff\ud800': ['\ud800'] } },
      tablet.create([twice, twice]),
    ];
    const incoming = [...wrong, tablet.create()].map((operation) =>
      parseOperation(registry, trusting, operation as never, receivedAtMs),
    );
    const faults: unknown[] = [];
    const context = { clinicId, uploadedBy: tablet.userId, receivedAtMs, settings: defaultSettings, firstDayMs: 0 };
    const onFailure = (error: unknown) => faults.push(error);
    const outcomes = await applyBatch({ pool: server.database.$client, registry, context, onFailure }, incoming);
    expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'refused', 'refused', 'applied']);
    expect(faults).toEqual([]);
    const { rows } = await server.database.$client.query('select payload from sync_ops where op_id = $1', [
      wrong[0]!.op_id,
    ]);
    expect(rows).toEqual([{ payload: { number: 'T\ufffd', notes: '\ufffd', '\ufffd': '\\u0000' } }]);
  });

  test('refuses data that PostgreSQL rejects, and keeps an operation waiting after any other failure', async () => {
    const { clinicId } = server;
    const receivedAtMs = Date.now();
    const context = { clinicId, uploadedBy: tablet.userId, receivedAtMs, settings: defaultSettings, firstDayMs: 0 };
    const registry = new OperationRegistry(operationModules);
    const faults: unknown[] = [];
    const onFailure = (error: unknown) => faults.push(error);
    const batch = { pool: server.database.$client, registry, context, onFailure };
    const apply = (wrong: Partial<AnyOperation>) => {
      const [bad, good] = [tablet.create(), tablet.create()].map((operation) =>
        parseOperation(registry, trusting, operation as never, receivedAtMs),
      );
      const incoming = [{ ...bad!, operation: { ...bad!.operation, ...wrong } as AnyOperation }, good!];
      const send = () => applyBatch(batch, incoming);
      return { opId: bad!.operation.op_id, send };
    };
    for (const wrong of [
      { occurred_at: '0000-01-01T00:00:00.000Z' },
      { aggregate: 'order:\u0000' },
      { device_seq: 0.5 },
    ]) {
      const { opId, send } = apply(wrong);
      const [first] = await send();
      expect(first).toMatchObject({ status: 'refused', replayed: false });
      expect(await count('sync_ops where op_id = $1', [opId])).toBe(1);
      expect((await send()).map(({ status, replayed }) => [status, replayed])).toEqual([
        ['refused', true],
        ['applied', true],
      ]);
    }
    expect(faults.length).toBeGreaterThan(0);
    // A bug of the server keeps the operation waiting: it may be fixed when the operation arrives again.
    const { opId, send } = apply({ depends_on: null as never });
    expect((await send()).map(({ status }) => status)).toEqual(['waiting', 'applied']);
    expect(await count('sync_ops where op_id = $1', [opId])).toBe(0);
  });
});

describe('SYNC-7 a refused operation is replaced, never rewritten', () => {
  test('closes the refused operation, and applies the dependants of its replacement', async () => {
    const refused = tablet.create([line({ unit_price: -5 })]);
    const pay = tablet.pay(refused, 60);
    expect((await tablet.send(refused, pay)).map(({ status }) => status)).toEqual(['refused', 'waiting']);
    const mended = tablet.operation(
      'order.create',
      { ...refused.payload, items: [line()] },
      { supersedes: refused.op_id },
    );
    expect((await tablet.send(mended, pay)).map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect((await tablet.send(refused))[0]).toMatchObject({ status: 'refused', replayed: true });
    const { rows } = await manager.pull();
    expect(rows.attention.find((item) => item.op_id === refused.op_id)?.settled_at).toBeTruthy();
  });

  test('never replaces an applied operation', async () => {
    const create = tablet.create();
    await tablet.send(create);
    const other = tablet.create([line()], { supersedes: create.op_id });
    const replacement = {
      ...other,
      aggregate: create.aggregate,
      payload: { ...other.payload, order_id: create.payload.order_id },
    };
    expect((await tablet.send(replacement))[0]).toMatchObject({
      status: 'refused',
      reply: { code: 'SUPERSEDES_APPLIED' },
    });
  });

  test('refuses a replaced operation that arrives late', async () => {
    const lost = tablet.create();
    const mended = tablet.operation('order.create', lost.payload, { supersedes: lost.op_id });
    expect((await tablet.send(mended))[0]!.status).toBe('applied');
    expect((await tablet.send(lost))[0]).toMatchObject({ status: 'refused', reply: { code: 'SUPERSEDED' } });
    expect(await count('order_lines where order_id = $1', [lost.payload.order_id])).toBe(1);
  });

  test('refuses an operation that replaces itself, and replies to its dependants', async () => {
    const create = tablet.create();
    const selfish = { ...create, supersedes: create.op_id };
    const refusal = { status: 'refused', reply: { code: 'VALIDATION', details: { supersedes: expect.any(String) } } };
    expect((await tablet.send(selfish))[0]).toMatchObject(refusal);
    expect((await tablet.send(tablet.pay(create, 60)))[0]!.status).toBe('waiting');
    const own = newId();
    const lone = manager.operation(
      'operation.void',
      { op_id: own, reason: 'given up' },
      { op_id: own, supersedes: own, aggregate: create.aggregate },
    );
    expect((await manager.send(lone))[0]).toMatchObject(refusal);
  });

  test('ends when two operations replace each other', async () => {
    const first = tablet.create();
    const second = tablet.create([line()], { supersedes: first.op_id });
    await tablet.send({
      ...second,
      aggregate: first.aggregate,
      payload: { ...second.payload, order_id: first.payload.order_id },
    });
    expect((await tablet.send({ ...first, supersedes: second.op_id }))[0]!.status).toBe('refused');
    expect(await count('sync_ops where op_id = $1 and superseded_by is null', [second.op_id])).toBe(1);
    expect((await tablet.send(tablet.pay(first, 60)))[0]!.status).toBe('applied');
  });

  test('accepts a replacement only in the aggregate of the replaced operation', async () => {
    const refused = tablet.create([line({ unit_price: -5 })]);
    await tablet.send(refused);
    const elsewhere = tablet.create([line()], { supersedes: refused.op_id });
    expect((await tablet.send(elsewhere))[0]).toMatchObject({
      status: 'refused',
      reply: { code: 'VALIDATION', details: { aggregate: expect.any(String) } },
    });
    expect(await count('orders where id = $1', [elsewhere.payload.order_id])).toBe(0);
  });

  test('accepts one of many replacements that arrive at once, also when the aggregate was unreadable', async () => {
    const unreadable = { ...tablet.create(), aggregate: 'order:x' };
    await tablet.send(unreadable);
    for (const supersedes of [unreadable.op_id, newId()]) {
      const replacements = Array.from({ length: 8 }, () => tablet.create([line()], { supersedes }));
      const results = (await Promise.all(replacements.map((replacement) => tablet.send(replacement)))).flat();
      const late = results.filter(({ status }) => status !== 'applied');
      expect(late).toHaveLength(7);
      for (const result of late)
        expect(result).toMatchObject({ status: 'refused', reply: { code: 'SUPERSEDES_APPLIED' } });
    }
  });

  test('refuses to replace a replacement that came too late, even if it was also malformed', async () => {
    const supply = { stock_id: 1, action: 'add', amount: 5 } as const;
    for (const wrong of [
      { actor_id: tablet.userId, device_id: tablet.info.device_id },
      { payload: { ...supply, amount: -5 } },
      { occurred_at: '0000-01-01T00:00:00.000Z' },
    ]) {
      const refused = tablet.operation('stock.adjust', supply);
      await tablet.send(refused);
      expect(
        (await manager.send(manager.operation('stock.adjust', supply, { supersedes: refused.op_id })))[0]!.status,
      ).toBe('applied');
      const late = {
        ...manager.operation('stock.adjust', supply, { supersedes: refused.op_id }),
        ...wrong,
      } as AnyOperation;
      const again = manager.operation('stock.adjust', supply, { supersedes: late.op_id });
      for (const result of await manager.send(late, again))
        expect(result).toMatchObject({ status: 'refused', reply: { code: 'SUPERSEDES_APPLIED' } });
    }
  });

  test('leaves an applied operation unchanged when a malformed operation would replace it', async () => {
    const create = tablet.create();
    await tablet.send(create);
    const wrong = tablet.operation(
      'order.create',
      { ...create.payload, items: [line({ unit_price: -5 })] },
      { supersedes: create.op_id },
    );
    expect((await tablet.send(wrong))[0]).toMatchObject({ status: 'refused', reply: { code: 'SUPERSEDES_APPLIED' } });
    expect((await tablet.send(tablet.pay(create, 60)))[0]!.status).toBe('applied');
  });

  test('records neither kind nor device for a replaced operation that never arrived, and for whom it is closed', async () => {
    const lost = tablet.create();
    const mended = manager.operation('order.create', lost.payload, {
      supersedes: lost.op_id,
      device_id: tablet.info.device_id,
    });
    await manager.send({ ...mended, actor_id: tablet.userId });
    const { rows } = await server.database.$client.query(
      'select kind, payload, actor_id, device_id, uploaded_by, aggregate, superseded_by from sync_ops where op_id = $1',
      [lost.op_id],
    );
    const nothing = { kind: 'absent', payload: {}, actor_id: tablet.userId, device_id: null };
    expect(rows).toEqual([
      { ...nothing, uploaded_by: manager.userId, aggregate: lost.aggregate, superseded_by: mended.op_id },
    ]);
    expect((await tablet.pull()).receipts.map(({ op_id }) => op_id)).not.toContain(lost.op_id);
    expect((await manager.pull()).rows.attention.map(({ op_id }) => op_id)).not.toContain(lost.op_id);
  });
});

describe('SYNC-8 the permissions of the actor apply, not those of the uploader', () => {
  test('accepts an operation of another person on the device, and records actor and uploader', async () => {
    const create = tablet.create();
    const results = await manager.send(create);
    expect(results[0]!.status).toBe('applied');
    const { rows } = await server.database.$client.query(
      'select actor_id, uploaded_by from sync_ops where op_id = $1',
      [create.op_id],
    );
    expect(rows[0]).toEqual({ actor_id: tablet.userId, uploaded_by: manager.userId });
  });

  test('refuses an operation that the actor has no permission for', async () => {
    const [result] = await tablet.send(tablet.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 5 }));
    expect(result).toMatchObject({ status: 'refused', reply: { code: 'FORBIDDEN' } });
  });
});

describe('SYNC-11 tablets agree in any order of arrival', () => {
  test('keeps the payments of two tablets for one treatment, and raises the surplus', async () => {
    const other = await TestDevice.enrol(server);
    const create = tablet.create();
    await tablet.send(create);
    await tablet.send(tablet.pay(create, 60, { invoice: tablet.invoice(create.payload.items) }));
    await other.send(other.pay(create, 60, { invoice: other.invoice(create.payload.items) }));
    expect(await getOrder(create.payload.order_id)).toMatchObject({ status: 'completed', paid: 120, balance: -60 });
    const { rows } = await manager.pull();
    expect(rows.attention).toContainEqual(
      expect.objectContaining({
        kind: 'overpaid',
        order_id: create.payload.order_id,
        details: expect.objectContaining({ surplus: 60 }),
      }),
    );
  });

  test('overrules a cancel when a payment arrives, and raises it', async () => {
    const create = tablet.create();
    const cancel = tablet.operation('order.cancel', { order_id: create.payload.order_id, status: 'cancelled' });
    await tablet.send(create, cancel);
    expect((await getOrder(create.payload.order_id)).status).toBe('cancelled');
    await tablet.send(tablet.pay(create, 60));
    expect((await getOrder(create.payload.order_id)).status).toBe('completed');
    const { rows } = await manager.pull();
    expect(rows.attention).toContainEqual(
      expect.objectContaining({ kind: 'cancel_overruled', order_id: create.payload.order_id }),
    );
  });
});

describe('SYNC-12 printed numbers are final', () => {
  test('accepts a duplicate number, and raises it', async () => {
    const first = tablet.create();
    const second = tablet.create();
    second.payload.number = first.payload.number;
    expect((await tablet.send(first, second)).map(({ status }) => status)).toEqual(['applied', 'applied']);
    const { rows } = await manager.pull();
    expect(rows.attention).toContainEqual(
      expect.objectContaining({
        kind: 'duplicate_number',
        details: { number: first.payload.number, document: 'treatment' },
      }),
    );
  });

  test('raises a number that an earlier batch used, on a treatment and on an invoice', async () => {
    const sale = (over: { number?: string; invoice_number?: string } = {}) => {
      const created = tablet.create();
      if (over.number) created.payload.number = over.number;
      const invoice = {
        ...tablet.invoice(created.payload.items),
        ...(over.invoice_number && { invoice_number: over.invoice_number }),
      };
      return { created, invoice, paid: tablet.pay(created, 60, { invoice }) };
    };
    const first = sale();
    await tablet.send(first.created, first.paid);
    const second = sale({ number: first.created.payload.number, invoice_number: first.invoice.invoice_number });
    await tablet.send(second.created, second.paid);
    const raised = (await manager.pull()).rows.attention.filter(
      ({ order_id }) => order_id === second.created.payload.order_id,
    );
    expect(raised.map(({ kind, details }) => [kind, details])).toEqual([
      ['duplicate_number', { number: first.created.payload.number, document: 'treatment' }],
      ['duplicate_number', { number: first.invoice.invoice_number, document: 'invoice' }],
    ]);
    expect(
      (await manager.pull()).rows.attention.filter(({ order_id }) => order_id === first.created.payload.order_id),
    ).toEqual([]);
  });

  test('stores the highest numbers of a device', async () => {
    const device = await TestDevice.enrol(server);
    const create = device.create();
    await device.send(create, device.pay(create, 60, { invoice: device.invoice(create.payload.items) }));
    expect(Object.values((await device.pull()).counters!)).toEqual([{ treatment: 1, invoice: 1, credit_note: 0 }]);
  });

  test('raises a number that two copies of one storage use at the same moment', async () => {
    const pairs = Array.from({ length: 12 }, () => {
      const first = tablet.create();
      return [
        first,
        tablet.operation('order.create', { ...first.payload, order_id: newId(), items: [line()] }),
      ] as const;
    });
    await Promise.all(pairs.flat().map((create) => tablet.send(create)));
    const { attention } = (await manager.pull()).rows;
    const raised = pairs.map(
      ([{ payload }]) =>
        attention.filter(({ kind, details }) => kind === 'duplicate_number' && details['number'] === payload.number)
          .length,
    );
    expect(raised).toEqual(pairs.map(() => 1));
  });
});

describe('the envelope of a batch', () => {
  test.each([
    ['no operations', { operations: [] }, 400],
    ['201 operations', { operations: Array.from({ length: 201 }, () => ({ op_id: newId() })) }, 400],
    ['an invalid id', { operations: [{ op_id: 'x' }] }, 400],
    ['more than 256 KiB', { operations: [{ op_id: newId(), payload: { notes: 'x'.repeat(300_000) } }] }, 413],
  ])('refuses %s', async (_title, payload, status) => {
    const reply = await server.app.inject({ method: 'POST', url: '/api/sync/batch', headers: tablet.headers, payload });
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ success: false });
  });
});
