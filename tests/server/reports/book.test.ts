/** The book of issued invoices equals the Z reports of the same days to the cent, over a random fortnight. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysAfter } from '#domain/business-day.ts';
import { minorFromWire } from '#domain/money.ts';
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { mostListed } from '#domain/report/book.ts';
import type { BookSummary } from '#domain/report/book.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import { verifyChains } from '#server/modules/fiscal/service.ts';
import { seededRandom } from '#tests/support/random.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { issuer, recipient } from '#tests/support/taxed-visit.ts';

const begin = Date.parse('2027-05-03T09:00:00+02:00');
const dayMs = 86_400_000;
const days = Array.from({ length: 14 }, (_, index) => daysAfter('2027-05-03', index));

let nowMs = begin;
let server: TestServer;
let items: number[];
const tokens = new Map<string, string>();

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

const random = seededRandom(20_271_126, 'book');
const cents = (amount: number) => Math.round(amount * 100) / 100;

/** Sells, pays, invoices, exchanges, refunds and cancels at random, some of it days after the treatment. */
async function treat(): Promise<() => Promise<void>> {
  const chosen = items.filter(() => random.happens(0.6));
  const { id } = await done('POST', '/orders', {
    items: (chosen.length > 0 ? chosen : items).map((product_id) => ({ product_id, quantity: random.between(1, 2) })),
    discount: random.happens(0.4) ? 2.5 : 0,
    discount_reason: 'Family',
  });
  const read = async (): Promise<OrderResource> => (await call('GET', `/orders/${id}`)).json().data;
  const full = () => (random.happens(0.3) ? { recipient } : {});
  const pay = (amount: number) =>
    call('POST', `/orders/${id}/payments`, { payment_method: 'card', amount: cents(amount), ...full() });
  if (random.happens(0.3)) await call('POST', `/orders/${id}/invoices`, full());
  if (random.happens(0.5)) await pay((await read()).balance / 3);
  return async () => {
    if (random.happens(0.2)) {
      await call('PUT', `/orders/${id}/status`, { status: 'cancelled' });
      return;
    }
    if (random.happens(0.8)) await pay((await read()).balance);
    const { Invoice, paid } = await read();
    if (Invoice && random.happens(0.3))
      await call('POST', `/orders/${id}/invoices`, { replaces: Invoice.invoice_number, recipient });
    if (random.happens(0.4))
      await call('POST', `/orders/${id}/refunds`, { amount: cents(paid / 2), reason: 'Not done' });
  };
}

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  await done('PUT', '/settings', issuer);
  items = [];
  for (const [name, price, tax] of [
    ['Filling', 61.37, 'E1'],
    ['Toothbrush', 6.05, 'standard'],
    ['Paste', 3.33, 'reduced'],
  ] as const)
    items.push((await done('POST', '/products', { name, price, tax })).id);
  const later: (() => Promise<void>)[] = [];
  for (const [index] of days.entries()) {
    nowMs = begin + index * dayMs;
    // Some of the work is done around midnight.
    if (random.happens(0.3)) nowMs += 14.9 * 3_600_000;
    tokens.clear();
    for (let count = 0; count < 5; count++) later.push(await treat());
    while (later.length > 0 && (random.happens(0.7) || index === days.length - 1)) await later.shift()!();
  }
  nowMs = begin + 20 * dayMs;
  tokens.clear();
}, 240_000);
afterAll(() => server.close());

type Sums = Record<string, [base: number, tax: number, gross: number]>;

function added(totals: readonly TaxTotalPayload[]): Sums {
  const sums: Sums = {};
  for (const total of totals) {
    const key = 'exempt' in total ? total.exempt : total.rate.toFixed(2);
    const [base, tax, gross] = sums[key] ?? [0, 0, 0];
    sums[key] = [base + minorFromWire(total.base), tax + minorFromWire(total.tax), gross + minorFromWire(total.gross)];
  }
  return sums;
}

const period = (startDate: string, endDate: string) => ({ startDate, endDate });
const summary = async (startDate: string, endDate: string): Promise<BookSummary> =>
  (await call('GET', `/reports/book?${new URLSearchParams(period(startDate, endDate))}`)).json().data;
const dayEnds = async (of: readonly string[]): Promise<TaxTotalPayload[]> => {
  const all: TaxTotalPayload[] = [];
  for (const day of of) all.push(...((await call('GET', `/reports/day-end?day=${day}`)).json().data as DayEnd).taxes);
  return all;
};
const csv = async (startDate: string, endDate: string): Promise<Record<string, string>[]> => {
  const reply = await call('POST', '/reports/book/export/csv', { ...period(startDate, endDate), language: 'en' });
  expect(reply.statusCode).toBe(200);
  expect(Number(reply.headers['x-total-rows'])).toBe(parse(reply.body, { bom: true, columns: true }).length);
  return parse(reply.body, { bom: true, columns: true });
};
const addedRows = (rows: readonly Record<string, string>[]): Sums =>
  added(
    rows.flatMap((row) => {
      if (row['Total'] === '') return [];
      const amounts = { base: Number(row['Base']), tax: Number(row['Tax']), gross: Number(row['Total']) };
      return [
        row['Exemption']
          ? { exempt: row['Exemption'] as 'E1', ...amounts }
          : { rate: Number(row['Rate %']), ...amounts },
      ];
    }),
  );

