import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories, productIngredients, products, stockItems } from '../../server/db/schema/catalogue.ts';
import type { DeviceReply } from '../../domain/protocol/sync.ts';
import { startTestServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

interface Clinic {
  id: number;
  mark: string;
  token: string;
  stockId: number;
  /** By the first part of the address under which its rows stand. */
  ids: Record<string, number>;
}

let server: TestServer;
const clinics: Clinic[] = [];

beforeAll(async () => {
  server = await startTestServer();
  for (const [id, mark] of [[server.clinicId, 'NORTH'], [await server.addClinic(), 'SOUTH']] as const) {
    const [category] = await server.database.insert(categories).values({ clinicId: id, name: `${mark} category` }).returning();
    const row = { clinicId: id, categoryId: category!.id, searchKey: mark };
    const [item] = await server.database.insert(stockItems).values({ ...row, name: `${mark} item`, costMinor: 100 }).returning();
    const [product] = await server.database.insert(products).values({ ...row, name: `${mark} product`, priceMinor: 100 }).returning();
    await server.database.insert(productIngredients).values({ clinicId: id, productId: product!.id, stockId: item!.id, quantityMilli: 1000 });
    const ids = { stock: item!.id, products: product!.id, categories: category!.id };
    clinics.push({ id, mark, token: await server.login('admin', { clinicId: id }), stockId: item!.id, ids });
  }
  for (const { mark, token, stockId, ids } of clinics) {
    const ordered = await send(token, '/api/purchase-orders', { vendor: `${mark} vendor`, items: [{ stock_id: stockId, quantity: 1 }] });
    ids['purchase-orders'] = ordered.json<{ data: { id: number } }>().data.id;
    const spent = await send(token, '/api/expenses', { title: `${mark} rent`, description: `${mark} premises`, amount: 10, category: 'rent', expense_date: '2026-03-01' });
    ids['expenses'] = spent.json<{ data: { id: number } }>().data.id;
    const created = await send(token, '/api/orders', { items: [{ stock_id: stockId, quantity: 1 }], customer_name: `${mark} patient` });
    expect(created.statusCode).toBe(201);
  }
});
afterAll(() => server.close());

const ask = (token: string, url: string) => server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
const send = (token: string, url: string, payload: object) =>
  server.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` }, payload });

describe('two clinics on one server', () => {
  it('see nothing of each other on any route', async () => {
    const [north, south] = clinics as [Clinic, Clinic];
    const document = server.app.swagger() as unknown as { paths: Record<string, { get?: { parameters?: { in: string; schema: { type: string } }[] } }> };
    const routes = Object.entries(document.paths).filter(([path, { get }]) => get && path !== '/api/sync/events');
    const own = await ask(north.token, '/api/orders');
    const northOrder = own.json<{ data: { id: string }[] }>().data[0]!.id;
    let saw = 0;
    for (const [path, { get }] of routes) {
      const isNumbered = get!.parameters?.some((parameter) => parameter.in === 'path' && parameter.schema.type === 'integer');
      const id = isNumbered ? (north.ids[path.split('/')[2]!] ?? 2_000_000_000) : northOrder;
      const reply = await ask(south.token, path.replace(/\{[^}]+\}/g, String(id)));
      expect(reply.body, path).not.toContain('NORTH');
      if (reply.body.includes('SOUTH')) saw += 1;
      if (path.includes('{')) expect(reply.statusCode, path).toBe(404);
    }
    expect(saw).toBeGreaterThanOrEqual(5);
  });

  it('order and receive nothing of each other', async () => {
    const [north, south] = clinics as [Clinic, Clinic];
    const { items } = (await ask(north.token, `/api/purchase-orders/${north.ids['purchase-orders']}`)).json<{ data: { items: { id: number }[] } }>().data;
    for (const [url, payload] of [
      ['purchase-orders', { vendor: 'x', items: [{ stock_id: north.stockId, quantity: 1 }] }],
      [`purchase-orders/${north.ids['purchase-orders']}/cancel`, {}],
      [`stock/purchase-orders/items/${items[0]!.id}/receive`, { quantity: 1 }],
    ] as const) {
      expect([url, (await send(south.token, `/api/${url}`, payload)).statusCode]).toEqual([url, 404]);
    }
  });

  it('decide and change no expense of each other', async () => {
    const [north, south] = clinics as [Clinic, Clinic];
    const url = `/api/expenses/${north.ids['expenses']}`;
    for (const [path, payload] of [['approve', {}], ['reject', { rejection_reason: 'not ours' }]] as const) {
      expect([path, (await send(south.token, `${url}/${path}`, payload)).statusCode]).toEqual([path, 404]);
    }
    const headers = { authorization: `Bearer ${south.token}` };
    const payload = { title: 'Ours', description: 'now', amount: 1, category: 'rent', expense_date: '2026-03-01' };
    expect((await server.app.inject({ method: 'PUT', url, headers, payload })).statusCode).toBe(404);
    expect((await server.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(404);
    expect((await ask(north.token, url)).json()).toMatchObject({ data: { title: 'NORTH rent', status: 'pending' } });
  });

  it('sell nothing of each other', async () => {
    const [north, south] = clinics as [Clinic, Clinic];
    const reply = await send(south.token, '/api/orders', { items: [{ stock_id: north.stockId, quantity: 1 }] });
    expect(reply.json()).toMatchObject({ code: 'ITEM_UNKNOWN' });
  });

  it('grant codes of their own, and do not know each other’s devices', async () => {
    const [north, south] = clinics as [Clinic, Clinic];
    const first = (await send(north.token, '/api/devices', {})).json<{ data: DeviceReply }>().data;
    const other = (await send(south.token, '/api/devices', {})).json<{ data: DeviceReply }>().data;
    expect(other.code).toBe(first.code);
    expect(other.epoch).not.toBe(first.epoch);
    const { device_id, device_key } = first;
    expect((await send(south.token, '/api/devices', { device_id, device_key })).statusCode).toBe(403);
  });
});
