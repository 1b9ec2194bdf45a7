/**
 * The libraries and methods that are compared. Each round of an arm has sales of its own, spread over a working day, and
 * measures only their sending. Our arm runs the app's commands and the worker's engine in a new browser profile; the
 * others get the same operations, made outside the browser, in the form that they store and send.
 */
import type { Page } from '@playwright/test';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Losses } from '../figures.ts';
import { HeadlessTablet } from '../headless-tablet.ts';
import { callInPage } from '../in-page.ts';
import type { StoredRequest } from '../pages/rest.ts';
import { countBooked, countDocuments, countPlainBookings, countPouch } from './losses.ts';
import type { Delay, Testbed } from './testbed.ts';

export interface Round extends Losses {
  ms: number;
  operations: AnyOperation[];
}

export interface Arm {
  name: string;
  /** Waits for a reply after each operation. Rounds with network delay are then shorter, because their time is linear. */
  isSequential?: true;
  round(testbed: Testbed, delay: Delay, sales: number): Promise<Round>;
}

const dayMs = 8 * 60 * 60 * 1000;

export const ourArm: Arm = {
  name: 'Dental Counter',
  async round(testbed, delay, sales) {
    const page = await testbed.page('clinic', delay);
    await callInPage(page, 'counter', 'open');
    await callInPage(page, 'counter', 'queueSales', sales, dayMs);
    const operations = await callInPage(page, 'counter', 'queued');
    const ms = await callInPage(page, 'counter', 'drain');
    await page.context().close();
    return { ms, operations, ...(await countBooked(testbed.sql, operations)) };
  },
};

/**
 * Returns treatments and payments. A rival does without the fiscal records: on the product's REST routes the server makes
 * them, and plain bookings have none.
 */
async function makeSales(
  { clinicUrl }: Testbed,
  sales: number,
): Promise<{ tablet: HeadlessTablet; sold: AnyOperation[] }> {
  const tablet = await HeadlessTablet.enrol(clinicUrl);
  await tablet.pull(null);
  const began = Date.now() - dayMs;
  // A sale reads the clock fewer than 20 times.
  let reads = 0;
  tablet.now = () => began + (reads++ * dayMs) / sales / 20;
  const made = Array.from({ length: sales }, (_, sale) => tablet.sale(sale)).flat();
  return { tablet, sold: made.filter(({ kind }) => kind !== 'fiscal.record') };
}

/** @returns milliseconds of the sending alone */
async function timed<T>(page: Page, prepare: (page: Page) => Promise<T>, run: (page: Page) => Promise<number>) {
  await prepare(page);
  const ms = await run(page);
  await page.context().close();
  return ms;
}

/** The product's REST call for an operation; its body states what was agreed at the counter. */
const restCall = ({ kind, payload }: AnyOperation): { url: string; body: object } => ({
  url: kind === 'order.create' ? '/api/orders' : `/api/orders/${(payload as { order_id: string }).order_id}/payments`,
  body: payload,
});

const plainBooking = (operation: AnyOperation): { url: string; body: object } => ({
  url: '/bookings',
  body: operation,
});

/** Returns an arm that sends one request for each operation. */
const overRequests = (
  name: string,
  module: 'rest' | 'workbox',
  requestOf: typeof restCall,
  count: typeof countBooked,
): Arm => ({
  name,
  isSequential: true,
  async round(testbed, delay, sales) {
    const { tablet, sold } = await makeSales(testbed, sales);
    const requests = sold.map((operation): StoredRequest => {
      const { url, body } = requestOf(operation);
      const headers = { ...tablet.headers, 'content-type': 'application/json', 'idempotency-key': operation.op_id };
      return { url: `${testbed.originOf('clinic', delay)}${url}`, method: 'POST', headers, body: JSON.stringify(body) };
    });
    const ms = await timed(
      await testbed.page('clinic', delay),
      (page) => callInPage(page, module, 'prepare', requests),
      (page) => callInPage(page, module, 'run'),
    );
    return { ms, operations: sold, ...(await count(testbed.sql, sold)) };
  },
});

const rxdb = (name: string, address: string, count: typeof countBooked): Arm => ({
  name,
  async round(testbed, delay, sales) {
    const { sold } = await makeSales(testbed, sales);
    const ms = await timed(
      await testbed.page('clinic', delay),
      (page) => callInPage(page, 'rxdb', 'prepare', sold),
      (page) => callInPage(page, 'rxdb', 'run', address),
    );
    return { ms, operations: sold, ...(await count(testbed.sql, sold)) };
  },
});

/** @param prefix of the database's name, by which the server knows whether it books */
const pouch = (name: string, prefix: 'booked' | 'kept'): Arm => ({
  name,
  async round(testbed, delay, sales) {
    const { sold } = await makeSales(testbed, sales);
    const database = `${prefix}-${Date.now()}`;
    const ms = await timed(
      await testbed.page('pouch', delay),
      (page) => callInPage(page, 'pouch', 'prepare', sold),
      (page) => callInPage(page, 'pouch', 'run', database),
    );
    const losses =
      prefix === 'booked'
        ? await countPlainBookings(testbed.sql, sold)
        : await countPouch(`${testbed.originOf('pouch', 0)}/db/${database}`, sold);
    return { ms, operations: sold, ...losses };
  },
});

/** The rivals by the name of their goal. */
export const rivals = {
  workbox: overRequests("Workbox with the product's REST calls", 'workbox', restCall, countBooked),
  rest: overRequests("the product's REST calls in sequence", 'rest', restCall, countBooked),
  workboxBooked: overRequests('Workbox with plain bookings', 'workbox', plainBooking, countPlainBookings),
  restBooked: overRequests('plain bookings in sequence', 'rest', plainBooking, countPlainBookings),
  rxdbBooked: rxdb('RxDB with plain bookings', '/rxdb/bookings', countPlainBookings),
  pouchBooked: pouch('PouchDB with plain bookings', 'booked'),
  rxdbDocuments: rxdb('RxDB that only stores documents', '/rxdb/documents', countDocuments),
  pouchDocuments: pouch('PouchDB that only keeps documents in memory', 'kept'),
} satisfies Record<string, Arm>;
