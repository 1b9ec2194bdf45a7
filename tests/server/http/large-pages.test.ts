import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pagination } from '#domain/pagination.ts';
import { enoughBytes } from '#server/db/page.ts';
import { allResources } from '#server/modules/stock/catalogue-store.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let headers: Record<string, string>;
const patientId = newId();
const many = 45;
beforeAll(async () => {
  server = await startTestServer();
  const manager = await TestDevice.enrol(server, 'manager');
  headers = manager.headers;
  const patient = { patient_id: patientId, name: 'Zoila', phone: '' };
  for (let at = 0; at < many; at += 1) {
    // Most bytes of each treatment are notes of its lines.
    const lines = Array.from({ length: at % 3 === 0 ? 100 : 1 }, () => line({ notes: 'n'.repeat(1500) }));
    const created = manager.create(lines);
    await manager.send({ ...created, payload: { ...created.payload, patient } });
  }
  const picture = `data:image/png;base64,${'A'.repeat(190_000)}`;
  await server.database.$client.query(
    `insert into products (clinic_id, name, search_key, image_url, price_minor, created_at, updated_at)
     select $1, 'Service ' || n, 'service ' || n, $2, 100, $4, $4 from generate_series(1, $3) n`,
    [server.clinicId, picture, many, new Date()],
  );
});
afterAll(() => server.close());

type Row = { order_id?: string; id?: number | string };
type List = { pagination: Pagination } & Record<string, unknown>;

async function get(url: string): Promise<{ bytes: number; list: List }> {
  const reply = await server.app.inject({ url: `/api/${url}`, headers });
  expect([url, reply.statusCode]).toEqual([url, 200]);
  return { bytes: reply.rawPayload.length, list: reply.json<List>() };
}
const rowsIn = ({ data }: List): Row[] => (Array.isArray(data) ? data : (data as { treatments: Row[] }).treatments);
const idsIn = (list: List) => rowsIn(list).map((row) => row.order_id ?? row.id);

/** Reads a page to its end, as replies say. */
async function whole(url: string) {
  const replies = [await get(url)];
  for (let row; (row = replies.at(-1)!.list.pagination.next_row) !== undefined;)
    replies.push(await get(`${url}${url.includes('?') ? '&' : '?'}row=${row}`));
  return { replies, ids: replies.flatMap(({ list }) => idsIn(list)) };
}

describe('SECURITY a page ends after bytes', () => {
  test.each([
    ['orders?per_page=200'],
    [`patients/${patientId}?per_page=200`],
    [`patients/${patientId}/treatments?per_page=100`],
    ['products'],
    ['products?per_page=1000'],
    ['services?per_page=1000'],
  ])('of %s, says so, and goes on with each row once', async (url) => {
    const { replies, ids } = await whole(url);
    expect(replies.length).toBeGreaterThan(1);
    // The last row of a reply may have as many bytes again, and a treatment names its invoice twice.
    for (const { bytes } of replies) expect(bytes).toBeLessThan(3 * enoughBytes);
    expect(new Set(ids).size).toBe(many);
    expect(ids).toHaveLength(many);
    expect(replies[0]!.list.pagination).toMatchObject({ total: many, page: 1, totalPages: 1 });
  });

  test('and the next page begins where its rows end', async () => {
    const all = (await whole('orders?per_page=200')).ids;
    const first = await whole('orders?per_page=40');
    const second = await whole('orders?per_page=40&page=2');
    expect([...first.ids, ...second.ids]).toEqual(all);
  });

  test('and a table for a spreadsheet reads no pictures', async () => {
    const rows = await allResources<{ image_url: string | null }>(server.database.$client, server.clinicId, 'products');
    expect(rows.map(({ image_url }) => image_url)).toEqual(Array.from({ length: many }, () => null));
    const reply = await server.app.inject({ url: '/api/products/export.csv', headers });
    expect(reply.body.trim().split('\n')).toHaveLength(many + 1);
  });

  test('but a page of small rows is whole', async () => {
    for (const url of ['categories', 'drawers?per_page=200', 'purchase-orders?per_page=200', 'collective-invoices'])
      expect((await get(url)).list.pagination).not.toHaveProperty('next_row');
  });

  test('and a row beyond the page brings nothing', async () => {
    expect((await get('orders?per_page=20&row=20')).list).toMatchObject({ data: [], pagination: { total: many } });
  });
});
