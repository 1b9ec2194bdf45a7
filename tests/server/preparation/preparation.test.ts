import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderResource } from '#domain/order/to-resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { columnLimits } from '#domain/preparation/resources.ts';
import type { KitchenBoardResource, KitchenOrderResource } from '#domain/preparation/resources.ts';
import { preparationStatuses } from '#domain/preparation/steps.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';

/** Milliseconds by which the server's clock is ahead. */
let aheadMs = 0;
let server: TestServer;
let clerk: TestDevice;
let cook: TestDevice;
let waiter: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true, now: () => Date.now() + aheadMs });
  clerk = await TestDevice.enrol(server, 'manager');
  cook = await TestDevice.enrol(server, 'kitchen');
  waiter = await TestDevice.enrol(server, 'server');
});
afterAll(() => server.close());

const get = async <T>(url: string, device = cook): Promise<T> =>
  (await server.app.inject({ url: `/api${url}`, headers: device.headers })).json<T>();
const board = (status?: PreparationStatus): Promise<KitchenBoardResource> =>
  get(`/kitchen/orders${status ? `?status=${status}` : ''}`);
const onBoard = async (
  { payload: { order_id } }: Created,
  status?: PreparationStatus,
): Promise<KitchenOrderResource | undefined> => (await board(status)).data.find(({ id }) => id === order_id);
const statuses = async (created: Created) => (await onBoard(created))?.items.map(({ status }) => status);
const orderOf = async ({ payload: { order_id } }: Created): Promise<OrderResource> =>
  (await get<{ data: OrderResource }>(`/orders/${order_id}`, clerk)).data;

function move(
  { payload: { order_id } }: Created,
  itemId: string,
  status: string,
  { by = cook, key }: { by?: TestDevice; key?: string } = {},
) {
  return server.app.inject({
    method: 'PATCH',
    url: `/api/kitchen/orders/${order_id}/items/${itemId}/status`,
    payload: { status },
    headers: { ...by.headers, ...(key && { 'idempotency-key': key }) },
  });
}

async function asked(...items: ReturnType<typeof line>[]): Promise<{ created: Created; ids: string[] }> {
  const created = clerk.create(items.length > 0 ? items : [line()]);
  await clerk.send(created);
  return { created, ids: created.payload.items.map(({ line_id }) => line_id) };
}

/** Moves an item step by step to a status. */
async function moveTo(created: Created, itemId: string, status: PreparationStatus): Promise<void> {
  for (const step of preparationStatuses.slice(1, preparationStatuses.indexOf(status) + 1))
    expect((await move(created, itemId, step)).statusCode).toBe(200);
}

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const audits = async ({ payload: { order_id } }: Created) =>
  (
    await server.database.$client.query(
      `select user_id, device_id, details from audit_log where action = 'preparation.moved' and subject = $1 order by id`,
      [`order:${order_id}`],
    )
  ).rows;

