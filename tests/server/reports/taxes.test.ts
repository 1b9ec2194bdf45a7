import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DayEnd } from '#domain/notification/day-end.ts';
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import { drawerReport, paymentsInto } from '#domain/drawer/report.ts';
import { drawerRowFromResource, reportFromResource } from '#domain/drawer/resource.ts';
import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { minorFromWire } from '#domain/money.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { seededRandom } from '#tests/support/random.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { issuer, recipient } from '#tests/support/taxed-visit.ts';

let server: TestServer;
let headers: { authorization: string };
let items: number[];

type Method = 'GET' | 'POST' | 'PUT';
const call = async (method: Method, url: string, payload?: object) => {
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
};

/** An afternoon without a daylight saving change. */
const now = Date.UTC(2027, 4, 12, 12);

beforeAll(async () => {
  server = await startTestServer({ now });
  headers = { authorization: `Bearer ${await server.login('admin')}` };
  await call('PUT', '/settings', issuer);
  items = [];
  for (const [name, price, tax] of [
    ['Filling', 61.37, 'E1'],
    ['Toothbrush', 6.05, 'standard'],
    ['Paste', 3.33, 'reduced'],
    ['Report', 17.99, 'E4'],
  ] as const)
    items.push((await call('POST', '/products', { name, price, tax })).data.id);
});
afterAll(() => server.close());

const random = seededRandom(20_261_123, 'taxes');
const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Does at random what a counter does with a treatment. */
async function treat(): Promise<OrderResource> {
  const chosen = items.filter(() => random.happens(0.6));
  const body = {
    items: (chosen.length > 0 ? chosen : items).map((product_id) => ({ product_id, quantity: random.between(1, 3) })),
  };
  const { id, price } = (
    await call('POST', '/orders', { ...body, discount: random.happens(0.4) ? 2.5 : 0, discount_reason: 'Family' })
  ).data;
  const read = async (): Promise<OrderResource> => (await call('GET', `/orders/${id}`)).data;
  const full = () => (random.happens(0.3) ? { recipient } : {});
  const pay = async (amount: number) =>
    call('POST', `/orders/${id}/payments`, { payment_method: 'card', amount: cents(amount), ...full() });
  if (random.happens(0.5)) await call('POST', `/orders/${id}/invoices`, full());
  if (random.happens(0.3)) {
    await call('PUT', `/orders/${id}/status`, { status: 'cancelled' });
    return read();
  }
  if (random.happens(0.5)) await pay(price / 3);
  if (random.happens(0.8)) await pay((await read()).balance);
  const { Invoice } = await read();
  if (Invoice && random.happens(0.3))
    await call('POST', `/orders/${id}/invoices`, { replaces: Invoice.invoice_number, recipient });
  if (random.happens(0.4)) {
    const { paid, OrderItems } = await read();
    const line_ids = random.happens(0.5) ? [OrderItems[0]!.id] : undefined;
    await call('POST', `/orders/${id}/refunds`, {
      amount: cents(random.happens(0.3) ? paid : paid / 2),
      reason: 'Not done',
      line_ids,
    });
  }
  return read();
}

type Sums = Record<string, [base: number, tax: number, gross: number]>;

/** Adds up amounts by tax, in minor units. */
function added(totals: readonly TaxTotalPayload[]): Sums {
  const sums: Sums = {};
  for (const total of totals) {
    const key = 'exempt' in total ? total.exempt : String(total.rate);
    const [base, tax, gross] = sums[key] ?? [0, 0, 0];
    sums[key] = [base + minorFromWire(total.base), tax + minorFromWire(total.tax), gross + minorFromWire(total.gross)];
  }
  return sums;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const billsServices = (invoices: OrderResource['Invoices']) => invoices.some(({ line_ids }) => line_ids.length > 0);

const documentsOf = ({ Invoices, Payments, Cancels }: OrderResource) => [
  ...Invoices.filter(({ document_type }) => document_type !== 'F3'),
  ...Payments.flatMap(({ credit_note }) => credit_note ?? []),
  ...Cancels.flatMap(({ correction }) => (correction && !correction.annulled ? correction.credit_note : [])),
];

test(
  'report, day end and Z report state the same taxes as the documents, and tablet and server the same Z report',
  { timeout: 240_000 },
  async () => {
    const device = await TestDevice.enrol(server, 'manager');
    const drawer_id = newId();
    const open = device.operation(
      'drawer.open',
      { drawer_id, currency: 'EUR', float: 0 },
      { occurred_at: new Date(now - 60_000).toISOString() },
    );
    expect(await device.send(open)).toMatchObject([{ status: 'applied' }]);
    const orders: OrderResource[] = [];
    for (let count = inLongRun(600, { otherwise: 40 }); count > 0; count--) orders.push(await treat());
    const expected = added(orders.flatMap(documentsOf).flatMap(({ tax_totals = [] }) => tax_totals));
    for (const [base, tax, gross] of Object.values(expected)) expect(base + tax).toBe(gross);
    expect(Object.keys(expected).toSorted()).toEqual(['10', '21', 'E1', 'E4']);
    expect(orders.some(({ Cancels }) => Cancels.some(({ correction }) => correction))).toBe(true);
    expect(orders.some(({ Invoices }) => Invoices.some(({ document_type }) => document_type === 'F3'))).toBe(true);

    const report: { data: TaxTotalPayload[] } = (await call('GET', '/reports/sales/taxes')) as never;
    expect(added(report.data)).toEqual(expected);
    const day: { data: DayEnd } = (await call('GET', '/reports/day-end')) as never;
    expect(added(day.data.taxes)).toEqual(expected);
    const { data: drawers } = (await call('GET', '/drawers')) as unknown as { data: ReportedDrawer[] };
    expect(added(drawers[0]!.report.taxes!)).toEqual(expected);

    const row = drawerRowFromResource(drawers[0]!);
    const payments = paymentsInto(row, [row], orders.map(orderFromResource).flatMap(drawerPayments));
    const onTablet = drawerReport(row, payments, row.devices);
    expect(reportFromResource(drawers[0]!.report)).toEqual(onTablet);
    const isTakenOff = ({ Cancels }: OrderResource) =>
      Cancels.some(({ correction }) => correction && !correction.annulled);
    const agreed = orders.flatMap((order) =>
      order.discount > 0 && billsServices(order.Invoices) && !isTakenOff(order) ? [order.discount] : [],
    );
    expect(orders.some((order) => order.discount > 0 && isTakenOff(order))).toBe(true);
    expect(onTablet.discounts).toEqual({ count: agreed.length, amountMinor: minorFromWire(cents(sum(agreed))) });
    const isDiscountedTwice = ({ discount, Invoices }: OrderResource) =>
      discount > 0 && Invoices.some(({ document_type }) => document_type === 'F3') && billsServices(Invoices);
    expect(orders.some(isDiscountedTwice)).toBe(true);
  },
);

test('a clinic without a tax profile has none', async () => {
  const other = await startTestServer({ demo: true });
  const authorization = `Bearer ${await other.login('admin')}`;
  const get = async (url: string) => (await other.app.inject({ url: `/api${url}`, headers: { authorization } })).json();
  expect(await get('/reports/sales/taxes')).toEqual({ success: true, data: [] });
  expect((await get('/reports/day-end')).data.taxes).toEqual([]);
  await other.close();
});
