import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CategoryResource, StockResource } from '#domain/stock/resources.ts';
import { BackOffice } from './clinic.ts';

let office: BackOffice;
let surgery: CategoryResource;
beforeAll(async () => {
  office = await BackOffice.open();
  surgery = await office.category('Cirugía');
  await office.category('Higiene bucal');
  await office.item({
    name: 'Ácido grabador',
    quantity: 10,
    low_stock_threshold: 2,
    cost_per_unit: 3,
    supplier: 'Norte',
  });
  await office.item({
    name: 'Guantes de nitrilo',
    quantity: 2,
    low_stock_threshold: 2,
    cost_per_unit: 0.5,
    category_id: surgery.id,
  });
  await office.item({
    name: 'gasas 100 %',
    quantity: 0,
    low_stock_threshold: 2,
    cost_per_unit: 1,
    category_id: surgery.id,
    last_restocked_at: '2026-01-05T10:00:00.000Z',
  });
});
afterAll(() => office.server.close());

const names = async (query: string) =>
  (await office.get<{ stocks: StockResource[] }>(`/stock?${query}`)).stocks.map(({ name }) => name);

describe('GET /stock', () => {
  test('returns all items without a page number, ten with one, and `per_page` when it is given', async () => {
    expect(await office.get<object>('/stock')).toMatchObject({
      success: true,
      stocks: [{}, {}, {}],
      pagination: { total: 3, page: 1, per_page: 3, totalPages: 1 },
    });
    expect(await office.get<object>('/stock?page=1')).toMatchObject({
      pagination: { total: 3, page: 1, per_page: 10, totalPages: 1 },
    });
    expect(await office.get<object>('/stock?page=2&per_page=2')).toMatchObject({
      stocks: [{ name: 'Guantes de nitrilo' }],
      pagination: { total: 3, page: 2, per_page: 2, totalPages: 2 },
    });
  });

  test.each([
    ['search=acid', ['Ácido grabador']],
    ['search=NÍTR', ['Guantes de nitrilo']],
    ['search=itrilo', []],
    ['search=100%25', []],
    ['search=100%20%25', ['gasas 100 %']],
    ['search=_', []],
    ['status=in_stock', ['Ácido grabador']],
    ['status=low_stock', ['Guantes de nitrilo']],
    ['status=out_of_stock', ['gasas 100 %']],
    ['status=all', ['Ácido grabador', 'gasas 100 %', 'Guantes de nitrilo']],
    ['status=low_stock&search=gas', []],
    ['sort=quantity', ['gasas 100 %', 'Guantes de nitrilo', 'Ácido grabador']],
    ['sort=cost_per_unit&order=desc', ['Ácido grabador', 'gasas 100 %', 'Guantes de nitrilo']],
    ['sort=last_restocked_at&order=desc&per_page=1', ['gasas 100 %']],
    ['sort=name&order=desc', ['Guantes de nitrilo', 'gasas 100 %', 'Ácido grabador']],
  ])('returns the items for %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('filters by category', async () => {
    expect(await names(`category_id=${surgery.id}`)).toEqual(['gasas 100 %', 'Guantes de nitrilo']);
  });

  test.each(['sort=password', 'status=gone', 'order=sideways', 'per_page=0', 'per_page=5000', 'category_id=x'])(
    'refuses %s',
    async (query) => {
      const reply = await office.call('GET', `/stock?${query}`);
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'VALIDATION']);
    },
  );

  test('sorts equal items by id on every page', async () => {
    const before = (await office.get<{ stocks: StockResource[] }>('/stock?sort=unit')).stocks.map(({ id }) => id);
    expect(before).toEqual(before.toSorted((a, b) => a - b));
    const single = await Promise.all(
      before.map(
        async (_, index) =>
          (await office.get<{ stocks: StockResource[] }>(`/stock?sort=unit&per_page=1&page=${index + 1}`)).stocks[0]!
            .id,
      ),
    );
    expect(single).toEqual(before);
  });
});

describe('GET /categories and /products', () => {
  test('search without accents, and sort', async () => {
    const found = async (query: string) =>
      (await office.get<{ data: CategoryResource[] }>(`/categories?${query}`)).data.map(({ name }) => name);
    expect(await found('search=cirugia')).toEqual(['Cirugía']);
    expect(await found('search=BUC')).toEqual(['Higiene bucal']);
    expect(await found('sort=id&order=desc&page=1')).toEqual(['Higiene bucal', 'Cirugía']);
    expect(await found('sort=created_at&per_page=1')).toEqual(['Cirugía']);
    expect((await office.call('GET', '/categories?sort=color')).statusCode).toBe(400);
  });

  test('return products page by page', async () => {
    for (const name of ['Kit uno', 'Kit dos', 'Férula']) await office.product({ name, category_id: surgery.id });
    expect(await office.get<object>('/products?search=kit&page=2&per_page=1&order=desc')).toMatchObject({
      data: [{ name: 'Kit dos' }],
      pagination: { total: 2, totalPages: 2 },
    });
    expect(await office.get<object>(`/products?category_id=${surgery.id}`)).toMatchObject({ pagination: { total: 3 } });
  });
});