describe('GET /kitchen/orders', () => {
  test('shows each line with its patient and its waiting time, the newest treatment last', async () => {
    const { created, ids } = await asked(
      line({ name: 'Dental cleaning', quantity: 2, notes: 'gently' }),
      line({ name: 'Bone graft' }),
    );
    const { data, counts } = await board();
    const shown = data.at(-1)!;
    expect(shown).toMatchObject({
      id: created.payload.order_id,
      number: created.payload.number,
      order_type: 'walk_in',
      customer_name: '',
      room_number: '',
      notes: '',
    });
    const at = created.occurred_at;
    expect(shown.items).toEqual([
      {
        id: ids[0],
        name: 'Dental cleaning',
        quantity: 2,
        notes: 'gently',
        status: 'pending',
        asked_at: at,
        moved_at: null,
      },
      { id: ids[1], name: 'Bone graft', quantity: 1, notes: '', status: 'pending', asked_at: at, moved_at: null },
    ]);
    expect(data.map(({ created_at }) => created_at)).toEqual(data.map(({ created_at }) => created_at).sort());
    const items = data.flatMap((order) => order.items);
    for (const status of preparationStatuses) {
      expect([status, items.filter((item) => item.status === status).length]).toEqual([
        status,
        Math.min(counts[status], columnLimits[status]),
      ]);
    }
  });

  test('filters the lines by status, and counts those of every status', async () => {
    const { created, ids } = await asked(line(), line());
    await moveTo(created, ids[1]!, 'ready');
    const ready = await board('ready');
    expect(new Set(ready.data.flatMap(({ items }) => items.map(({ status }) => status)))).toEqual(new Set(['ready']));
    expect((await onBoard(created, 'ready'))!.items.map(({ id }) => id)).toEqual([ids[1]]);
    expect(await onBoard(created, 'served')).toBeUndefined();
    expect(ready.counts).toEqual((await board()).counts);
    expect(
      (await server.app.inject({ url: '/api/kitchen/orders?status=eaten', headers: cook.headers })).statusCode,
    ).toBe(400);
  });

  test('drops a treatment after a day, and shows services added later', async () => {
    const { created } = await asked();
    aheadMs = 23.9 * 3_600_000;
    cook = await TestDevice.enrol(server, 'kitchen');
    expect(await onBoard(created)).toBeDefined();
    aheadMs = 24.1 * 3_600_000;
    cook = await TestDevice.enrol(server, 'kitchen');
    expect(await onBoard(created)).toBeUndefined();

    // The added service starts to wait now, and the older ones stay off the board.
    waiter = await TestDevice.enrol(server, 'server');
    const added = waiter.operation(
      'order.add_services',
      { order_id: created.payload.order_id, items: [line({ name: 'X-ray' })] },
      { occurred_at: new Date(Date.now() + aheadMs).toISOString() },
    );
    expect(await waiter.send(added)).toMatchObject([{ status: 'applied' }]);
    expect((await onBoard(created))?.items.map(({ name, status }) => [name, status])).toEqual([['X-ray', 'pending']]);
    aheadMs += 24.1 * 3_600_000;
    cook = await TestDevice.enrol(server, 'kitchen');
    expect(await onBoard(created)).toBeUndefined();
    aheadMs = 0;
    waiter = await TestDevice.enrol(server, 'server');
    cook = await TestDevice.enrol(server, 'kitchen');
  });

  test('limits a column to the longest waiting lines, or the last served ones; the counts include all', async () => {
    const before = (await board()).counts;
    const many = Array.from({ length: columnLimits.pending + 5 }, (_, index) => line({ name: `Tray ${index}` }));
    const { created, ids } = await asked(...many);
    const { data, counts } = await board();
    const pending = data.flatMap(({ items }) => items).filter(({ status }) => status === 'pending');
    expect(counts.pending).toBe(before.pending + many.length);
    expect(pending).toHaveLength(columnLimits.pending);
    expect(pending.map(({ id }) => id)).not.toContain(ids.at(-1));

    await server.database.$client.query(
      `update order_lines set preparation = 'served', preparation_at = $2::timestamptz + (position || ' seconds')::interval where order_id = $1`,
      [created.payload.order_id, new Date()],
    );
    const served = (await board('served')).data.flatMap(({ items }) => items);
    expect(served).toHaveLength(columnLimits.served);
    const own = new Set(served.map(({ id }) => id));
    expect([own.has(ids.at(-1)!), own.has(ids[0]!)]).toEqual([true, false]);
    await server.database.$client.query(`update orders set created_at = created_at - interval '2 days' where id = $1`, [
      created.payload.order_id,
    ]);
  });
});

