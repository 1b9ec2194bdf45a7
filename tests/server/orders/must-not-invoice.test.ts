/** A clinic that is bound to VERI*FACTU and has not begun, over REST: it takes money, and its invoices wait. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UninvoicedReport } from '#domain/report/uninvoiced.ts';
import { tellMissing } from '#server/modules/fiscal/checks.ts';
import { verifyChains } from '#server/modules/fiscal/service.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { recipient, settings } from '#tests/support/taxed-visit.ts';
import { newId } from '#tests/support/unique.ts';

let nowMs = Date.parse('2026-12-31T10:00:00+01:00');
let server: TestServer;
let token: string;
let crown: number;

const call = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
};
const done = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const reply = await call(method, url, payload);
  expect(reply.status, JSON.stringify(reply)).toBeLessThan(300);
  return reply.data;
};
const order = async (quantity = 1): Promise<string> =>
  (await done('POST', '/orders', { items: [{ product_id: crown, quantity }] })).id;
const pay = (id: string, amount: number, more: object = {}) =>
  done('POST', `/orders/${id}/payments`, { payment_method: 'card', amount, ...more });
const refused = async (url: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
  const { status, code } = await call(method, url, body);
  return [status, code];
};
const stopped = [409, 'VERIFACTU_REQUIRED'];
const waiting = async (): Promise<string[]> =>
  ((await done('GET', '/reports/uninvoiced')) as UninvoicedReport).treatments.map(({ order_id }) => order_id);
const records = async () => (await server.database.$client.query('select from fiscal_records')).rowCount;

async function passDay(): Promise<void> {
  nowMs += 86_400_000;
  token = await server.login('admin');
}

let invoiced: string;
let paid: string[];

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  token = await server.login('admin');
  const { legal_name, tax_id, address, postal_code, city } = settings;
  await done('PUT', '/settings', { tax_profile: 'ES', legal_name, tax_id, address, postal_code, city });
  crown = (await done('POST', '/products', { name: 'Crown', price: 310, tax: 'E1' })).id;
  invoiced = await order();
  await pay(invoiced, 310);
  await passDay();
});
afterAll(() => server.close());

test('a manager knows before the day, and the day has its words', async () => {
  await tellMissing(server.database.$client, nowMs - 7 * 86_400_000);
  const { rows } = await server.database.$client.query(
    `select details from attention_items where kind = 'verifactu_due' and settled_at is null`,
  );
  expect(rows).toEqual([{ details: { day: '2027-01-01' } }]);
});

test('takes every payment, also above 400 euros and with a recipient, and issues nothing', async () => {
  const before = await records();
  paid = [await order(), await order(2), await order()];
  await pay(paid[0]!, 310);
  await pay(paid[1]!, 620);
  await pay(paid[2]!, 100, { recipient });
  for (const id of paid) expect((await done('GET', `/orders/${id}`)).Invoices ?? []).toEqual([]);
  expect(await records()).toBe(before);
  const ended = await order();
  await done('PUT', `/orders/${ended}/status`, { status: 'cancelled' });
});

test('gives money back that is on no invoice', async () => {
  const { Payments } = await done('POST', `/orders/${paid[2]}/refunds`, { amount: 50, reason: 'Too much' });
  expect(Payments.at(-1).credit_note).not.toHaveProperty('document_type');
  await done('POST', `/orders/${paid[2]}/payments`, { payment_method: 'card', amount: 210 });
});

test('refuses an invoice, an exchange, a collective invoice and a correction, composed or stated', async () => {
  const open = await order();
  expect(await refused(`/orders/${open}/invoices`, {})).toEqual(stopped);
  expect(await refused(`/orders/${open}/invoices`, { recipient })).toEqual(stopped);
  const { Invoices } = await done('GET', `/orders/${invoiced}`);
  const replaces = Invoices[0].invoice_number;
  expect(await refused(`/orders/${invoiced}/invoices`, { recipient, replaces })).toEqual(stopped);
  const collective = { order_ids: [open], recipient, total_amount: 310 };
  expect(await refused('/collective-invoices', collective)).toEqual(stopped);
  const preview = { order_ids: [open], recipient };
  expect(await refused('/collective-invoices/preview', preview)).toEqual(stopped);
  expect(await refused(`/orders/${invoiced}/refunds`, { amount: 310, reason: 'Not done' })).toEqual(stopped);
  const { subtotal, discount_amount, service_charge_amount, service_charge_percentage, total_amount } = Invoices[0];
  const sums = { subtotal, discount_amount, service_charge_amount, service_charge_percentage, total_amount };
  const { issued_at, currency, language, document_type, tax_totals, issuer } = Invoices[0];
  const text = { issued_at, currency, language, document_type, tax_totals, issuer, printed: [] };
  const stated = { ...text, ...sums, invoice_id: newId(), invoice_number: 'INV-Q1-000001', line_ids: [] };
  expect(await refused(`/orders/${open}/invoices`, { invoice: stated })).toEqual(stopped);
  // One that leaves out what the tax profile adds is an invoice all the same.
  const { document_type: _type, tax_totals: _totals, issuer: _issuer, ...plain } = stated;
  expect(await refused(`/orders/${open}/invoices`, { invoice: plain })).toEqual(stopped);
  const corrected = {
    credit_note_number: 'R-Q1-000001',
    credit_note: { issued_at, language, total_amount: -310, printed: [] },
  };
  const refund = { refund_id: newId(), payment_method: 'card', amount: 310, reduction: 310, reason: 'Not done' };
  expect(await refused(`/orders/${invoiced}/refunds`, { ...refund, ...corrected })).toEqual(stopped);
  const payment = { payment_id: newId(), payment_method: 'card', amount: 310, tendered: 310, change: 0 };
  expect(await refused(`/orders/${open}/payments`, { ...payment, invoice: plain })).toEqual(stopped);
  await done('PUT', `/orders/${open}/status`, { status: 'cancelled' });
});

test('lists what waits, and invoices it once VERI*FACTU begins, with the day of the service', async () => {
  await passDay();
  expect((await waiting()).toSorted()).toEqual(paid.toSorted());
  await done('PUT', '/settings', { verifactu_since: '2027-01-02' });
  for (const [at, id] of paid.entries()) await done('POST', `/orders/${id}/invoices`, at === 1 ? { recipient } : {});
  expect(await waiting()).toEqual([]);
  const { Invoices } = await done('GET', `/orders/${paid[1]}`);
  expect(Invoices).toEqual([expect.objectContaining({ document_type: 'F1', operation_on: '2027-01-01' })]);
  await done('POST', `/orders/${invoiced}/refunds`, { amount: 310, reason: 'Not done' });
  const { rows } = await server.database.$client.query<{ state: string }>('select state from fiscal_sendings');
  expect(rows).toHaveLength(4);
  const verified = await verifyChains(server.database.$client, server.clinicId, { nowMs });
  expect(verified).toMatchObject({ intact: true, unrecorded: [], contradictions: [] });
});

test('invoices at once where the books are at SII', async () => {
  const clinicId = await server.addClinic();
  token = await server.login('admin', { clinicId });
  const { legal_name, address, postal_code, city } = settings;
  const issuer = { legal_name, tax_id: 'A58818501', address, postal_code, city };
  await done('PUT', '/settings', { tax_profile: 'ES', books_by_sii: true, ...issuer });
  crown = (await done('POST', '/products', { name: 'Crown', price: 310, tax: 'E1' })).id;
  const id = await order();
  await pay(id, 310);
  expect((await done('GET', `/orders/${id}`)).Invoices).toEqual([expect.objectContaining({ document_type: 'F2' })]);
  await done('PUT', '/settings', { books_by_sii: false });
  const next = await order();
  await pay(next, 310);
  expect((await done('GET', `/orders/${next}`)).Invoices ?? []).toEqual([]);
});
