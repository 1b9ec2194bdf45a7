import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KitchenBoardResource } from '#domain/preparation/resources.ts';
import { orderResource } from '#domain/order/to-resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { line } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';
import { BackOffice } from '../stock/clinic.ts';

let office: BackOffice;
let gauze: number;
let needles: number;
/** Uses 1.5 of gauze. */
let splint: number;

beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());
beforeEach(async () => {
  gauze = (await office.item({ name: 'Gauze', quantity: 100 })).id;
  needles = (await office.item({ name: 'Needles', quantity: 100, cost_per_unit: 5 })).id;
  splint = (
    await office.product({ name: 'Splint', price: 60, ingredients: [{ ingredient_id: gauze, quantity_required: 1.5 }] })
  ).id;
});

const splintLine = () => line({ stock_id: undefined, product_id: splint, name: 'Splint', unit_price: 60 });
const needleLine = (quantity = 1) => line({ stock_id: needles, name: 'Needles', unit_price: 5, quantity });
const change = ({ payload: { order_id } }: Created, payload: object) =>
  office.counter.operation('order.change', { order_id, ...payload });
const orderOf = async ({ payload: { order_id } }: Created) =>
  (await office.get<{ data: OrderResource }>(`/orders/${order_id}`)).data;
const concernsAbout = async ({ payload: { order_id } }: Created) =>
  (await office.manager.pull()).rows.attention
    .filter((item) => item.order_id === order_id && item.settled_at === null)
    .map(({ kind }) => kind);
const shelf = async (id: number) => {
  const { quantity, reserved_quantity: reserved } = await office.itemNow(id);
  return { quantity, reserved };
};

/** An open treatment of a splint and a needle, with its lines. */
async function opened() {
  const [first, second] = [splintLine(), needleLine()];
  const created = office.counter.create([first, second]);
  await office.counter.send(created);
  return { created, splintId: first.line_id, needleId: second.line_id };
}

const replacing = (replaces: string, quantity: number) => ({ ...needleLine(quantity), replaces });

describe('SYNC-11 a changed treatment', () => {
  test('SYNC-11 counts, reserves and uses what is left, on the server as on every tablet', async () => {
    const { created, splintId, needleId } = await opened();
    expect([await shelf(gauze), await shelf(needles)]).toEqual([
      { quantity: 100, reserved: 1.5 },
      { quantity: 100, reserved: 1 },
    ]);
    const replacement = replacing(needleId, 3);
    await office.counter.send(
      change(created, { removed_line_ids: [splintId], replaced_items: [replacement], room_id: 7, room_number: '12' }),
    );
    expect([await shelf(gauze), await shelf(needles)]).toEqual([
      { quantity: 100, reserved: 0 },
      { quantity: 100, reserved: 3 },
    ]);
    const pulled = (await office.manager.pull()).rows.orders.find(({ id }) => id === created.payload.order_id)!;
    const order = orderResource(pulled);
    expect(order).toMatchObject({ price: 15, balance: 15, room_id: 7, room_number: '12', status: 'confirmed' });
    expect(order.OrderItems.map(({ id, quantity }) => [id, quantity])).toEqual([[replacement.line_id, 3]]);
    expect(order.RemovedItems.map(({ id }) => id)).toEqual([splintId, needleId]);
    expect(await concernsAbout(created)).toEqual([]);

    await office.counter.send(office.counter.pay(created, 15, { invoice: office.counter.invoice([replacement]) }));
    expect([await shelf(gauze), await shelf(needles)]).toEqual([
      { quantity: 100, reserved: 0 },
      { quantity: 97, reserved: 0 },
    ]);
  });

  test.each(['first', 'last'])(
    'SYNC-11 keeps an invoiced service and tells a manager when the change arrives %s',
    async (when) => {
      const { created, splintId } = await opened();
      const { items } = created.payload;
      const removal = change(created, { removed_line_ids: [splintId] });
      const payment = office.manager.pay(created, 65, { invoice: office.manager.invoice(items) });
      if (when === 'first') await office.counter.send(removal);
      await office.manager.send(payment);
      if (when === 'last') await office.counter.send(removal);
      expect(await orderOf(created)).toMatchObject({ status: 'completed', price: 65, balance: 0, RemovedItems: [] });
      expect(await concernsAbout(created)).toEqual(['change_overruled']);
      expect([await shelf(gauze), await shelf(needles)]).toEqual([
        { quantity: 98.5, reserved: 0 },
        { quantity: 99, reserved: 0 },
      ]);
    },
  );

  test('has its services in reports and on the board as they are now, and a line keeps its place in the preparation', async () => {
    const { created, splintId, needleId } = await opened();
    const { order_id } = created.payload;
    const move = await office.server.app.inject({
      method: 'PATCH',
      url: `/api/kitchen/orders/${order_id}/items/${needleId}/status`,
      payload: { status: 'preparing' },
      headers: office.manager.headers,
    });
    expect(move.statusCode).toBe(200);
    const replacement = replacing(needleId, 2);
    await office.counter.send(change(created, { removed_line_ids: [splintId], replaced_items: [replacement] }));
    const board = await office.get<KitchenBoardResource>('/kitchen/orders');
    expect(board.data.find(({ id }) => id === order_id)?.items.map(({ id, status }) => [id, status])).toEqual([
      [replacement.line_id, 'preparing'],
    ]);
    const report = await office.get<{ data: { id: string; items: { name: string; quantity: number }[] }[] }>(
      '/reports/orders',
    );
    expect(report.data.find(({ id }) => id === order_id)?.items).toMatchObject([{ name: 'Needles', quantity: 2 }]);
    const found = await office.get<{ data: { id: string }[] }>('/reports/orders?searchTerm=Splint');
    expect(found.data.some(({ id }) => id === order_id)).toBe(false);
  });
});

describe('POST /orders/{id}/changes', () => {
  const post = (created: Created, body: object) =>
    office.call('POST', `/orders/${created.payload.order_id}/changes`, body);

  test('takes lines away and gives others a new quantity at the agreed price', async () => {
    const { created, splintId, needleId } = await opened();
    const reply = await post(created, {
      removed_line_ids: [splintId],
      replaced_items: [{ replaces: needleId, quantity: 4 }],
      customer_name: 'Ana Ruiz',
    });
    expect(reply.json()).toMatchObject({
      success: true,
      data: { price: 20, customer_name: 'Ana Ruiz', OrderItems: [{ name: 'Needles', quantity: 4, price: 5 }] },
    });
  });

  test('refuses what is not there, is invoiced, is the last service, or was paid', async () => {
    const { created, splintId, needleId } = await opened();
    const codeOf = async (body: object) => (await post(created, body)).json<{ code: string }>().code;
    expect(await codeOf({ removed_line_ids: [newId()] })).toBe('LINE_GONE');
    expect(await codeOf({ removed_line_ids: [splintId, needleId] })).toBe('LAST_LINE');
    expect(await codeOf({ removed_line_ids: [splintId, splintId] })).toBe('VALIDATION');
    expect(await codeOf({ room_id: 2_000_000 })).toBe('ROOM_NOT_FOUND');
    await office.counter.send(office.counter.pay(created, 10));
    expect(await codeOf({ removed_line_ids: [splintId] })).toBe('CHANGE_BELOW_PAID');
    await office.counter.send(office.counter.pay(created, 55));
    expect(await codeOf({ removed_line_ids: [needleId] })).toBe('ORDER_PAID');
  });
});
