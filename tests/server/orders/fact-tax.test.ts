/** The tax of lines that another system states over REST. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderResource } from '#domain/order/resource.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { TestDevice, line } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';
import type { TestServer } from '#tests/support/server.ts';

const issuer = {
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};

let server: TestServer;
let device: TestDevice;
/** A filling without tax, and a toothbrush with 21 %. */
let exempt: number;
let taxed: number;
let withoutProfile: OrderResource;

const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) => {
  const reply = await server.app.inject({
    method,
    url: `/api${url}`,
    headers: device.headers,
    ...(payload && { payload }),
  });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().data;
};

const agreed = (product_id: number, unit_price: number, more: object = {}) => ({
  ...line({ stock_id: undefined, product_id, name: product_id === taxed ? 'Toothbrush' : 'Filling', unit_price }),
  ...more,
});
const filling = (more: object = {}) => agreed(exempt, 60, more);
const brush = (more: object = {}) => agreed(taxed, 6.05, more);

const created = (items: ReturnType<typeof filling>[]): Promise<OrderResource> =>
  call('POST', '/orders', {
    order_id: newId(),
    number: device.number('treatment'),
    items,
    currency: 'EUR',
    total: items.reduce((sum, { unit_price }) => sum + unit_price, 0),
  });
const taxes = ({ OrderItems }: OrderResource) => OrderItems.map(({ name, tax }) => [name, tax]);
const told = async ({ id }: OrderResource): Promise<Pick<AttentionResource, 'kind' | 'details'>[]> =>
  (await device.pull()).rows.attention
    .filter(({ order_id, kind }) => order_id === id && kind === 'tax_differs')
    .map(({ kind, details }) => ({ kind, details }));

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  device = await TestDevice.enrol(server, 'admin');
  exempt = (await call('POST', '/products', { name: 'Filling', price: 60 })).id;
  taxed = (await call('POST', '/products', { name: 'Toothbrush', price: 6.05, tax: 'standard' })).id;
});
afterAll(() => server.close());

test('without a tax profile no line of a fact has a tax', async () => {
  withoutProfile = await created([filling(), brush({ tax: { rate: 21 } })]);
  const added = await call('PATCH', `/orders/${withoutProfile.id}`, { items: [brush({ tax: { rate: 21 } })] });
  expect(taxes(added)).toEqual([
    ['Filling', undefined],
    ['Toothbrush', undefined],
    ['Toothbrush', undefined],
  ]);
  const replaces = added.OrderItems[1].id;
  const changed = await call('POST', `/orders/${added.id}/changes`, { replaced_items: [{ replaces, quantity: 2 }] });
  expect(taxes(changed).map(([, tax]) => tax)).toEqual([undefined, undefined, undefined]);
  expect(await told(changed)).toEqual([]);
});

describe('with a tax profile', () => {
  beforeAll(() => call('PUT', '/settings', { tax_profile: 'ES', books_by_sii: true, ...issuer }));

  test('order.create: a line without a tax bears that of the catalogue, and is invoiced with it', async () => {
    const order = await created([filling(), brush()]);
    expect(taxes(order)).toEqual([
      ['Filling', { exempt: 'E1' }],
      ['Toothbrush', { rate: 21 }],
    ]);
    await call('POST', `/orders/${order.id}/payments`, { payment_method: 'card', amount: 66.05 });
    const { Invoice } = await call('GET', `/orders/${order.id}`);
    expect(Invoice.tax_totals).toMatchObject([
      { exempt: 'E1', gross: 60 },
      { rate: 21, base: 5, tax: 1.05 },
    ]);
    expect(await told(order)).toEqual([]);
  });

  test('order.create: a deleted service keeps its tax', async () => {
    const { id } = await call('POST', '/products', { name: 'Floss', price: 3, tax: 'standard' });
    await server.app.inject({ method: 'DELETE', url: `/api/products/${id}`, headers: device.headers });
    expect(taxes(await created([agreed(id, 3)]))).toEqual([['Filling', { rate: 21 }]]);
  });

  test('order.create: a stated tax stands, and a manager is told of one that the service does not have', async () => {
    const order = await created([filling({ tax: { exempt: 'E1' } }), brush({ tax: { rate: 10 } })]);
    expect(taxes(order).map(([, tax]) => tax)).toEqual([{ exempt: 'E1' }, { rate: 10 }]);
    expect(await told(order)).toEqual([
      {
        kind: 'tax_differs',
        details: expect.objectContaining({ name: 'Toothbrush', stated: '10 %', expected: '21 %' }),
      },
    ]);
  });

  test('order.add_services: likewise', async () => {
    const order = await created([filling()]);
    const added = await call('PATCH', `/orders/${order.id}`, { items: [brush(), filling({ tax: { rate: 21 } })] });
    expect(taxes(added)).toEqual([
      ['Filling', { exempt: 'E1' }],
      ['Toothbrush', { rate: 21 }],
      ['Filling', { rate: 21 }],
    ]);
    expect(await told(added)).toEqual([
      { kind: 'tax_differs', details: expect.objectContaining({ name: 'Filling', stated: '21 %', expected: 'E1' }) },
    ]);
  });

  test('order.change: a replaced line keeps its tax, and gets the catalogue’s where it has none', async () => {
    const order = await created([filling(), brush({ tax: { rate: 10 } })]);
    const replaced = async ({ id, OrderItems }: OrderResource) =>
      call('POST', `/orders/${id}/changes`, {
        replaced_items: OrderItems.map((item) => ({ replaces: item.id, quantity: 2 })),
      });
    expect(taxes(await replaced(order)).map(([, tax]) => tax)).toEqual([{ exempt: 'E1' }, { rate: 10 }]);
    const old = await call('GET', `/orders/${withoutProfile.id}`);
    expect(taxes(await replaced(old)).map(([, tax]) => tax)).toEqual([{ exempt: 'E1' }, { rate: 21 }, { rate: 21 }]);
  });

  test('a tax out of bounds is refused', async () => {
    const reply = await server.app.inject({
      method: 'PATCH',
      url: `/api/orders/${withoutProfile.id}`,
      headers: device.headers,
      payload: { items: [brush({ tax: { rate: 101 } })] },
    });
    expect(reply.json()).toMatchObject({ code: 'VALIDATION' });
  });

  test('a tablet that has not heard of a new tax sells with the old one, and nobody is told', async () => {
    await call('PUT', `/products/${exempt}`, { tax: 'reduced' });
    const sale = device.create([filling({ tax: { exempt: 'E1' } })]);
    const untaxed = device.create([brush()]);
    await device.send(sale, untaxed);
    expect(await told({ id: sale.payload.order_id } as OrderResource)).toEqual([]);
    // A line without a tax is invoiced as exempt.
    expect(await told({ id: untaxed.payload.order_id } as OrderResource)).toMatchObject([
      { details: { stated: 'E1', expected: '21 %' } },
    ]);
  });
});
