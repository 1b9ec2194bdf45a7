/** Collective invoices where things go wrong: roles, other clinics, doubled requests, cancels, refunds, erasures, extremes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxTreatmentFacts } from '#domain/limits.ts';
import { maxCollected } from '#domain/order/collective.ts';
import type { CollectiveInvoice, ListedCollective } from '#domain/order/collective.ts';
import { orderPayloadSchemas } from '#domain/order/schemas.ts';
import { verifyChains } from '#server/modules/fiscal/service.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insurer, settings } from '#tests/support/taxed-visit.ts';
import { newId } from '#tests/support/unique.ts';

let nowMs = Date.parse('2027-05-20T10:00:00+02:00');
let server: TestServer;
let admin: string;
let crown: number;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';
interface Options {
  token?: string;
  key?: string;
}
const call = async (method: Method, url: string, payload?: object, { token = admin, key }: Options = {}) => {
  const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
};
const done = async (method: Method, url: string, payload?: object) => {
  const reply = await call(method, url, payload);
  expect(reply.status, JSON.stringify(reply)).toBeLessThan(300);
  return reply.data;
};
const order = async (quantity = 1, more: object = {}): Promise<string> =>
  (await done('POST', '/orders', { items: [{ product_id: crown, quantity }], ...more })).id;
const bodyOf = (order_ids: string[], total_amount: number, more: object = {}) => ({
  order_ids,
  recipient: insurer,
  total_amount,
  ...more,
});
const issue = (ids: string[], total: number, more: object = {}): Promise<CollectiveInvoice> =>
  done('POST', '/collective-invoices', bodyOf(ids, total, more));
const listed = async (id: string): Promise<ListedCollective> =>
  (await done('GET', '/collective-invoices?per_page=100')).find((each: ListedCollective) => each.invoice_id === id);
const payment = { payment_method: 'insurance', reference_number: 'Transfer 1' };
const paymentsOf = async (id: string): Promise<[string, number][]> =>
  (await done('GET', `/orders/${id}`)).Payments.map((each: { method: string; amount: number }) => [
    each.method,
    each.amount,
  ]);

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  admin = await server.login('admin');
  const { legal_name, tax_id, address, postal_code, city } = settings;
  await done('PUT', '/settings', { tax_profile: 'ES', legal_name, tax_id, address, postal_code, city });
  await done('PUT', '/settings', { verifactu_since: '2027-05-20' });
  crown = (await done('POST', '/products', { name: 'Crown', price: 310, tax: 'E1' })).id;
});
afterAll(async () => {
  const verified = await verifyChains(server.database.$client, server.clinicId, { nowMs });
  await server.close();
  expect(verified).toMatchObject({ intact: true, unrecorded: [], contradictions: [] });
});

describe('nobody but the clinic', () => {
  test('another clinic bills, pays, reads and learns nothing', async () => {
    const own = await order();
    const issued = await issue([own], 310);
    const other = await order();
    const clinicId = await server.addClinic();
    const token = await server.login('admin', { clinicId });
    const { legal_name, address, postal_code, city } = settings;
    const profile = { tax_profile: 'ES', legal_name, address, postal_code, city, tax_id: 'A58818501' };
    await call('PUT', '/settings', profile, { token });
    await call('PUT', '/settings', { verifactu_since: '2027-05-20' }, { token });
    expect(await call('POST', '/collective-invoices', bodyOf([other], 310), { token })).toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
    expect(await call('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment, { token })).toMatchObject({
      status: 404,
    });
    expect((await call('GET', `/collective-invoices/${issued.invoice_id}`, undefined, { token })).status).toBe(404);
    expect((await call('GET', '/collective-invoices/payers', undefined, { token })).data).toEqual([]);
    expect(await paymentsOf(own)).toEqual([]);
  });
});

test('nobody states a part of one: it would have no record of its own', async () => {
  const one = await order();
  await issue([one], 310);
  const { Invoices } = await done('GET', `/orders/${one}`);
  const { part_of } = Invoices[0];
  expect(part_of).toBeDefined();
  const other = await order();
  const { subtotal, discount_amount, service_charge_amount, service_charge_percentage, total_amount } = Invoices[0];
  const sums = { subtotal, discount_amount, service_charge_amount, service_charge_percentage, total_amount };
  const { issued_at, currency, language, document_type, tax_totals, issuer, recipient } = Invoices[0];
  const text = { issued_at, currency, language, document_type, tax_totals, issuer, recipient, printed: [] };
  const stated = { ...text, ...sums, invoice_id: newId(), invoice_number: 'F-Q1-000001', line_ids: [], part_of };
  const body = { order_id: other, invoice: stated };
  expect(await call('POST', `/orders/${other}/invoices`, { invoice: stated })).toMatchObject({ status: 400 });
  expect(orderPayloadSchemas['order.invoice'].safeParse(body).success).toBe(false);
  const { part_of: _part, ...whole } = stated;
  expect(orderPayloadSchemas['order.invoice'].safeParse({ ...body, invoice: whole }).success).toBe(true);
});

describe('asked twice', () => {
  test('at the same time by two people, a treatment is billed once', async () => {
    const ids = [await order(), await order()];
    const replies = await Promise.all(
      [ids, ids.toReversed(), [ids[0]!]].map((each) =>
        call('POST', '/collective-invoices', bodyOf(each, 310 * each.length)),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status !== 201).every(({ code }) => code === 'NOTHING_TO_INVOICE')).toBe(
      true,
    );
    expect((await done('GET', `/orders/${ids[0]}`)).Invoices).toHaveLength(1);
  });

  test('after a lost reply, the answer is the first one, and another body under its key is refused', async () => {
    const ids = [await order()];
    const key = newId();
    const first = await call('POST', '/collective-invoices', bodyOf(ids, 310), { key });
    const again = await call('POST', '/collective-invoices', bodyOf(ids, 310), { key });
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(await call('POST', '/collective-invoices', bodyOf(ids, 309), { key })).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    const url = `/collective-invoices/${first.data.invoice_id}/payments`;
    const replies = await Promise.all([1, 2, 3].map(() => call('POST', url, payment, { key: newId() })));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await paymentsOf(ids[0]!)).toEqual([['insurance', 310]]);
  });
});

describe('what happens to its treatments', () => {
  test('a cancelled one is corrected, owes nothing, and leaves the others to be paid', async () => {
    const [kept, cancelled] = [await order(), await order()];
    const issued = await issue([kept, cancelled], 620, { retention_percentage: 15 });
    await done('PUT', `/orders/${cancelled}/status`, { status: 'cancelled', notes: 'Never came' });
    expect((await listed(issued.invoice_id)).due).toBe(310);
    expect(await done('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment)).toEqual({
      paid: 263.5,
      withheld: 46.5,
    });
    expect((await listed(issued.invoice_id)).due).toBe(0);
    expect(await paymentsOf(cancelled)).toEqual([]);
  });

  test('all cancelled, nothing is due and nothing is paid', async () => {
    const only = await order();
    const issued = await issue([only], 310);
    await done('PUT', `/orders/${only}/status`, { status: 'cancelled' });
    expect((await listed(issued.invoice_id)).due).toBe(0);
    expect(await call('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment)).toMatchObject({
      code: 'ORDER_PAID',
    });
  });

  test('what the patient has paid of one, before or after, the payer does not pay again', async () => {
    const [before, later] = [await order(2), await order()];
    await done('POST', `/orders/${before}/payments`, { payment_method: 'card', amount: 100, recipient: insurer });
    const issued = await issue([before, later], 830);
    await done('POST', `/orders/${later}/payments`, { payment_method: 'card', amount: 300 });
    expect((await listed(issued.invoice_id)).due).toBe(530);
    expect(await done('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment)).toEqual({
      paid: 530,
      withheld: 0,
    });
    expect(await paymentsOf(later)).toEqual([
      ['card', 300],
      ['insurance', 10],
    ]);
  });

  test('one that is refunded is corrected to the payer, and can be billed anew', async () => {
    const one = await order();
    const issued = await issue([one], 310);
    await done('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment);
    const refunded = await done('POST', `/orders/${one}/refunds`, { amount: 310, reason: 'Not done' });
    expect(refunded.Payments.at(-1).credit_note).toMatchObject({ document_type: 'R1', recipient: insurer });
    expect((await listed(issued.invoice_id)).due).toBe(0);
    expect(await call('POST', '/collective-invoices', bodyOf([one], 310))).toMatchObject({ status: 409 });
  });

  test('of an erased patient it is paid and corrected all the same, and names the payer', async () => {
    const patient = { patient_id: newId(), name: 'Ana Gil', phone: '600100200' };
    const one = await order(2, { patient });
    const issued = await issue([one], 620);
    await done('POST', `/patients/${patient.patient_id}/erase`, { reason: 'Asked for it', confirm: true });
    await done('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment);
    await done('POST', `/orders/${one}/refunds`, { amount: 310, reason: 'Not done' });
    const { rows } = await server.database.$client.query<{ record: { fields: object } }>(
      `select record from fiscal_records order by id desc limit 1`,
    );
    expect(rows[0]!.record.fields).toMatchObject({ type: 'R1', recipient: { tax_id: insurer.tax_id } });
    expect(await done('GET', `/collective-invoices/${issued.invoice_id}`)).toMatchObject({ recipient: insurer });
  });

  test('after services were added, only these are billed again', async () => {
    const one = await order();
    await issue([one], 310);
    await done('PATCH', `/orders/${one}`, { items: [{ product_id: crown, quantity: 1 }] });
    expect(await issue([one], 310)).toMatchObject({ total_amount: 310 });
    expect((await done('GET', `/orders/${one}`)).Invoices).toHaveLength(2);
  });
});

describe('extremes', () => {
  test.each([0, -1, 35.01, 100, 15.005, 1e9])('a retention of %s percent is refused', async (retention_percentage) => {
    const one = await order();
    const reply = await call('POST', '/collective-invoices', bodyOf([one], 310, { retention_percentage }));
    expect([reply.status, ['VALIDATION', 'RETENTION_INVALID'].includes(reply.code)]).toEqual([400, true]);
  });

  test('the highest retention, of the smallest price', async () => {
    const cent = (await done('POST', '/products', { name: 'Cent', price: 0.01, tax: 'E1' })).id;
    const one = (await done('POST', '/orders', { items: [{ product_id: cent, quantity: 1 }] })).id;
    const issued = await issue([one], 0.01, { retention_percentage: 35 });
    expect(issued.retention).toEqual({ percentage: 35, base: 0.01, amount: 0 });
    expect(await done('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment)).toEqual({
      paid: 0.01,
      withheld: 0,
    });
  });

  test('a treatment that costs nothing stands with 0, and nothing is due', async () => {
    const gift = await order(1, { discount: 310, discount_reason: 'A gift' });
    const one = await order();
    const issued = await issue([gift, one], 310);
    expect(issued.treatments.map(({ total_amount }) => total_amount).toSorted((a, b) => a - b)).toEqual([0, 310]);
  });

  test('a treatment that is full is refused in words, and the other is not paid without it', async () => {
    const [full, other] = [await order(), await order()];
    const { invoice_id } = await issue([full, other], 620);
    await server.database.$client.query(
      `insert into order_changes (clinic_id, op_id, order_id, position, removed_ids, fields, actor_id, device_id, device_seq, effective_at)
       select clinic_id, gen_random_uuid(), id, n, '[]', '["room"]', created_by, device_id, 0, created_at
       from orders, generate_series(1, $2) n where id = $1`,
      [full, maxTreatmentFacts],
    );
    const url = `/collective-invoices/${invoice_id}/payments`;
    expect(await call('POST', url, payment, { key: newId() })).toMatchObject({ status: 409, code: 'ORDER_FULL' });
    expect(await paymentsOf(other)).toEqual([]);
  });

  test('together no more than one document can state', async () => {
    const dear = (await done('POST', '/products', { name: 'Gold', price: 60_000_000, tax: 'E1' })).id;
    const two = async () => (await done('POST', '/orders', { items: [{ product_id: dear, quantity: 1 }] })).id;
    const order_ids = [await two(), await two()];
    expect(await call('POST', '/collective-invoices/preview', { order_ids, recipient: insurer })).toMatchObject({
      code: 'AMOUNT_TOO_LARGE',
    });
  });

  test('as many as one invoice takes, and no more', async () => {
    const ids: string[] = [];
    for (let at = 0; at <= maxCollected; at++) ids.push(await order());
    expect((await done('GET', '/collective-invoices/billable?month=2027-05')).length).toBeGreaterThan(maxCollected);
    expect(await call('POST', '/collective-invoices', bodyOf(ids, 310 * ids.length))).toMatchObject({ status: 400 });
    const most = ids.slice(0, maxCollected);
    const issued = await issue(most, 310 * most.length, { retention_percentage: 19 });
    expect(issued.treatments).toHaveLength(maxCollected);
    const { paid, withheld } = await done('POST', `/collective-invoices/${issued.invoice_id}/payments`, payment);
    expect(paid + withheld).toBeCloseTo(310 * most.length, 2);
  });

  test('a month that no calendar of the database has is refused, and the oldest and the last one have nothing', async () => {
    for (const month of ['0000-01', '0001-01', '9999-12', '2027-13'])
      expect(await call('GET', `/collective-invoices/billable?month=${month}`), month).toMatchObject({ status: 400 });
    for (const month of ['1900-01', '2999-12'])
      expect(await done('GET', `/collective-invoices/billable?month=${month}`)).toEqual([]);
  });

  test('the last second of a month in the clinic’s time zone is of that month', async () => {
    nowMs = Date.parse('2027-05-31T23:59:59+02:00');
    admin = await server.login('admin');
    const last = await order();
    nowMs += 1000;
    const first = await order();
    expect(await call('POST', '/collective-invoices', bodyOf([last, first], 620))).toMatchObject({
      code: 'COLLECTIVE_MIXED',
    });
    expect((await issue([last], 310)).operation_on).toBe('2027-05-31');
    expect(await issue([first], 310)).not.toHaveProperty('operation_on');
  });
});
