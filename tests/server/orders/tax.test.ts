import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveDevice } from '#src/db/singletons.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { TestDevice } from '#tests/support/device.ts';
import { actorKeyIn } from '#tests/support/proofs.ts';
import { startTestServer } from '#tests/support/server.ts';
import { amounts } from '#tests/support/taxed-visit.ts';
import { openTablet, service, valueOf } from '#tests/src/db/tablet.ts';
import type { OfflineTablet } from '#tests/src/db/tablet.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let headers: { authorization: string };
let exempt: number;
let taxed: number;

const recipient = {
  name: 'Eva Ruiz',
  tax_id: '12345678Z',
  address: 'Calle Sol 2',
  postal_code: '28013',
  city: 'Madrid',
};
const issuer = {
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};

type Method = 'GET' | 'POST' | 'PUT';
const call = async (method: Method, url: string, payload?: object) => {
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
};

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  headers = { authorization: `Bearer ${await server.login('admin')}` };
  const product = async (name: string, price: number, tax?: string) =>
    (await call('POST', '/products', { name, price, ...(tax && { tax }) })).data;
  const plain = await product('Filling', 60);
  expect(plain.tax).toBe('E1');
  exempt = plain.id;
  taxed = (await product('Toothbrush', 6.05, 'standard')).id;
});
afterAll(() => server.close());

const plan = () => ({ items: [exempt, taxed].map((product_id) => ({ product_id, quantity: 1 })) });
const create = async () => (await call('POST', '/orders', plan())).data;
const read = async (id: string) => (await call('GET', `/orders/${id}`)).data;

test('without a tax profile no line and no invoice has tax', async () => {
  const order = await create();
  expect(order.OrderItems[0]).not.toHaveProperty('tax');
  expect(await call('POST', `/orders/${order.id}/invoices`, {})).toMatchObject({ code: 'NOTHING_TO_INVOICE' });
  await call('POST', `/orders/${order.id}/payments`, { payment_method: 'card', amount: 66.05 });
  expect((await read(order.id)).Invoice).not.toHaveProperty('tax_totals');
});

describe('with a tax profile', () => {
  test('the issuer must be complete and valid', async () => {
    const wrong = await call('PUT', '/settings', {
      tax_profile: 'ES',
      ...issuer,
      tax_id: 'B65410012',
      postal_code: '99',
    });
    expect(wrong).toMatchObject({
      status: 400,
      details: { tax_id: expect.anything(), postal_code: expect.anything() },
    });
    expect(await call('PUT', '/settings', { tax_profile: 'ES', books_by_sii: true, ...issuer })).toMatchObject({
      status: 200,
    });
  });

  test('a treatment is invoiced by tax, for an advance, at its end, and in exchange', async () => {
    const order = await create();
    expect(order.OrderItems.map(({ tax }: { tax: unknown }) => tax)).toEqual([{ exempt: 'E1' }, { rate: 21 }]);
    await call('POST', `/orders/${order.id}/payments`, { payment_method: 'card', amount: 20 });
    await call('POST', `/orders/${order.id}/payments`, { payment_method: 'card', amount: 46.05 });
    const { Invoices } = await read(order.id);
    expect(Invoices).toMatchObject([
      { document_type: 'F2', total_amount: 20, line_ids: [] },
      { document_type: 'F2', total_amount: 46.05, issuer },
    ]);
    const number = Invoices[1].invoice_number;
    const exchange = (body: object) => call('POST', `/orders/${order.id}/invoices`, body);
    expect(await exchange({ replaces: number })).toMatchObject({ status: 400, code: 'RECIPIENT_REQUIRED' });
    expect(await exchange({ replaces: number, recipient })).toMatchObject({ status: 200 });
    expect(await exchange({ replaces: number, recipient })).toMatchObject({ status: 409, code: 'NOT_EXCHANGEABLE' });
    const full = (await read(order.id)).Invoice;
    expect(full).toMatchObject({
      invoice_number: expect.stringMatching(/^F-[A-Z]{4}0-000001$/),
      document_type: 'F3',
      recipient,
      total_amount: 46.05,
    });
    await call('POST', `/orders/${order.id}/refunds`, { amount: 66.05, reason: 'Not done' });
    const refund = (await read(order.id)).Payments.at(-1);
    expect(refund).toMatchObject({
      credit_note_number: expect.stringMatching(/^RF-[A-Z]{4}0-000001$/),
      credit_note: { document_type: 'R1', tax_totals: [{ gross: -60 }, { base: -5, tax: -1.05, gross: -6.05 }] },
    });
  });

  test('an export adds up the bases and taxes of documents, an exchanged one once', async () => {
    const order = await create();
    await call('POST', `/orders/${order.id}/payments`, { payment_method: 'card', amount: 66.05 });
    const [simplified] = (await read(order.id)).Invoices;
    await call('POST', `/orders/${order.id}/invoices`, { replaces: simplified.invoice_number, recipient });
    const body = { searchTerm: order.number };
    const file = (format: string) =>
      server.app.inject({ method: 'POST', url: `/api/reports/sales/export/${format}`, headers, payload: body });
    const sheets = await readSheets((await file('excel')).rawPayload, { trim: false });
    expect(sheets.find(({ sheet }) => sheet === 'Tax')?.data).toEqual([
      ['Tax', 'Taxable base', 'Tax amount', 'Total'],
      ['VAT exempt (E1)', 60, 0, 60],
      ['VAT 21 %', 5, 1.05, 6.05],
    ]);
    expect((await file('pdf')).statusCode).toBe(200);
  });

  test('a service that is done is invoiced though unpaid, and its invoice is pending until it is paid', async () => {
    const { id } = await create();
    expect(await call('POST', `/orders/${id}/invoices`, {})).toMatchObject({ status: 200 });
    expect((await read(id)).Invoice).toMatchObject({ payment_status: 'pending', paid_at: null, total_amount: 66.05 });
    await call('POST', `/orders/${id}/payments`, { payment_method: 'card', amount: 66.05 });
    const paid = await read(id);
    expect(paid.Invoices).toMatchObject([{ payment_status: 'paid' }]);
  });
});

