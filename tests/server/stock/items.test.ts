import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackOffice, soundItem } from './clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

describe('POST /stock', () => {
  test('creates an item with defaults, and records its opening quantity as the first count of its ledger', async () => {
    const reply = await office.call('POST', '/stock', {
      ...soundItem,
      name: '  Gloves  ',
      quantity: 12.5,
      low_stock_threshold: 3,
      cost_per_unit: 4.2,
      barcode: '',
    });
    expect(reply.statusCode).toBe(201);
    const { data } = reply.json();
    expect(data).toMatchObject({
      name: 'Gloves',
      unit: 'pcs',
      quantity: 12.5,
      reserved_quantity: 0,
      low_stock_threshold: 3,
      cost_per_unit: 4.2,
      category_id: null,
      image_url: null,
      barcode: null,
      is_available: true,
      tracks_lots: false,
      last_restocked_at: null,
      supplier: 'Madrid Dental',
    });
    expect(await office.ledgerOf(data.id)).toEqual([{ type: 'manual_adjustment', is_count: true, effect: 12_500 }]);
    expect(await office.audited('stock.created')).toContainEqual({
      subject: String(data.id),
      user_id: office.manager.userId,
      details: { name: 'Gloves', quantity: 12.5, cost_per_unit: 4.2 },
    });
  });

  test('sends the new item to the tablets through the feed, and pokes them', async () => {
    const { cursor } = await office.counter.pull();
    const client = await office.server.database.$client.connect();
    const poked = new Promise<string | undefined>((resolve) =>
      client.on('notification', ({ payload }) => resolve(payload)),
    );
    await client.query('listen clinic_changes');
    const { id } = await office.item({ name: 'Bibs' });
    expect(await poked).toBe(String(office.server.clinicId));
    await client.query('unlisten *');
    client.release();
    expect((await office.counter.pull(cursor)).rows.stock).toMatchObject([{ id, name: 'Bibs', tracks_lots: false }]);
  });

  test.each([
    [
      'nothing',
      {},
      { name: 'Name is required', supplier: 'Supplier is required', supplier_contact: 'Supplier contact is required' },
    ],
    ['blanks', { ...soundItem, name: ' ', unit: '' }, { name: 'Name is required', unit: 'Unit is required' }],
    [
      'negative numbers',
      { ...soundItem, quantity: -1, reserved_quantity: -1, low_stock_threshold: -0.001, cost_per_unit: -0.01 },
      {
        quantity: 'Quantity must be 0 or greater',
        reserved_quantity: 'Reserved quantity must be 0 or greater',
        low_stock_threshold: 'Low stock threshold must be 0 or greater',
        cost_per_unit: 'Cost per unit must be 0 or greater',
      },
    ],
    ['a name of 10,000 characters', { ...soundItem, name: 'x'.repeat(10_000) }, { name: 'This text is too long' }],
    [
      'an unknown category',
      { ...soundItem, category_id: 2_000_000_000 },
      { category_id: 'This category no longer exists' },
    ],
    [
      'wrong types',
      { ...soundItem, name: 7, quantity: '3', is_available: 'yes' },
      { name: expect.any(String), quantity: expect.any(String), is_available: expect.any(String) },
    ],
    [
      'huge numbers',
      { ...soundItem, quantity: 1e300, cost_per_unit: 1e18 },
      { quantity: expect.any(String), cost_per_unit: expect.any(String) },
    ],
    ['four decimals', { ...soundItem, quantity: 0.0001 }, { quantity: 'Quantity can have at most 3 decimals' }],
    [
      'a picture that is a script',
      { ...soundItem, image_url: 'javascript:alert(1)' },
      { image_url: expect.any(String) },
    ],
    [
      'a picture that is a document',
      { ...soundItem, image_url: 'data:text/html;base64,AAAA' },
      { image_url: expect.any(String) },
    ],
  ])('refuses %s and writes nothing', async (_title, body, details) => {
    const count = async () => (await office.rows('select 1 from stock_items')).length;
    const before = await count();
    const reply = await office.call('POST', '/stock', body);
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { success: false, code: 'VALIDATION', message: expect.any(String), details },
    ]);
    expect(await count()).toBe(before);
  });

  test.each([null, '', '/uploads/1/0190a5b0-0000-7000-8000-000000000000.webp', 'data:image/png;base64,AAAA'])(
    'accepts the picture %s',
    async (image_url) => {
      expect((await office.item({ image_url })).image_url).toBe(image_url || null);
    },
  );

  test('accepts any unit of up to 40 characters', async () => {
    expect((await office.item({ unit: 'pallets' })).unit).toBe('pallets');
    expect((await office.call('POST', '/stock', { ...soundItem, unit: 'x'.repeat(41) })).statusCode).toBe(400);
  });
});

