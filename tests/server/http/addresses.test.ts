import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  token = await server.login('admin');
});
afterAll(() => server.close());

async function call(method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await server.app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}

/** Lists with the optional parameters that clients send without a value. */
const lists = {
  '/orders': ['status', 'type', 'search', 'start_date', 'end_date', 'page', 'per_page', 'limit'],
  '/expenses': ['status', 'category', 'search', 'start_date', 'end_date', 'sort', 'order', 'page', 'per_page'],
  '/users': ['search', 'sort', 'order', 'page', 'size'],
  '/stock': ['status', 'search', 'is_stocked', 'category_id', 'sort', 'page', 'per_page'],
  '/products': ['search', 'category_id', 'page'],
  '/services': ['offered', 'search', 'category_id', 'page'],
  '/categories': ['search', 'page'],
  '/tables': ['status', 'search'],
  '/purchase-orders': ['status', 'search', 'sort'],
  '/kitchen/orders': ['status'],
  '/stock/inventory/transactions': ['type', 'status', 'from', 'to', 'stock_id'],
  '/stock/inventory/alerts': ['status'],
  '/stock/inventory/report': ['type', 'from', 'to'],
  '/fiscal/records': ['state', 'number', 'cursor', 'limit'],
  '/audit': ['action', 'from', 'to', 'cursor', 'limit'],
  '/reports/sales/preview': ['startDate', 'endDate', 'orderType', 'status', 'minAmount', 'maxAmount', 'searchTerm'],
  '/reports/analytics': ['period'],
  '/admin/dashboard/income-report': ['period'],
} as const;

describe('a list', () => {
  it.each(Object.entries(lists))('%s takes a parameter without a value as absent', async (path, names) => {
    const query = names.map((name) => `${name}=`).join('&');
    expect((await call('GET', `${path}?${query}`)).status).toBe(200);
  });

  it.each(Object.entries(lists).filter(([, names]) => (names as readonly string[]).includes('status')))(
    '%s takes the status "all" as no filter',
    async (path) => {
      const { status, body } = await call('GET', `${path}?status=all`);
      expect(status).toBe(200);
      const { body: unfiltered } = await call('GET', path);
      expect({ ...body, timestamp: 0 }).toEqual({ ...unfiltered, timestamp: 0 });
    },
  );

  it('still names a parameter that it does not know', async () => {
    expect((await call('GET', '/expenses?colour=red')).status).toBe(400);
  });
});

describe('a record that was read', () => {
  const created = {
    '/stock': { name: 'Anaesthetic', unit: 'vials', supplier: 'Dental Depot', supplier_contact: '+34 600 000 000' },
    '/products': { name: 'Whitening', price: 90 },
    '/categories': { name: 'Surgery', description: '' },
    '/tables': { number: '7', capacity: 2 },
    '/expenses': {
      title: 'Gloves',
      description: 'Two boxes',
      amount: 12.5,
      category: 'supplies',
      expense_date: '2026-11-02',
    },
  };

  it.each(Object.entries(created))('%s can be sent back as it is', async (path, draft) => {
    const { body } = await call('POST', path, draft);
    const { id } = body['data'] as { id: number };
    const read = (await call('GET', `${path}/${id}`)).body['data'] ?? body['data'];
    const { status, body: saved } = await call('PUT', `${path}/${id}`, read as object);
    expect(saved).toEqual(expect.objectContaining({ success: true }));
    expect(status).toBe(200);
  });
});
