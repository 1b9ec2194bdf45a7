/** Compares every filter of a report, alone and combined, with a full scan of all treatments. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysAfter } from '#domain/business-day.ts';
import { orderTypes } from '#domain/order/vocabulary.ts';
import type { ReportOrder, SalesPreview } from '#domain/report/resources.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import { searchKey } from '#domain/search-key.ts';
import { withinClinic } from '#server/db/database.ts';
import { withOrderReport } from '#server/modules/reports/service.ts';
import { newId } from '#tests/support/unique.ts';
import { lineOf, ReportClinic } from './clinic.ts';
import type { Told } from './clinic.ts';
import { expectedSums } from './expected-sums.ts';

const seed = 20_260_714;
const noon = Date.parse('2026-05-20T10:00:00Z');
const dayMs = 86_400_000;
const names = ['Cleaning', 'Deep cleaning', 'Blanqueamiento', 'X-ray', 'Ana seal'];
const amounts = [10, 10.01, 25, 50, 99.99, 100];

const treatment = fc.record({
  daysAgo: fc.nat(40),
  minute: fc.nat(120),
  type: fc.constantFrom(...orderTypes),
  customer: fc.constantFrom('', 'María José Núñez', 'Ana Gil', 'Gil Anaya'),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'LKR', 'USD'),
  items: fc.array(fc.record({ item: fc.nat(names.length - 1), price: fc.constantFrom(...amounts) }), {
    minLength: 1,
    maxLength: 3,
  }),
  ending: fc.constantFrom('open', 'paid', 'paid', 'refunded', 'cancelled'),
});
type Treatment = typeof treatment extends fc.Arbitrary<infer T> ? T : never;

const amount = fc.option(fc.constantFrom(0, ...amounts, 60, 125.01, 500), { nil: undefined });
const narrowing = fc
  .record({
    from: fc.option(fc.nat(45), { nil: undefined }),
    to: fc.option(fc.nat(45), { nil: undefined }),
    orderType: fc.option(fc.constantFrom(...orderTypes), { nil: undefined, freq: 2 }),
    status: fc.option(fc.constantFrom('confirmed', 'completed', 'cancelled'), { nil: undefined, freq: 2 }),
    lowest: amount,
    highest: amount,
    searchTerm: fc.option(
      fc.constantFrom('clean', 'ana', 'ANA g', 'nunez', 'x-r', 'deep cl', 't-a', 't-z9', 'blanq', 'nobody'),
      { nil: undefined },
    ),
  })
  .map(({ from, to, lowest, highest, ...others }): ReportFilters => {
    const [longest, shortest] = from !== undefined && to !== undefined && from < to ? [to, from] : [from, to];
    const [least, most] =
      lowest !== undefined && highest !== undefined && highest < lowest ? [highest, lowest] : [lowest, highest];
    const day = (ago: number | undefined) => (ago === undefined ? undefined : daysAfter('2026-05-20', -ago));
    return { startDate: day(longest), endDate: day(shortest), minAmount: least, maxAmount: most, ...others };
  });

function deedsOf({ daysAgo, minute, type, customer, currency, items, ending }: Treatment): Told[] {
  const order = newId();
  const atMs = noon - daysAgo * dayMs - minute * 60_000;
  const when = { order, atMs, arrivesMs: noon };
  const price = items.reduce((sum, item) => sum + Math.round(item.price * 100), 0) / 100;
  const create: Told = {
    do: 'create',
    type,
    customer,
    currency,
    items: items.map((sold) => lineOf(sold.item + 1, names[sold.item]!, sold.price, 1)),
    discount: 0,
    charge: 0,
    ...when,
  };
  if (ending === 'open') return [create];
  if (ending === 'cancelled') return [create, { do: 'cancel', ...when }];
  const pay: Told = { do: 'pay', amount: price, by: 'cash', ...when };
  return ending === 'paid' ? [create, pay] : [create, pay, { do: 'refund', amount: 5, by: 'cash', ...when }];
}

let clinic: ReportClinic;
beforeAll(async () => {
  clinic = await ReportClinic.open(noon);
  const { database, clinicId } = clinic.server;
  const items = names.map((name, index) => ({ id: index + 1, name, search_key: searchKey(name) }));
  await database.$client.query(
    `insert into stock_items (clinic_id, id, name, search_key) overriding system value
     select $1, id, name, search_key from json_to_recordset($2) item (id int, name text, search_key text)`,
    [clinicId, JSON.stringify(items)],
  );
});
afterAll(() => clinic.close());

const holds = <T>(bound: T | undefined, isWithin: (bound: T) => boolean) => bound === undefined || isWithin(bound);

function isFound({ number, invoice_numbers, customer_name, items }: ReportOrder, term: string): boolean {
  const sought = searchKey(term);
  const words = searchKey(customer_name).split(' ');
  return (
    (/\d/.test(sought) && [number, ...invoice_numbers].some((paper) => searchKey(paper).startsWith(sought))) ||
    sought.split(' ').every((word) => words.some((known) => known.startsWith(word))) ||
    items.some(({ name }) => ` ${searchKey(name)}`.includes(` ${sought}`))
  );
}

const scan = (
  all: readonly ReportOrder[],
  { startDate, endDate, orderType, status, minAmount, maxAmount, searchTerm }: ReportFilters,
) =>
  all.filter(
    (row) =>
      holds(startDate, (day) => row.business_day >= day) &&
      holds(endDate, (day) => row.business_day <= day) &&
      holds(orderType, (type) => row.order_type === type) &&
      holds(status, (one) => row.status === one) &&
      holds(minAmount, (least) => row.total >= least) &&
      holds(maxAmount, (most) => row.total <= most) &&
      holds(searchTerm, (term) => isFound(row, term)),
  );

const sumsOf = (rows: readonly ReportOrder[], currency: string) =>
  expectedSums(
    rows.map((row) => ({ ...row, isCancelled: row.status === 'cancelled' })),
    currency,
  );

const reported = (filters: ReportFilters) =>
  withOrderReport(
    withinClinic(clinic.server.database, clinic.server.clinicId),
    { clinicId: clinic.server.clinicId, filters, signal: new AbortController().signal },
    async ({ count, rows, taxes: _taxes, ...sums }) => {
      const taken: ReportOrder[] = [];
      for await (const row of rows) taken.push(row);
      return { count, sums, taken };
    },
  );

async function compare(filters: ReportFilters, currency: string): Promise<void> {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const previewed = (page: number) =>
    clinic.ask<SalesPreview>(
      `/reports/sales/preview?${new URLSearchParams([...given, ['size', '7'], ['page', String(page)]]).toString()}`,
      noon,
    );
  const { data, total, ...previewedSums } = await previewed(1);
  const { taken: all } = await reported({});
  const expected = scan(all, filters);
  const ids = (rows: readonly ReportOrder[]) => rows.map(({ id }) => id);
  expect({ total, sums: previewedSums, ids: ids(data) }).toEqual({
    total: expected.length,
    sums: sumsOf(expected, currency),
    ids: ids(expected.slice(0, 7)),
  });
  expect(ids((await previewed(2)).data)).toEqual(ids(expected.slice(7, 14)));
  const { count, sums, taken } = await reported(filters);
  expect({ count, sums, ids: ids(taken) }).toEqual({
    count: expected.length,
    sums: sumsOf(expected, currency),
    ids: ids(expected),
  });
}

test(`finds, counts and sums the same treatments as a full scan, also after late facts (seed ${seed})`, async () => {
  const first = fc.sample(fc.array(treatment, { minLength: 150, maxLength: 150 }), { seed, numRuns: 1 })[0]!;
  await clinic.tell(first.flatMap(deedsOf));
  const round = fc.record({
    late: fc.array(treatment, { maxLength: 2 }),
    currency: fc.constantFrom('EUR', 'LKR'),
    filters: fc.array(narrowing, { minLength: 3, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(round, async ({ late, currency, filters }) => {
      await clinic.tell(late.flatMap(deedsOf));
      await clinic.useCurrency(currency);
      for (const one of filters) await compare(one, currency);
    }),
    { seed, numRuns: 25, endOnFailure: true },
  );
});