test(
  'the sums and the rows of the book are those of the Z reports, of the fortnight and of each part of it',
  { timeout: 120_000 },
  async () => {
    const spans = [
      [0, 13],
      [0, 0],
      [3, 9],
      [13, 13],
      [6, 8],
    ] as const;
    for (const [from, until] of spans) {
      const [start, end] = [days[from]!, days[until]!];
      const expected = added(await dayEnds(days.slice(from, until + 1)));
      expect(added((await summary(start, end)).taxes), `${start} to ${end}`).toEqual(expected);
      expect(addedRows(await csv(start, end)), `rows of ${start} to ${end}`).toEqual(expected);
    }
    expect(Object.keys(added((await summary(days[0]!, days[13]!)).taxes))).toEqual(['E1', '10.00', '21.00']);
  },
);

test('each number of a document stands in the book once, with its dates, type and recipient', async () => {
  const rows = await csv(days[0]!, days[13]!);
  const { rows: stored } = await server.database.$client.query<{ number: string; type: string }>(
    `select number, document ->> 'document_type' as type from invoices
     union all select credit_note_number, credit_note ->> 'document_type' from payments where credit_note is not null
     union all select credit_note_number, credit_note ->> 'document_type' from order_cancels where credit_note is not null and not annulled`,
  );
  const numbers = rows.map((row) => row['Number']!);
  expect(new Set(numbers)).toEqual(new Set(stored.map(({ number }) => number)));
  expect((await summary(days[0]!, days[13]!)).documents).toBe(stored.length);
  for (const type of ['F1', 'F2', 'F3', 'R5'] as const)
    expect(
      rows.some((row) => row['Type'] === type),
      type,
    ).toBe(true);
  for (const row of rows) {
    expect(row['Issued on']).toMatch(/^2027-05-\d\d$/);
    const isFull = ['F1', 'F3'].includes(row['Type']!);
    expect([row['Recipient'], row['NIF or other number']]).toEqual(
      isFull || row['Type'] === 'R1' ? [recipient.name, recipient.tax_id] : ['', ''],
    );
    if (row['Type'] === 'F3')
      expect([row['Total'], row['Corrects or replaces']]).toEqual(['', expect.stringMatching(/^INV-/)]);
    expect(row['Tax agency']).toBe('Not sent (no VERI*FACTU)');
  }
});

test('the summary names the newest documents first, each once with the sums of its rows', async () => {
  const [first, last] = [days[0]!, days[13]!];
  const [{ documents, latest }, rows] = await Promise.all([summary(first, last), csv(first, last)]);
  expect(latest.length).toBe(Math.min(documents, mostListed));
  expect(new Set(latest.map(({ number }) => number)).size).toBe(latest.length);
  expect(latest.map(({ day }) => day)).toEqual(
    latest.map(({ day }) => day).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
  );
  const cents100 = (text: string | undefined) => Math.round(Number(text) * 100);
  for (const { number, base, amount, total, recipient: named } of latest) {
    const own = rows.filter((row) => row['Number'] === number);
    const sumOf = (column: string) => own.reduce((sum, row) => sum + cents100(row[column]), 0);
    expect([base, amount, total].map(minorFromWire), number).toEqual([sumOf('Base'), sumOf('Tax'), sumOf('Total')]);
    expect(named).toBe(own[0]!['Recipient']);
  }
});

test('the workbook has the same rows, and a sheet of the sums', async () => {
  const reply = await call('POST', '/reports/book/export/excel', period(days[0]!, days[13]!));
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['content-type']).toContain('spreadsheetml');
  expect(Number(reply.headers['x-total-rows'])).toBe((await csv(days[0]!, days[13]!)).length);
});

test('a period without documents is empty, however long, and one that is none is refused', async () => {
  expect(await summary('1990-01-01', '2027-05-02')).toEqual({
    documents: 0,
    rows: 0,
    taxes: [],
    unsettled: 0,
    latest: [],
  });
  expect((await summary('1990-01-01', '2099-12-31')).documents).toBeGreaterThan(50);
  for (const query of [
    '',
    '?startDate=2027-05-03',
    '?startDate=2027-05-04&endDate=2027-05-03',
    '?startDate=x&endDate=y',
  ])
    expect((await call('GET', `/reports/book${query}`)).statusCode, query).toBe(400);
});

test('and the verification of what is stored finds nothing in all of this', async () => {
  const found = await verifyChains(server.database.$client, server.clinicId, { nowMs });
  expect(found).toMatchObject({ intact: true, contradictions: [], days: [], unrecorded: [] });
  expect(found.chains.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(50);
});
