/** Treatments that wait for an invoice are listed for a manager from the next day on, until their invoice is issued. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { businessDay } from '#domain/business-day.ts';
import { invoiceDueOn } from '#domain/report/uninvoiced.ts';
import type { UninvoicedReport } from '#domain/report/uninvoiced.ts';
import { tellMissing } from '#server/modules/fiscal/checks.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { issuer, recipient } from '#tests/support/taxed-visit.ts';

const begin = Date.parse('2027-05-28T10:00:00+02:00');
const dayMs = 86_400_000;
let nowMs = begin;
let server: TestServer;
let product: number;
let tokens = new Map<string, string>();

const call = async (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  role: 'admin' | 'counter' = 'admin',
) => {
  const token = tokens.get(role) ?? (await server.login(role));
  tokens.set(role, token);
  const headers = { authorization: `Bearer ${token}` };
  return server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
};
const done = async (method: 'POST' | 'PUT', url: string, payload: object) => {
  const reply = await call(method, url, payload);
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().data;
};
const order = async (quantity = 1): Promise<{ id: string; number: string }> =>
  done('POST', '/orders', { items: [{ product_id: product, quantity }] });
const pay = (id: string, amount: number, more: object = {}) =>
  done('POST', `/orders/${id}/payments`, { payment_method: 'card', amount, ...more });
const listed = async () => (await call('GET', '/reports/uninvoiced')).json().data as UninvoicedReport;
const told = async () => {
  await tellMissing(server.database.$client, nowMs);
  const { rows } = await server.database.$client.query<{ details: object }>(
    `select details from attention_items where kind = 'not_invoiced' and settled_at is null`,
  );
  return rows.map(({ details }) => details);
};
const passDays = (days: number) => {
  nowMs += days * dayMs;
  tokens = new Map();
};

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  await done('PUT', '/settings', issuer);
  product = (await done('POST', '/products', { name: 'Crown', price: 310, tax: 'E1' })).id;
});
afterAll(() => server.close());

test('what is paid above 400 euros without a recipient, and what is done and not paid', async () => {
  const paidInFull = await order(2);
  await pay(paidInFull.id, 620);
  const unpaid = await order();
  const invoiced = await order();
  await pay(invoiced.id, 310);
  const cancelled = await order();
  await done('PUT', `/orders/${cancelled.id}/status`, { status: 'cancelled' });
  const billed = await order();
  await done('POST', `/orders/${billed.id}/invoices`, {});
  expect([await listed(), await told()]).toEqual([{ treatments: [], total: 0 }, []]);

  passDays(1);
  const row = { day: '2027-05-28', customer: '', currency: 'EUR', due_on: '2027-06-15', is_late: false, invoiced: 0 };
  const expected = [
    { ...row, order_id: paidInFull.id, number: paidInFull.number, owed: 620, paid: 620 },
    { ...row, order_id: unpaid.id, number: unpaid.number, owed: 310, paid: 0 },
  ];
  expect(await listed()).toEqual({ treatments: expected, total: 2 });
  expect(await told()).toEqual([{ count: 2, day: '2027-05-28' }]);

  passDays(18);
  expect((await listed()).treatments.map(({ is_late }) => is_late)).toEqual([true, true]);
  await done('POST', `/orders/${paidInFull.id}/invoices`, { recipient });
  expect((await listed()).treatments.map(({ number }) => number)).toEqual([unpaid.number]);
  expect(await told()).toEqual([{ count: 1, day: '2027-05-28' }]);
  await done('PUT', `/orders/${unpaid.id}/status`, { status: 'cancelled' });
  expect([await listed(), await told()]).toEqual([{ treatments: [], total: 0 }, []]);
});

test('whoever is bound to VERI*FACTU hears of it until its first day is chosen, or its books are at SII', async () => {
  const due = async () => {
    await tellMissing(server.database.$client, nowMs);
    const { rows } = await server.database.$client.query<{ details: object }>(
      `select details from attention_items where kind = 'verifactu_due' and settled_at is null`,
    );
    return rows.map(({ details }) => details);
  };
  expect(await due()).toEqual([]);
  await done('PUT', '/settings', { books_by_sii: false });
  expect(await due()).toEqual([{ day: '2027-01-01' }]);
  await done('PUT', '/settings', { books_by_sii: true });
  expect(await due()).toEqual([]);
  await done('PUT', '/settings', { books_by_sii: false });
  expect(await due()).toEqual([{ day: '2027-01-01' }]);
  await done('PUT', '/settings', { verifactu_since: businessDay(nowMs, 'Europe/Madrid') });
  expect(await due()).toEqual([]);
});

test.each([
  ['2027-05-28', '2027-06-15'],
  ['2027-12-31', '2028-01-15'],
  ['2028-01-31', '2028-02-15'],
  ['2027-02-01', '2027-03-15'],
])('the invoice of a service on %s is due until %s', (day, due) => {
  expect(invoiceDueOn(day)).toBe(due);
});
