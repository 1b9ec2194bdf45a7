/** What nobody said about an item is the same, whether a form, another system or a table made it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blankCategory, blankProduct, blankStock } from '#domain/stock/blank-drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { blankItem, itemBody } from '#src/features/stock/items/item-draft.ts';
import { blankService, serviceBody } from '#src/features/stock/products/service-draft.ts';
import { BackOffice, soundItem } from './clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

test('a stock item', async () => {
  const bare = await office.item({ name: 'Bare' });
  const form = await office.item(itemBody({ ...blankItem, ...soundItem, name: 'Form' }));
  const { name, supplier, supplier_contact } = soundItem;
  const csv = `name,supplier,supplier_contact\n${name} of a table,${supplier},${supplier_contact}\n`;
  const imported = await office.call('POST', '/stock/import', { csv, confirm: true });
  expect(imported.statusCode, imported.body).toBe(200);
  const { stocks } = await office.get<{ stocks: StockResource[] }>('/stock?search=Gloves%20of%20a%20table');
  expect(stocks).toHaveLength(1);
  for (const item of [bare, form, ...stocks])
    expect(item).toMatchObject({ ...blankStock, name: item.name, supplier, supplier_contact });
});

test('a product and a category', async () => {
  const bare = await office.product({ name: 'Bare' });
  const form = await office.product(serviceBody('product')({ ...blankService, name: 'Form', price: 10 }));
  for (const product of [bare, form])
    expect(product).toMatchObject({ ...blankProduct, name: product.name, price: 10, ingredients: [] });
  expect(await office.category('Bare')).toMatchObject({ ...blankCategory, name: 'Bare' });
});
