/** The list that a new clinic begins with: the server's names, categories, colours, pictures and taxes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languages } from '#domain/language.ts';
import { drawingNames } from '#domain/stock/pictures.ts';
import type { CategoryResource, StarterList, StockResource } from '#domain/stock/resources.ts';
import { starterCategories, starterServices } from '#domain/stock/starter.ts';
import { starterTexts } from '#server/modules/stock/service.ts';
import { demoCategories, demoItems } from '#server/seed/catalogue.ts';
import { BackOffice } from './clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

const list = async () => (await office.get<{ data: StarterList }>('/stock/starter')).data;
const stock = async () => (await office.get<{ stocks: StockResource[] }>('/stock?per_page=200')).stocks;

test('every service and category has a name of its own in both languages', () => {
  for (const language of languages) {
    const { services, categories } = starterTexts(language);
    expect(Object.keys(services)).toEqual(starterServices.map(({ key }) => key));
    expect(new Set(Object.values(services)).size).toBe(starterServices.length);
    expect(Object.keys(categories).toSorted()).toEqual(Object.keys(starterCategories).toSorted());
  }
});

test('whitening and goods bear the standard rate, and treatments are exempt', () => {
  const taxed = starterServices.filter(({ tax }) => tax !== 'E1');
  expect(taxed.every(({ tax }) => tax === 'standard')).toBe(true);
  expect(taxed.filter(({ category }) => category !== 'homeCare').map(({ key }) => key)).toEqual([
    'whiteningClinic',
    'whiteningHome',
  ]);
  expect(taxed.filter(({ category }) => category === 'homeCare')).toHaveLength(
    starterServices.filter(({ category }) => category === 'homeCare').length,
  );
});

test('the demo sells what the list offers, with its colours and pictures', () => {
  const { services, categories } = starterTexts('en');
  for (const { key, category, price, drawing, tax } of starterServices)
    expect(demoItems).toContainEqual(
      expect.objectContaining({ name: services[key], category: categories[category].name, price, drawing, tax }),
    );
  for (const [key, color] of Object.entries(starterCategories))
    expect(demoCategories).toContainEqual(
      expect.objectContaining({ color, name: categories[key as keyof typeof starterCategories].name }),
    );
});

test('what is chosen is added once, with confirmed prices, pictures that show, and the names of the clinic', async () => {
  const before = await list();
  expect(before.services.every((service) => !service.is_there)).toBe(true);
  const chosen = [
    { key: 'cleaning', price: 62.5 },
    { key: 'whiteningClinic', price: 300 },
    { key: 'floss', price: 3.5 },
  ];
  const reply = await office.call('POST', '/stock/starter', { services: chosen });
  expect([reply.statusCode, reply.json()]).toMatchObject([201, { data: { added: 3 } }]);

  const items = await stock();
  const byName = new Map(items.map((item) => [item.name, item]));
  expect(byName.get('Dental cleaning')).toMatchObject({ cost_per_unit: 62.5, tax: 'E1', is_stocked: false });
  expect(byName.get('Teeth whitening, in clinic')).toMatchObject({ tax: 'standard', needs_preparation: true });
  expect(byName.get('Dental floss')).toMatchObject({ tax: 'standard', needs_preparation: false });
  const { data: categories } = await office.get<{ data: CategoryResource[] }>('/categories');
  expect(categories.map(({ name, color }) => [name, color]).toSorted(([a], [b]) => (a! < b! ? -1 : 1))).toEqual([
    ['Cosmetic & orthodontics', starterCategories.cosmetic],
    ['Home care', starterCategories.homeCare],
    ['Preventive care', starterCategories.preventive],
  ]);
  for (const { image_url } of byName.values()) {
    const picture = await office.server.app.inject({ url: image_url! });
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(picture.rawPayload.length).toBeLessThan(6000);
  }

  // Again, with one more: what is there keeps its price.
  const more = [
    { key: 'cleaning', price: 1 },
    { key: 'checkUp', price: 35 },
  ];
  expect((await office.call('POST', '/stock/starter', { services: more })).json()).toMatchObject({
    data: { added: 1 },
  });
  expect((await stock()).filter(({ name }) => name === 'Dental cleaning')).toMatchObject([{ cost_per_unit: 62.5 }]);
  expect((await list()).services.filter(({ is_there }) => is_there).map(({ key }) => key)).toEqual([
    'checkUp',
    'cleaning',
    'whiteningClinic',
    'floss',
  ]);
  expect(await office.audited('stock.imported')).toHaveLength(2);
});

test('a price must be an amount, and a key must be known', async () => {
  const status = async (services: object[]) => (await office.call('POST', '/stock/starter', { services })).statusCode;
  expect(await status([{ key: 'implant', price: 0 }])).toBe(400);
  expect(await status([{ key: 'nothing', price: 5 }])).toBe(400);
  expect(await status([])).toBe(400);
});

test('every drawing of the library becomes a picture in a chosen colour', async () => {
  for (const drawing of drawingNames) {
    const reply = await office.call('POST', '/upload/drawing', { drawing, color: '#2f7fc4' });
    const { url } = reply.json<{ data: { url: string } }>().data;
    const picture = await office.server.app.inject({ url });
    expect([drawing, picture.statusCode, picture.headers['content-type']]).toEqual([drawing, 200, 'image/webp']);
  }
  const wrong = { drawing: 'tooth', color: 'red"/><script>' };
  expect((await office.call('POST', '/upload/drawing', wrong)).statusCode).toBe(400);
});
