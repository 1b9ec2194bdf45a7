import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StockResource } from '#domain/stock/resources.ts';
import { BackOffice } from './clinic.ts';

let office: BackOffice;
let gauze: StockResource;
let needles: StockResource;
beforeAll(async () => {
  office = await BackOffice.open();
  gauze = await office.item({ name: 'Gauze', quantity: 100 });
  needles = await office.item({ name: 'Needles', quantity: 100 });
});
afterAll(() => office.server.close());

describe('products', () => {
  test('can be created, read, changed and deleted, and the feed sends each change to the tablets', async () => {
    const { cursor } = await office.counter.pull();
    const made = await office.call('POST', '/products', {
      name: 'Extraction kit',
      description: 'For one tooth',
      price: 12.5,
      barcode: '841',
      ingredients: [
        { ingredient_id: needles.id, quantity_required: 1 },
        { ingredient_id: gauze.id, quantity_required: 0.5 },
      ],
    });
    expect([made.statusCode, made.json().data]).toMatchObject([
      201,
      {
        name: 'Extraction kit',
        price: 12.5,
        is_available: true,
        category_id: null,
        barcode: '841',
        ingredients: [
          { ingredient_id: gauze.id, quantity_required: 0.5 },
          { ingredient_id: needles.id, quantity_required: 1 },
        ],
      },
    ]);
    const { id } = made.json().data;
    expect((await office.get<{ data: object }>(`/products/${id}`)).data).toEqual(made.json().data);
    const first = await office.counter.pull(cursor);
    expect(first.rows.products).toEqual([made.json().data]);

    // The feed has no rows of ingredients, so a change of them must update the product.
    const changed = await office.call('PUT', `/products/${id}`, {
      ingredients: [{ ingredient_id: gauze.id, quantity_required: 2 }],
    });
    expect(changed.json().data).toMatchObject({
      name: 'Extraction kit',
      ingredients: [{ ingredient_id: gauze.id, quantity_required: 2 }],
    });
    const second = await office.counter.pull(first.cursor);
    expect(second.rows.products).toEqual([changed.json().data]);

    expect((await office.call('DELETE', `/products/${id}`)).json()).toEqual({ success: true, data: { id } });
    expect((await office.counter.pull(second.cursor)).tombstones.products).toEqual([id]);
    expect((await office.call('GET', `/products/${id}`)).json().code).toBe('NOT_FOUND');
    for (const action of ['created', 'changed', 'deleted'])
      expect((await office.audited(`product.${action}`)).at(-1)).toMatchObject({ subject: String(id) });
  });

  test.each([
    [
      'a short name',
      () => ({ name: 'x' }),
      { name: 'Product name must be at least 2 characters', price: 'Price must be greater than 0' },
    ],
    ['no price', () => ({ name: 'Kit', price: 0 }), { price: 'Price must be greater than 0' }],
    ['a third of a cent', () => ({ name: 'Kit', price: 0.333 }), { price: 'Price can have at most 2 decimals' }],
    [
      'a negative ingredient',
      () => ({ name: 'Kit', price: 1, ingredients: [{ ingredient_id: gauze.id, quantity_required: -1 }] }),
      { ingredients: 'Quantity must be 0 or greater' },
    ],
    [
      'an unknown ingredient',
      () => ({ name: 'Kit', price: 1, ingredients: [{ ingredient_id: 2_000_000_000, quantity_required: 1 }] }),
      { ingredients: 'An ingredient does not exist' },
    ],
    [
      'an ingredient twice',
      () => ({
        name: 'Kit',
        price: 1,
        ingredients: [gauze, gauze].map(({ id }) => ({ ingredient_id: id, quantity_required: 1 })),
      }),
      { ingredients: 'An ingredient is listed twice' },
    ],
    [
      'an unknown category',
      () => ({ name: 'Kit', price: 1, category_id: 2_000_000_000 }),
      { category_id: 'This category no longer exists' },
    ],
  ])('refuse %s', async (_title, body, details) => {
    const reply = await office.call('POST', '/products', body());
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: 'VALIDATION', details }]);
    expect((await office.get<{ pagination: { total: number } }>('/products')).pagination.total).toBe(0);
  });

  test('refuse an ingredient of another clinic, and are hidden from other clinics', async () => {
    const foreign = await office.foreignItem();
    const reply = await office.call('POST', '/products', {
      name: 'Kit',
      price: 1,
      ingredients: [{ ingredient_id: foreign, quantity_required: 1 }],
    });
    expect(reply.json().details).toEqual({ ingredients: 'An ingredient does not exist' });
    const [row] = await office.rows<{ id: number }>(
      `insert into products (clinic_id, name, search_key, price_minor) select max(id), 'Foreign', 'foreign', 1 from clinics returning id`,
    );
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      expect(
        (await office.call(method, `/products/${row!.id}`, method === 'PUT' ? { name: 'Mine' } : undefined)).json()
          .code,
      ).toBe('NOT_FOUND');
    }
  });

  test('SYNC-10 update the reservations of open treatments when their ingredients change', async () => {
    const product = await office.product({
      name: 'Splint',
      price: 20,
      ingredients: [{ ingredient_id: gauze.id, quantity_required: 1.5 }],
    });
    const order = (await office.call('POST', '/orders', { items: [{ product_id: product.id, quantity: 2 }] })).json()
      .data;
    expect((await office.itemNow(gauze.id)).reserved_quantity).toBe(3);
    await office.call('PUT', `/products/${product.id}`, {
      ingredients: [
        { ingredient_id: gauze.id, quantity_required: 1 },
        { ingredient_id: needles.id, quantity_required: 4 },
      ],
    });
    expect([
      (await office.itemNow(gauze.id)).reserved_quantity,
      (await office.itemNow(needles.id)).reserved_quantity,
    ]).toEqual([2, 8]);
    await office.call('POST', `/payments/orders/${order.id}/pay`, { payment_method: 'cash', amount: 40 });
    expect(await office.itemNow(gauze.id)).toMatchObject({ reserved_quantity: 0, quantity: 98 });
    expect(await office.itemNow(needles.id)).toMatchObject({ reserved_quantity: 0, quantity: 92 });
  });
});

test.each(['E2', 'E3', 'E5'])('products have no exemption that needs another regime: %s', async (tax) => {
  expect((await office.call('POST', '/products', { name: 'Report', price: 1, tax })).statusCode).toBe(400);
  expect((await office.call('POST', '/products', { name: `Report ${tax}`, price: 1, tax: 'E4' })).statusCode).toBe(201);
});