describe('the cancel of an invoiced treatment', () => {
  const cancelled = (id: string, key = newId()) =>
    server.app
      .inject({
        method: 'PUT',
        url: `/api/orders/${id}/status`,
        headers: { ...headers, 'idempotency-key': key },
        payload: { status: 'cancelled', notes: 'Not done' },
      })
      .then((reply) => ({
        status: reply.statusCode,
        replayed: reply.headers['idempotency-replayed'],
        ...reply.json(),
      }));
  const recordsOf = async (number: string) =>
    (
      await server.database.$client.query(
        'select type, document_op_id, record from fiscal_records where number = $1 order by id',
        [number],
      )
    ).rows;

  test('has a credit note and a record in the server’s chain, once', async () => {
    const { id } = await create();
    await call('POST', `/orders/${id}/invoices`, {});
    const { invoice_number: number } = (await read(id)).Invoice;
    const key = newId();
    const first = await cancelled(id, key);
    expect(first).toMatchObject({ status: 200, data: { status: 'cancelled' } });
    const [{ correction, op_id }] = (await read(id)).Cancels;
    expect(correction).toMatchObject({
      annulled: false,
      credit_note: {
        document_type: 'R5',
        corrects: [{ number }],
        tax_totals: [
          { exempt: 'E1', base: -60, tax: 0, gross: -60 },
          { rate: 21, base: -5, tax: -1.05, gross: -6.05 },
        ],
      },
    });
    expect(await cancelled(id, key)).toMatchObject({ status: 200, replayed: 'true' });
    expect(await cancelled(id)).toMatchObject({ status: 409, code: 'ORDER_CANCELLED' });
    expect(await recordsOf(correction.credit_note_number)).toMatchObject([
      { type: 'issue', document_op_id: op_id, record: { fields: { type: 'R5', total: '-66.05', tax_total: '-1.05' } } },
    ]);
  });
});