describe('PUT /stock/:id', () => {
  const put = (id: number, body: object) => office.call('PUT', `/stock/${id}`, body);

  test('changes the named fields and keeps the rest', async () => {
    const before = await office.item({ quantity: 5 });
    const { data } = (
      await put(before.id, { id: before.id, name: 'Nitrile gloves', cost_per_unit: 2, last_restocked_at: '2026-03-01' })
    ).json();
    expect(data).toEqual({
      ...before,
      name: 'Nitrile gloves',
      cost_per_unit: 2,
      last_restocked_at: '2026-03-01T00:00:00.000Z',
      updated_at: expect.any(String),
    });
    expect(await office.rows('select search_key from stock_items where id = $1', [before.id])).toEqual([
      { search_key: 'nitrile gloves' },
    ]);
    expect((await office.audited('stock.changed')).at(-1)).toMatchObject({
      subject: String(before.id),
      details: { name: '"Gloves" → "Nitrile gloves"', cost_per_unit: '0 → 2' },
    });
  });

  test('SYNC-10 records a count only when the quantity differs from the one that the form showed', async () => {
    const { id } = await office.item({ quantity: 10 });
    await office.call('POST', `/stock/stock/subtract/${id}`, { amount: 3 });
    expect((await put(id, { name: 'Renamed', quantity: 10, expected_quantity: 10 })).json().data.quantity).toBe(7);
    expect((await put(id, { quantity: 7 })).json().data.quantity).toBe(7);
    expect((await office.ledgerOf(id)).length).toBe(2);
    expect((await put(id, { quantity: 20, expected_quantity: 10 })).json().data.quantity).toBe(20);
    expect((await office.ledgerOf(id)).at(-1)).toMatchObject({ is_count: true, effect: 13_000 });
  });

  test('validates only changed fields, so that an item below zero can be renamed', async () => {
    const { id } = await office.item();
    await office.call('POST', `/stock/stock/subtract/${id}`, { amount: 4 });
    const reply = await put(id, { name: 'Sold out', quantity: -4, expected_quantity: -4, reserved_quantity: 0 });
    expect(reply.json().data).toMatchObject({ name: 'Sold out', quantity: -4 });
    expect((await put(id, { quantity: -5 })).json().details).toEqual({ quantity: 'Quantity must be 0 or greater' });
  });

  test('reserves by hand in addition to open treatments, and never less than they need', async () => {
    const { id } = await office.item({ quantity: 10, reserved_quantity: 1, cost_per_unit: 5 });
    await office.call('POST', '/orders', { items: [{ stock_id: id, quantity: 2 }] });
    expect((await office.itemNow(id)).reserved_quantity).toBe(3);
    expect((await put(id, { reserved_quantity: 5 })).json().data.reserved_quantity).toBe(5);
    // The form showed 1 and sets 0, which releases 1 and keeps the reservation of the treatment.
    expect((await put(id, { reserved_quantity: 0, expected_reserved_quantity: 1 })).json().data.reserved_quantity).toBe(
      4,
    );
    expect((await put(id, { reserved_quantity: 1 })).json().details).toEqual({
      reserved_quantity: 'Open treatments need more than this',
    });
    expect(
      await office.rows(
        'select reserved_milli::int as reserved, held_milli::int as held from stock_items where id = $1',
        [id],
      ),
    ).toEqual([{ reserved: 2000, held: 2000 }]);
  });

  test('raises and ends alerts when the threshold changes', async () => {
    const { id } = await office.item({ quantity: 5 });
    const open = () => office.rows('select type from stock_alerts where stock_id = $1 and resolved_at is null', [id]);
    expect(await open()).toEqual([]);
    await put(id, { low_stock_threshold: 6 });
    expect(await open()).toEqual([{ type: 'low_stock' }]);
    await put(id, { low_stock_threshold: 4 });
    expect(await open()).toEqual([]);
  });

  test('returns 404 for an item of another clinic', async () => {
    const foreign = await office.foreignItem();
    for (const reply of [
      await office.call('GET', `/stock/${foreign}`),
      await put(foreign, { name: 'Mine' }),
      await office.call('DELETE', `/stock/${foreign}`),
      await office.call('POST', `/stock/stock/add/${foreign}`, { amount: 1 }),
      await office.call('POST', '/stock/reserve', { stock: [{ stock_id: foreign, quantity: 1 }] }),
    ]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'STOCK_NOT_FOUND']);
    }
    expect(
      await office.rows(
        'select name, quantity_milli::int as quantity, held_milli::int as held, deleted_at from stock_items where id = $1',
        [foreign],
      ),
    ).toEqual([{ name: 'Foreign', quantity: 0, held: 0, deleted_at: null }]);
  });
});

