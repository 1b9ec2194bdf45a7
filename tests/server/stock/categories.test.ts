import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackOffice } from './clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

describe('categories', () => {
  test('can be created and changed, and the feed sends them to the tablets', async () => {
    const { cursor } = await office.counter.pull();
    const made = await office.call('POST', '/categories', {
      name: ' Surgery ',
      description: 'All that is cut',
      color: '#ff0000',
    });
    expect([made.statusCode, made.json().data]).toMatchObject([
      201,
      { name: 'Surgery', description: 'All that is cut', color: '#ff0000' },
    ]);
    const { id } = made.json().data;
    const changed = await office.call('PUT', `/categories/${id}`, { id, name: 'Oral surgery' });
    expect(changed.json().data).toMatchObject({
      id,
      name: 'Oral surgery',
      description: 'All that is cut',
      color: '#ff0000',
    });
    expect((await office.counter.pull(cursor)).rows.categories.map(({ name }) => name)).toEqual(['Oral surgery']);
    expect((await office.audited('category.changed')).at(-1)).toMatchObject({
      subject: String(id),
      details: { name: '"Surgery" → "Oral surgery"' },
    });
  });

  test('keep a picture, and lose it when it is taken away', async () => {
    const image_url = 'data:image/png;base64,iVBORw0KGgo=';
    const made = await office.call('POST', '/categories', { name: 'Pictured', image_url });
    expect(made.json().data.image_url).toBe(image_url);
    const { id } = made.json().data;
    expect((await office.call('PUT', `/categories/${id}`, { name: 'Pictures' })).json().data.image_url).toBe(image_url);
    const { rows } = await office.counter.pull();
    expect(rows.categories.find((row) => row.id === id)!.image_url).toBe(image_url);
    const { categories } = { categories: (await office.call('GET', '/categories?search=Pictures')).json().data };
    expect(categories).toMatchObject([{ id, image_url }]);
    const bare = await office.call('PUT', `/categories/${id}`, { image_url: '' });
    expect(bare.json().data.image_url).toBeNull();
  });

  test.each([
    ['a short name', { name: ' x ' }, { name: 'Category name must be at least 2 characters' }],
    ['no name', {}, { name: 'Category name must be at least 2 characters' }],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, { name: 'This text is too long' }],
    ['a colour that is none', { name: 'Colours', color: 'url(x)' }, { color: expect.any(String) }],
    ['wrong types', { name: ['x'] }, { name: expect.any(String) }],
  ])('refuse %s', async (_title, body, details) => {
    const reply = await office.call('POST', '/categories', body);
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: 'VALIDATION', details }]);
  });

  test('have unique names regardless of accents, also when two are created at once', async () => {
    const { id } = await office.category('Radiología');
    const twin = await office.call('POST', '/categories', { name: 'RADIOLOGIA' });
    expect([twin.statusCode, twin.json().code]).toEqual([409, 'CATEGORY_EXISTS']);
    expect((await office.call('PUT', `/categories/${id}`, { name: 'radiología' })).statusCode).toBe(200);
    const both = await Promise.all([1, 2].map(() => office.call('POST', '/categories', { name: 'Ortodoncia' })));
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 409]));
    await office.call('DELETE', `/categories/${id}`);
    expect((await office.call('POST', '/categories', { name: 'Radiologia' })).statusCode).toBe(201);
  });

  test('are removed from their items when they are deleted, in the same page of the feed', async () => {
    const { id } = await office.category('Short lived');
    const item = await office.item({ category_id: id });
    const product = await office.product({ category_id: id });
    const { cursor } = await office.counter.pull();
    expect((await office.call('DELETE', `/categories/${id}`)).json()).toEqual({ success: true, data: { id } });
    const { rows, tombstones } = await office.counter.pull(cursor);
    expect(tombstones.categories).toEqual([id]);
    expect(rows.stock).toMatchObject([{ id: item.id, category_id: null }]);
    expect(rows.products).toMatchObject([{ id: product.id, category_id: null }]);
    expect((await office.call('PUT', `/categories/${id}`, { name: 'Again' })).json().code).toBe('NOT_FOUND');
    expect((await office.call('DELETE', `/categories/${id}`)).statusCode).toBe(404);
  });
});