describe('a filling of 60.00 without tax and a toothbrush of 6.05 with 21 %, less 10.00, from the tablet to the server', () => {
  let device: TestDevice;
  let tablet: OfflineTablet;

  beforeAll(async () => {
    device = await TestDevice.enrol(server, 'manager');
    const opened = await openTablet();
    tablet = { ...opened, actorId: device.userId, actorKey: () => Promise.resolve(actorKeyIn(device.info)) };
    tablet.clock.now = Date.now();
    await saveDevice(tablet.db, device.info);
    await tablet.db.settings.put({ id: 'this', settings: (await call('GET', '/settings')).data });
    const product = (id: number, name: string, price_minor: number) =>
      service(id, { key: `p${id}`, type: 'product', name, price_minor });
    await tablet.db.catalogue.bulkPut([
      product(exempt, 'Filling', 60_00),
      { ...product(taxed, 'Toothbrush', 6_05), tax: 'standard' },
    ]);
  });
  afterAll(() => tablet.close());

  const discounted = async () => {
    const services = [exempt, taxed].map((id) => ({ itemKey: `p${id}`, quantity: 1 }));
    const discount = { kind: 'amount', minor: 10_00, reason: 'Family', mayExceed: true } as const;
    return valueOf(await createTreatment(tablet, { orderType: 'walk_in', services, discount })).orderId;
  };
  const pay = async (orderId: string, tenderedMinor: number) =>
    valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor }));
  /** Sends everything, and returns the treatment as the server has it. */
  const sent = async (id: string) => {
    const operations = (await tablet.db.operations.toArray()).toSorted((a, b) => a.device_seq - b.device_seq);
    const results = await device.send(...operations);
    expect(results.map(({ status }) => status)).toEqual(operations.map(() => 'applied'));
    await tablet.db.operations.clear();
    return read(id);
  };

  // 60.00 / 66.05 × 10.00 = 9.08 comes off the filling and 0.92 off the toothbrush: 50.92 and 5.13 are due, 56.05 in all.
  // 5.13 / 1.21 = 4.24, and 5.13 − 4.24 = 0.89.
  test('one invoice, and the toothbrush is refunded', async () => {
    const id = await discounted();
    await pay(id, 56_05);
    const line = (await tablet.db.orders.get(id))!.lines[1]!;
    const lineIds = [line.lineId];
    valueOf(
      await refundTreatment(tablet, { orderId: id, amountMinor: 5_13, method: 'card', reason: 'Returned', lineIds }),
    );
    const { Invoices, Payments } = await sent(id);
    expect(Invoices).toMatchObject([
      { document_type: 'F2', subtotal: 66.05, discount_amount: 10, total_amount: 56.05 },
    ]);
    expect(amounts(Invoices[0])).toEqual([
      ['E1', 50.92, 0, 50.92],
      ['21 %', 4.24, 0.89, 5.13],
    ]);
    const { credit_note: note } = Payments.at(-1);
    expect(note).toMatchObject({ document_type: 'R5', corrects: [{ number: Invoices[0].invoice_number }] });
    expect(amounts(note)).toEqual([['21 %', -4.24, -0.89, -5.13]]);
  });

  test('an advance of 20.00, the final invoice, and 10.00 of it are refunded', async () => {
    const id = await discounted();
    await pay(id, 20_00);
    await pay(id, 36_05);
    valueOf(await refundTreatment(tablet, { orderId: id, amountMinor: 10_00, method: 'card', reason: 'Goodwill' }));
    const { Invoices, Payments } = await sent(id);
    expect(Invoices).toMatchObject([
      { document_type: 'F2', total_amount: 20, line_ids: [] },
      { document_type: 'F2', total_amount: 36.05, line_ids: [expect.any(String), expect.any(String)] },
    ]);
    expect(Invoices.map(amounts)).toEqual([
      // 50.92 / 56.05 × 20.00 = 18.17, and 1.83 is left. 1.83 / 1.21 = 1.51.
      [
        ['E1', 18.17, 0, 18.17],
        ['21 %', 1.51, 0.32, 1.83],
      ],
      // 50.92 − 18.17 = 32.75. 5.13 − 1.83 = 3.30, of which the base is 4.24 − 1.51 = 2.73.
      [
        ['E1', 32.75, 0, 32.75],
        ['21 %', 2.73, 0.57, 3.3],
      ],
    ]);
    // 50.92 / 56.05 × 10.00 = 9.08, and 0.92 is left. 4.21 stays: 4.21 / 1.21 = 3.48, and 4.24 − 3.48 = 0.76.
    expect(amounts(Payments.at(-1).credit_note)).toEqual([
      ['E1', -9.08, 0, -9.08],
      ['21 %', -0.76, -0.16, -0.92],
    ]);
  });
});

test('above 400 euros no request is answered with a simplified invoice, and none that states one is taken', async () => {
  await call('PUT', '/settings', { tax_profile: 'ES', books_by_sii: true, ...issuer });
  const large = async () =>
    (await call('POST', '/orders', { items: [{ product_id: exempt, quantity: 7 }] })).data as { id: string };
  const paid = await large();
  expect(await call('POST', `/orders/${paid.id}/payments`, { payment_method: 'card', amount: 420 })).toMatchObject({
    data: { paid: 420, balance: 0 },
  });
  expect((await read(paid.id)).Invoices).toEqual([]);
  expect(await call('POST', `/orders/${paid.id}/invoices`, {})).toMatchObject({ code: 'RECIPIENT_REQUIRED' });
  const foreign = { ...recipient, tax_id: 'X1234567', id_type: '03' };
  expect(await call('POST', `/orders/${paid.id}/invoices`, { recipient: foreign })).toMatchObject({
    status: 400,
    details: { 'recipient.country': expect.any(String) as string },
  });
  expect(
    await call('POST', `/orders/${paid.id}/invoices`, { recipient: { ...recipient, tax_id: '12345678A' } }),
  ).toMatchObject({ status: 400, details: { 'recipient.tax_id': expect.any(String) as string } });
  await call('POST', `/orders/${paid.id}/invoices`, { recipient });
  const [invoice] = (await read(paid.id)).Invoices;
  expect(invoice).toMatchObject({ document_type: 'F1', total_amount: 420 });

  const other = await large();
  const { recipient: _named, ...kept } = invoice;
  const stated = { ...kept, invoice_id: newId(), invoice_number: 'INV-A9-000001', document_type: 'F2' };
  for (const key of ['op_id', 'device_id', 'id', 'order_id', 'payment_status', 'paid_at', 'due_date'])
    delete stated[key];
  expect(await call('POST', `/orders/${other.id}/invoices`, { invoice: stated })).toMatchObject({
    code: 'RECIPIENT_REQUIRED',
  });
});
