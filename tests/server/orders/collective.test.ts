/** Collective invoices at the desk: issued by the server, in its series and its chain, each treatment billed once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CollectiveInvoice, ListedCollective } from '#domain/order/collective.ts';
import type { BookSummary } from '#domain/report/book.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { tellMissing } from '#server/modules/fiscal/checks.ts';
import { verifyChains } from '#server/modules/fiscal/service.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insurer, settings } from '#tests/support/taxed-visit.ts';

const dayMs = 86_400_000;
const patient = { patient_id: '019e1ba1-0d00-7000-8000-0000000000aa', name: 'Ana Gil', phone: '' };

let nowMs = Date.parse('2027-05-20T10:00:00+02:00');
let server: TestServer;
let crown: number;
let brush: number;
let tokens = new Map<string, string>();

const call = async (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  { role = 'manager', key }: { role?: 'admin' | 'manager' | 'counter'; key?: string } = {},
) => {
  const token = tokens.get(role) ?? (await server.login(role));
  tokens.set(role, token);
  const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) };
  return server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
};
const done = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const reply = await call(method, url, payload, { role: 'admin' });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json().data;
};
const order = async (items: object[], more: object = {}): Promise<{ id: string; number: string }> =>
  done('POST', '/orders', { items, ...more });
const passDays = (days: number) => {
  nowMs += days * dayMs;
  tokens = new Map();
};
const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;
const billable = async (month: string): Promise<string[]> =>
  (await done('GET', `/collective-invoices/billable?month=${month}`)).map(({ number }: { number: string }) => number);
const stateOf = async (id: string) => done('GET', `/orders/${id}`);

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  const { legal_name, tax_id, address, postal_code, city } = settings;
  const issuer = { tax_profile: 'ES', legal_name, tax_id, address, postal_code, city };
  await done('PUT', '/settings', { ...issuer, operation_description: 'Servicios odontológicos' });
  await done('PUT', '/settings', { verifactu_since: '2027-05-20' });
  crown = (await done('POST', '/products', { name: 'Crown', price: 310, tax: 'E1' })).id;
  brush = (await done('POST', '/products', { name: 'Brush', price: 6.05, tax: 'standard' })).id;
});
afterAll(() => server.close());

describe('a collective invoice', () => {
  let orders: { id: string; number: string }[];
  let issued: CollectiveInvoice;

  test('offers what a month leaves to be billed', async () => {
    orders = [
      await order([{ product_id: crown, quantity: 2 }], { patient }),
      await order([
        { product_id: crown, quantity: 1 },
        { product_id: brush, quantity: 3 },
      ]),
    ];
    const paid = await order([{ product_id: crown, quantity: 1 }]);
    await done('POST', `/orders/${paid.id}/payments`, { payment_method: 'card', amount: 310 });
    const cancelled = await order([{ product_id: crown, quantity: 1 }]);
    await done('PUT', `/orders/${cancelled.id}/status`, { status: 'cancelled' });
    expect(await billable('2027-05')).toEqual(orders.map(({ number }) => number));
    expect(await billable('2027-06')).toEqual([]);
  });

  test('is shown before it is issued, and nothing is written', async () => {
    const body = { order_ids: orders.map(({ id }) => id), recipient: { ...insurer, tax_id: 'a-58818501' } };
    const shown: CollectiveInvoice = await done('POST', '/collective-invoices/preview', body);
    expect(shown).toMatchObject({ total_amount: 948.15, invoice_number: '', recipient: insurer });
    expect(await rows('select from fiscal_records')).toHaveLength(1);
    expect(await done('GET', '/collective-invoices')).toEqual([]);
  });

  test('is refused with a false NIF, another total or an unknown treatment', async () => {
    const body = { order_ids: orders.map(({ id }) => id), recipient: insurer, total_amount: 948.15 };
    const refused = async (more: object) => {
      const reply = await call('POST', '/collective-invoices', { ...body, ...more });
      return [reply.statusCode, reply.json().code];
    };
    expect(await refused({ recipient: { ...insurer, tax_id: 'A58818502' } })).toEqual([400, 'VALIDATION']);
    expect(await refused({ total_amount: 948 })).toEqual([409, 'COLLECTIVE_CHANGED']);
    expect(await refused({ order_ids: [...body.order_ids, patient.patient_id] })).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(await rows('select from fiscal_records')).toHaveLength(1);
  });

  test('is one document with one record, and a part on each treatment', async () => {
    passDays(12);
    const body = { order_ids: orders.map(({ id }) => id), recipient: insurer, total_amount: 948.15 };
    const key = '019e1ba1-0d00-7000-8000-0000000000bb';
    const reply = await call('POST', '/collective-invoices', body, { key });
    expect(reply.statusCode, reply.body).toBe(201);
    issued = reply.json().data;
    // A repetition issues no second one.
    expect((await call('POST', '/collective-invoices', body, { key })).json().data.invoice_number).toBe(
      issued.invoice_number,
    );
    expect(issued.invoice_number).toMatch(/^F-[A-Z]+0-000001$/);
    expect(issued.operation_on).toBe('2027-05-20');
    const records = await rows<{ record: { fields: object } }>('select record from fiscal_records where number = $1', [
      issued.invoice_number,
    ]);
    expect(records.map(({ record }) => record.fields)).toEqual([
      expect.objectContaining({
        type: 'F1',
        total: '948.15',
        tax_total: '3.15',
        operation_on: '20-05-2027',
        recipient: { name: insurer.name, tax_id: insurer.tax_id },
        breakdown: [
          { exempt: 'E1', base: '930.00' },
          { rate: '21.00', base: '15.00', tax: '3.15' },
        ],
      }),
    ]);
    for (const [at, total] of [620, 328.15].entries()) {
      const { Invoices } = await stateOf(orders[at]!.id);
      expect(Invoices).toEqual([
        expect.objectContaining({
          invoice_number: issued.invoice_number,
          part_of: issued.invoice_id,
          total_amount: total,
        }),
      ]);
    }
    const { tax_totals, total_amount } = (await done(
      'GET',
      `/collective-invoices/${issued.invoice_id}`,
    )) as typeof issued;
    expect([tax_totals, total_amount]).toEqual([issued.tax_totals, 948.15]);
  });

  test('leaves nothing to be invoiced again, by itself or with others', async () => {
    expect(await billable('2027-05')).toEqual([]);
    expect((await call('POST', `/orders/${orders[0]!.id}/invoices`, { recipient: insurer })).json().code).toBe(
      'NOTHING_TO_INVOICE',
    );
    const again = { order_ids: [orders[0]!.id], recipient: insurer, total_amount: 620 };
    const reply = await call('POST', '/collective-invoices', again);
    expect(reply.json()).toMatchObject({ code: 'NOTHING_TO_INVOICE' });
    await done('POST', `/orders/${orders[1]!.id}/payments`, { payment_method: 'insurance', amount: 328.15 });
    expect((await stateOf(orders[1]!.id)).Invoices).toHaveLength(1);
  });

  test('keeps its payer, who is no recipient of the patient', async () => {
    expect(await done('GET', '/collective-invoices/payers')).toEqual([insurer]);
    const { Patient } = await stateOf(orders[0]!.id);
    expect(Patient?.recipient).toBeUndefined();
    expect(await rows('select from patients where recipient is not null')).toEqual([]);
  });

  test('cannot be changed', async () => {
    await expect(rows('update collective_invoices set number = number')).rejects.toThrow('only grows');
    await expect(rows('delete from collective_invoices')).rejects.toThrow('only grows');
  });

  test('is corrected by the refund of a treatment', async () => {
    const refunded = await done('POST', `/orders/${orders[1]!.id}/refunds`, {
      amount: 18.15,
      reason: 'Not handed over',
    });
    const notes = refunded.Payments.map((each: { credit_note?: object }) => each.credit_note).filter(Boolean);
    expect(notes).toEqual([
      expect.objectContaining({
        document_type: 'R1',
        recipient: insurer,
        corrects: [{ number: issued.invoice_number, issued_on: '2027-06-01' }],
      }),
    ]);
  });

  test('is paid at once, and what the payer withholds is no money of the clinic', async () => {
    const third = await order([{ product_id: crown, quantity: 3 }]);
    const fourth = await order([{ product_id: crown, quantity: 1 }]);
    const body = { order_ids: [third.id, fourth.id], recipient: insurer, retention_percentage: 15 };
    const withheld: CollectiveInvoice = await done('POST', '/collective-invoices', { ...body, total_amount: 1240 });
    expect(withheld.retention).toEqual({ percentage: 15, base: 1240, amount: 186 });
    const dueOf = async (id: string) =>
      (await done('GET', '/collective-invoices')).find((each: ListedCollective) => each.invoice_id === id).due;
    expect([await dueOf(withheld.invoice_id), await dueOf(issued.invoice_id)]).toEqual([1240, 620]);
    const url = `/collective-invoices/${withheld.invoice_id}/payments`;
    const money = { payment_method: 'insurance', reference_number: 'Transfer 77' };
    expect((await call('POST', url, { payment_method: 'cash' })).statusCode).toBe(400);
    expect(await done('POST', url, money)).toEqual({ paid: 1054, withheld: 186 });
    expect(await dueOf(withheld.invoice_id)).toBe(0);
    const paidOf = async (id: string) =>
      (await stateOf(id)).Payments.map((each: Record<string, unknown>) => [
        each['method'],
        each['amount'],
        each['reference_number'],
      ]);
    expect(await paidOf(third.id)).toEqual([
      ['insurance', 790.5, 'Transfer 77'],
      ['others', 139.5, 'IRPF'],
    ]);
    expect(await paidOf(fourth.id)).toEqual([
      ['insurance', 263.5, 'Transfer 77'],
      ['others', 46.5, 'IRPF'],
    ]);
    expect((await stateOf(third.id)).status).toBe('completed');
    expect((await stateOf(third.id)).Invoices).toHaveLength(1);
    expect((await call('POST', url, money)).json().code).toBe('ORDER_PAID');
  });

  test('stands once in the book, and fits the Z reports, the records and the checks', async () => {
    passDays(5);
    const book: BookSummary = await done('GET', '/reports/book?startDate=2027-05-01&endDate=2027-06-30');
    // The invoice of the paid crown, the collective ones, and the corrective one.
    expect(book.documents).toBe(4);
    expect(book.taxes.reduce((sum, { gross }) => sum + gross, 0)).toBeCloseTo(310 + 948.15 - 18.15 + 1240, 2);
    const verified = await verifyChains(server.database.$client, server.clinicId, { nowMs });
    expect(verified).toMatchObject({ intact: true, unrecorded: [], contradictions: [], days: [] });
    await tellMissing(server.database.$client, nowMs);
    const told = await rows<{ kind: string }>('select kind from attention_items where settled_at is null');
    expect(told.map(({ kind }) => kind)).toEqual([]);
  });

  test('is found where it says another total than its parts', async () => {
    await inTransaction(server.database.$client, async (sql) => {
      await sql.query('alter table collective_invoices disable trigger user');
      await sql.query(`update collective_invoices set document = jsonb_set(document, '{total_amount}', '949')`);
      await sql.query('alter table collective_invoices enable trigger user');
    });
    const { contradictions } = await verifyChains(server.database.$client, server.clinicId, { nowMs });
    expect(contradictions).toContainEqual({ number: issued.invoice_number, fault: 'totals' });
  });
});

test('suggests no payer who is erased, and still a company that has paid for somebody who is', async () => {
  const person = { ...insurer, name: 'Berta Sol', tax_id: '12345678Z' };
  const berta = { patient_id: '019e1ba1-0d00-7000-8000-0000000000cc', name: 'Berta Sol', phone: '' };
  const billed = async (recipient: object) => {
    const { id } = await order([{ product_id: crown, quantity: 1 }], { patient: berta });
    await done('POST', '/collective-invoices', { order_ids: [id], recipient, total_amount: 310 });
  };
  await billed(person);
  await billed(insurer);
  const payers = async () =>
    (await done('GET', '/collective-invoices/payers')).map(({ name }: { name: string }) => name);
  expect(await payers()).toEqual([insurer.name, person.name].toSorted());
  await rows('update patients set erased_at = $2 where id = $1', [berta.patient_id, new Date(nowMs)]);
  expect(await payers()).toEqual([insurer.name]);
});
