import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories, productIngredients, products, stockItems } from '../../server/db/schema/catalogue.ts';
import type { DeviceReply } from '../../domain/protocol/sync.ts';
import { startTestServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

let server: TestServer;
const clinics: { id: number; mark: string; token: string; stockId: number }[] = [];

beforeAll(async () => {
  server = await startTestServer();
  for (const [id, mark] of [[server.clinicId, 'NORTH'], [await server.addClinic(), 'SOUTH']] as const) {
    const [category] = await server.database.insert(categories).values({ clinicId: id, name: `${mark} category` }).returning();
    const row = { clinicId: id, categoryId: category!.id, searchKey: mark };
    const [item] = await server.database.insert(stockItems).values({ ...row, name: `${mark} item`, costMinor: 100 }).returning();
    const [product] = await server.database.insert(products).values({ ...row, name: `${mark} product`, priceMinor: 100 }).returning();
    await server.database.insert(productIngredients).values({ clinicId: id, productId: product!.id, stockId: item!.id, quantityMilli: 1000 });
    clinics.push({ id, mark, token: await server.login('admin', { clinicId: id }), stockId: item!.id });
  }
  for (const { mark, token, stockId } of clinics) {
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
    const [north, south] = clinics as [(typeof clinics)[0], (typeof clinics)[0]];
    const document = server.app.swagger() as { paths: Record<string, object> };
    const urls = Object.entries(document.paths)
      .filter(([path, operations]) => 'get' in operations && path !== '/api/sync/events')
      .map(([path]) => path);
    const own = await ask(north.token, '/api/orders');
    const northOrder = own.json<{ data: { id: string }[] }>().data[0]!.id;
    let saw = 0;
    for (const path of urls) {
      const reply = await ask(south.token, path.replace(/\{[^}]+\}/g, northOrder));
      expect(reply.body, path).not.toContain('NORTH');
      if (reply.body.includes('SOUTH')) saw += 1;
      if (path.includes('{')) expect(reply.statusCode, path).toBe(404);
    }
    expect(saw).toBeGreaterThanOrEqual(5);
  });

  it('sell nothing of each other', async () => {
    const [north, south] = clinics as [(typeof clinics)[0], (typeof clinics)[0]];
    const reply = await send(south.token, '/api/orders', { items: [{ stock_id: north.stockId, quantity: 1 }] });
    expect(reply.json()).toMatchObject({ code: 'ITEM_UNKNOWN' });
  });

  it('grant codes of their own, and do not know each other’s devices', async () => {
    const [north, south] = clinics as [(typeof clinics)[0], (typeof clinics)[0]];
    const first = (await send(north.token, '/api/devices', {})).json<{ data: DeviceReply }>().data;
    const other = (await send(south.token, '/api/devices', {})).json<{ data: DeviceReply }>().data;
    expect(other.code).toBe(first.code);
    expect(other.epoch).not.toBe(first.epoch);
    const { device_id, device_key } = first;
    expect((await send(south.token, '/api/devices', { device_id, device_key })).statusCode).toBe(403);
  });
});