describe('POST /stock/:id/restore', () => {
  test('takes a deletion back, with the stock and for the tablets, and nothing else', async () => {
    const { id } = await office.item({ quantity: 3 });
    const restore = () => office.call('POST', `/stock/${id}/restore`);
    expect((await office.call('POST', '/stock/999999/restore')).statusCode).toBe(404);
    await office.call('DELETE', `/stock/${id}`);
    const { cursor } = await office.counter.pull();
    expect((await restore()).json()).toEqual({ success: true, data: { id } });
    expect((await office.call('GET', `/stock/${id}`)).json()).toMatchObject({ data: { name: 'Gloves', quantity: 3 } });
    expect((await office.counter.pull(cursor)).tombstones.stock ?? []).toEqual([]);
    expect((await restore()).statusCode).toBe(200);
    const audited = (await office.audited('stock.restored')).filter(({ subject }) => subject === String(id));
    expect(audited).toHaveLength(1);
  });

  test('raises the alerts of an item again, and refuses a product whose ingredient is gone', async () => {
    const { id } = await office.item();
    const open = () => office.rows('select type from stock_alerts where stock_id = $1 and resolved_at is null', [id]);
    const product = await office.product({
      name: 'Restored kit',
      ingredients: [{ ingredient_id: id, quantity_required: 1 }],
    });
    await office.call('DELETE', `/products/${product.id}`);
    await office.call('DELETE', `/stock/${id}`);
    expect((await office.call('POST', `/products/${product.id}/restore`)).json()).toMatchObject({
      code: 'STOCK_NOT_FOUND',
    });
    expect((await office.call('GET', `/products/${product.id}`)).statusCode).toBe(404);
    await office.call('POST', `/stock/${id}/restore`);
    expect(await open()).toEqual([{ type: 'out_of_stock' }]);
    expect((await office.call('POST', `/products/${product.id}/restore`)).statusCode).toBe(200);
    expect((await office.call('GET', `/products/${product.id}`)).json()).toMatchObject({
      data: { name: 'Restored kit' },
    });
  });
});

describe('DELETE /stock/:id', () => {
  test('removes an item from the lists and the tablets, but not from the ledger', async () => {
    const { id } = await office.item({ quantity: 1 });
    const { cursor } = await office.counter.pull();
    expect((await office.call('DELETE', `/stock/${id}`)).json()).toEqual({ success: true, data: { id } });
    expect((await office.counter.pull(cursor)).tombstones.stock).toEqual([id]);
    expect((await office.call('GET', `/stock/${id}`)).statusCode).toBe(404);
    expect((await office.call('DELETE', `/stock/${id}`)).statusCode).toBe(404);
    expect((await office.ledgerOf(id)).length).toBe(1);
    expect((await office.audited('stock.deleted')).at(-1)).toMatchObject({
      subject: String(id),
      details: { name: 'Gloves' },
    });
  });

  test('ends the alerts of an item', async () => {
    const { id } = await office.item();
    const open = () => office.rows('select type from stock_alerts where stock_id = $1 and resolved_at is null', [id]);
    expect(await open()).toEqual([{ type: 'out_of_stock' }]);
    await office.call('DELETE', `/stock/${id}`);
    expect(await open()).toEqual([]);
  });

  test('refuses an ingredient of a product, and names the product', async () => {
    const { id } = await office.item();
    const product = await office.product({
      name: 'Glove kit',
      ingredients: [{ ingredient_id: id, quantity_required: 1 }],
    });
    const refused = await office.call('DELETE', `/stock/${id}`);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'STOCK_IN_USE', details: { products: 'Glove kit' } },
    ]);
    await office.call('DELETE', `/products/${product.id}`);
    expect((await office.call('DELETE', `/stock/${id}`)).statusCode).toBe(200);
  });
});