describe('PATCH /kitchen/orders/:orderId/items/:itemId/status', () => {
  test('moves one item through every step and back, and records it in the audit log', async () => {
    const { created, ids } = await asked(line(), line());
    for (const status of ['preparing', 'ready', 'served', 'ready', 'preparing', 'pending'] as const) {
      const reply = await move(created, ids[0]!, status);
      expect([reply.statusCode, reply.json()]).toEqual([
        200,
        { success: true, data: { order_id: created.payload.order_id, id: ids[0], status } },
      ]);
      expect(await statuses(created)).toEqual([status, 'pending']);
    }
    const [first, ...rest] = await audits(created);
    expect(rest).toHaveLength(5);
    expect(first).toEqual({
      user_id: cook.userId,
      device_id: cook.info.device_id,
      details: { number: created.payload.number, item: ids[0], from: 'pending', to: 'preparing' },
    });
    const movedAtMs = Date.parse((await onBoard(created))!.items[0]!.moved_at!);
    expect(Date.now() - movedAtMs).toBeLessThan(10_000);
  });

  test.each(preparationStatuses.flatMap((from) => preparationStatuses.map((to) => [from, to] as const)))(
    'moves from %s to %s only when they are at most one step apart',
    async (from, to) => {
      const { created, ids } = await asked();
      await moveTo(created, ids[0]!, from);
      const reply = await move(created, ids[0]!, to);
      const isStep = Math.abs(preparationStatuses.indexOf(from) - preparationStatuses.indexOf(to)) <= 1;
      if (isStep) expect(reply.statusCode).toBe(200);
      else
        expect([reply.statusCode, reply.json()]).toMatchObject([
          409,
          { success: false, code: 'PREPARATION_STEP', details: { from, to } },
        ]);
      expect(await statuses(created)).toEqual([isStep ? to : from]);
    },
  );

  test('accepts the same status twice, and writes it once', async () => {
    const { created, ids } = await asked();
    for (const _ of [1, 2]) expect((await move(created, ids[0]!, 'preparing')).statusCode).toBe(200);
    expect(await audits(created)).toHaveLength(1);
  });

  test('SYNC-4 repeats its reply under the same key, and refuses other content under it', async () => {
    const { created, ids } = await asked();
    const key = newId();
    const first = await move(created, ids[0]!, 'preparing', { key });
    await move(created, ids[0]!, 'ready');
    const again = await move(created, ids[0]!, 'preparing', { key });
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
    expect(await statuses(created)).toEqual(['ready']);
    expect((await move(created, ids[0]!, 'served', { key })).json()).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  test('moves an item one step when many ask at the same time', async () => {
    const { created, ids } = await asked();
    const replies = await Promise.all(Array.from({ length: 6 }, () => move(created, ids[0]!, 'preparing')));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await audits(created)).toHaveLength(1);
  });

  test('refuses an unknown item, an item of another treatment or clinic, and an unknown status', async () => {
    const [one, other] = [await asked(), await asked()];
    expect((await move(one.created, other.ids[0]!, 'preparing')).json()).toMatchObject({
      code: 'PREPARATION_ITEM_NOT_FOUND',
    });
    expect((await move(one.created, newId(), 'preparing')).statusCode).toBe(404);
    const elsewhere = await server.login('admin', { clinicId: await server.addClinic() });
    const url = `/api/kitchen/orders/${one.created.payload.order_id}/items/${one.ids[0]}/status`;
    const foreign = await server.app.inject({
      method: 'PATCH',
      url,
      payload: { status: 'preparing' },
      headers: { authorization: `Bearer ${elsewhere}` },
    });
    expect(foreign.statusCode).toBe(404);
    for (const status of ['confirmed', '', null])
      expect((await move(one.created, one.ids[0]!, status as string)).statusCode).toBe(400);
    expect(await statuses(one.created)).toEqual(['pending']);
  });

  test('SYNC-9 moves the treatment, unchanged, to the end of every tablet’s feed', async () => {
    const { created, ids } = await asked();
    const { cursor } = await clerk.pull();
    const before = await orderOf(created);
    await move(created, ids[0]!, 'preparing');
    const news = await clerk.pull(cursor);
    expect(news.rows.orders.map(orderResource)).toEqual([before]);
    expect((await clerk.pull(news.cursor)).rows.orders).toEqual([]);
    await move(created, ids[0]!, 'preparing');
    expect((await clerk.pull(news.cursor)).rows.orders).toEqual([]);
  });
});

describe('a treatment', () => {
  test('is on the board with what needs preparation: goods wait for nobody', async () => {
    const { rows } = await server.database.$client.query<{ id: number }>(
      `update stock_items set needs_preparation = false where id = (select max(id) from stock_items) returning id`,
    );
    const [cleaning, brush] = [line(), line({ stock_id: rows[0]!.id, name: 'Toothbrush' })];
    const { created } = await asked(cleaning, brush);
    expect((await onBoard(created))?.items.map(({ id }) => id)).toEqual([cleaning.line_id]);
  });

  test.each(preparationStatuses)(
    'with lines that are %s can be paid; then nothing of it waits, and what was served is shown',
    async (status) => {
      const { created, ids } = await asked();
      await moveTo(created, ids[0]!, status);
      expect((await orderOf(created)).status).toBe('confirmed');
      const [paid] = await clerk.send(clerk.pay(created, 60));
      expect(paid).toMatchObject({ status: 'applied' });
      expect(await orderOf(created)).toMatchObject({ status: 'completed', balance: 0 });
      expect(await statuses(created)).toEqual(status === 'served' ? ['served'] : undefined);
    },
  );

  test('keeps the status of its lines when services are added and a payment is refunded; added lines start as pending', async () => {
    const created = clerk.create([line(), line()], { occurred_at: minutesAgo(40) });
    await clerk.send(created);
    const ids = created.payload.items.map(({ line_id }) => line_id);
    await moveTo(created, ids[0]!, 'served');
    await moveTo(created, ids[1]!, 'ready');
    const later = minutesAgo(10);
    await clerk.send(
      clerk.operation(
        'order.add_services',
        { order_id: created.payload.order_id, items: [line({ name: 'Fluoride varnish' })] },
        { depends_on: [created.op_id], occurred_at: later },
      ),
    );
    await clerk.send(clerk.pay(created, 180));
    const refund = {
      order_id: created.payload.order_id,
      refund_id: newId(),
      payment_method: 'cash' as const,
      amount: 20,
      reason: 'a complaint',
      reduction: 0,
      still_owed: true as const,
      credit_note_number: clerk.number('credit_note'),
    };
    expect((await clerk.send(clerk.operation('order.refund', refund)))[0]).toMatchObject({ status: 'applied' });
    const { items } = (await onBoard(created))!;
    expect(items.map(({ status }) => status)).toEqual(['served', 'ready', 'pending']);
    expect(items.map(({ asked_at }) => asked_at)).toEqual([created.occurred_at, created.occurred_at, later]);
    expect(items[2]).toMatchObject({ name: 'Fluoride varnish', moved_at: null });
  });

  test('leaves the board when it is cancelled, and its lines keep their status', async () => {
    const { created, ids } = await asked();
    await moveTo(created, ids[0]!, 'preparing');
    const before = (await board()).counts;
    await clerk.send(clerk.operation('order.cancel', { order_id: created.payload.order_id, status: 'cancelled' }));
    expect(await onBoard(created)).toBeUndefined();
    expect((await board()).counts.preparing).toBe(before.preparing - 1);
    expect((await move(created, ids[0]!, 'ready')).json()).toMatchObject({ code: 'ORDER_CANCELLED' });
  });

  test('returns to the board with the status of its lines when a payment overrules its cancel', async () => {
    const { created, ids } = await asked();
    await moveTo(created, ids[0]!, 'ready');
    await clerk.send(
      clerk.operation('order.cancel', { order_id: created.payload.order_id, status: 'cancelled' }),
      clerk.pay(created, 30),
    );
    expect(await statuses(created)).toEqual(['ready']);
  });
});

describe('POST /server/orders', () => {
  const ask = (device: TestDevice, url: string, key?: string) =>
    server.app.inject({
      method: 'POST',
      url,
      payload: { items: [{ stock_id: 2, quantity: 1 }] },
      headers: { ...device.headers, ...(key && { 'idempotency-key': key }) },
    });

  test('creates a treatment for the server role as POST /orders does, and its lines show on the board', async () => {
    const reply = await ask(waiter, '/api/server/orders');
    expect(reply.statusCode).toBe(201);
    const { data } = reply.json<{ data: OrderResource }>();
    expect(data).toMatchObject({ status: 'confirmed', created_by: waiter.userId });
    expect((await board()).data.find(({ id }) => id === data.id)!.items).toMatchObject([{ status: 'pending' }]);
    const key = newId();
    const [first, second] = [
      await ask(waiter, '/api/server/orders', key),
      await ask(waiter, '/api/server/orders', key),
    ];
    expect([second.headers['idempotency-replayed'], second.body]).toEqual(['true', first.body]);
  });
});
