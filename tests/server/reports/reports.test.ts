import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemCatalogue } from '#domain/problems.ts';
import type { Analytics, DashboardStats, ReportOrder, SalesPreview } from '#domain/report/resources.ts';
import { dayFigures, staleDays } from '#server/db/schema/reports.ts';
import { withOrderReport } from '#server/modules/reports/service.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { lineOf, ReportClinic } from './clinic.ts';
import { expectedSums } from './expected-sums.ts';
import type { Told } from './clinic.ts';

const noon = Date.parse('2026-05-20T10:00:00Z');
const dayMs = 86_400_000;
let clinic: ReportClinic;
beforeAll(async () => {
  clinic = await ReportClinic.open(noon);
});
afterAll(() => clinic.close());

type Sale = Partial<{ price: number; customer: string; item: string; atMs: number; arrivesMs: number }>;
/** A treatment that is paid at once. */
function sale({ price = 10, customer = '', item = 'Cleaning', atMs = noon, arrivesMs = atMs }: Sale = {}): Told[] {
  const order = newId();
  return [
    {
      do: 'create',
      order,
      type: 'walk_in',
      items: [lineOf(1, item, price, 1)],
      discount: 0,
      charge: 0,
      customer,
      atMs,
      arrivesMs,
    },
    { do: 'pay', order, amount: price, by: 'cash', atMs, arrivesMs },
  ];
}

async function get(url: string, role: 'manager' | 'counter' = 'manager') {
  const headers = { authorization: `Bearer ${await clinic.server.login(role)}` };
  const reply = await clinic.server.app.inject({ url: `/api${url}`, headers });
  return {
    status: reply.statusCode,
    body: reply.json<{ data: SalesPreview; code?: string; details?: object; pagination?: object }>(),
  };
}
const preview = (query: Record<string, string>) =>
  get(`/reports/sales/preview?${new URLSearchParams(query).toString()}`);
const customersOf = async (query: Record<string, string>) =>
  (await preview(query)).body.data.data.map(({ customer_name }) => customer_name);
const revenue = async (nowMs = noon) =>
  (await clinic.ask<Analytics>('/reports/analytics?period=month', nowMs)).totalRevenue.amount;

describe('the reports of an empty clinic', () => {
  test('contain zeros and no treatments', async () => {
    expect(await clinic.ask<Analytics>('/reports/analytics', noon)).toEqual({
      period: 'today',
      dateRange: { start: '2026-05-20', end: '2026-05-20' },
      comparison: 'before',
      comparedRange: { start: '2026-05-19', end: '2026-05-19' },
      target: null,
      totalRevenue: { amount: 0, previous: 0, comparisonText: '0,0\u00a0% vs yesterday' },
      totalRefunds: { amount: 0, count: 0 },
      totalDiscounts: { amount: 0, count: 0 },
      totalExpenses: { amount: 0 },
      netProfit: { amount: 0, isPositive: true, margin: 0 },
      growthRate: { percentage: 0, formattedPercentage: '0,0\u00a0%' },
      completedOrders: 0,
      cancelledOrders: 0,
      averageOrder: { amount: 0 },
      byType: [],
      byMethod: [],
      byHour: [],
      byDay: [{ day: '2026-05-20', orders: 0, revenue: 0, compared: { day: '2026-05-19', revenue: 0 } }],
      topProducts: [],
      others: [],
      data: [],
    });
    expect((await clinic.ask<DashboardStats>('/admin/dashboard/stats', noon)).week).toHaveLength(7);
    expect((await preview({})).body.data).toEqual({ data: [], total: 0, ...expectedSums([]) });
  });
});

describe('report filters', () => {
  beforeAll(async () => {
    await clinic.server.database.$client.query(
      `insert into stock_items (clinic_id, name, search_key) values ($1, 'Dental cleaning', 'dental cleaning')`,
      [clinic.server.clinicId],
    );
    await clinic.tell(
      [
        ...sale({ customer: 'María José Núñez', price: 20 }),
        ...sale({ customer: "Ana O'Brien", price: 30, atMs: noon - dayMs }),
        ...sale({ customer: '50% Off_er', price: 40, atMs: noon - dayMs - 1000 }),
      ].sort((a, b) => a.atMs - b.atMs),
    );
  });

  test('are ignored when blank or `all`', async () => {
    const blank = {
      startDate: '',
      endDate: ' ',
      orderType: 'all',
      status: 'all',
      minAmount: '',
      maxAmount: '',
      searchTerm: '  ',
    };
    expect(await customersOf(blank)).toEqual(['María José Núñez', "Ana O'Brien", '50% Off_er']);
    expect(await customersOf({ ...blank, endDate: '2026-05-19', minAmount: '30', maxAmount: '30.00' })).toEqual([
      "Ana O'Brien",
    ]);
    expect(await customersOf({ orderType: 'takeout' })).toEqual([]);
  });

  test('find words by their beginning, without accents, and wildcards literally', async () => {
    expect(await customersOf({ searchTerm: 'nunez' })).toEqual(['María José Núñez']);
    expect(await customersOf({ searchTerm: 'JOSÉ mar' })).toEqual(['María José Núñez']);
    expect(await customersOf({ searchTerm: 'ose' })).toEqual([]);
    expect(await customersOf({ searchTerm: "o'b" })).toEqual(["Ana O'Brien"]);
    expect(await customersOf({ searchTerm: '50%' })).toEqual(['50% Off_er']);
    for (const searchTerm of ['%ana', '_na', 'an*', "an'", 'an\\', 'a & b', '!ana', ':*an', '1/ana', '(an', 'inv-'])
      expect(await customersOf({ searchTerm }), searchTerm).toEqual([]);
  });

  test('find treatments by number or item', async () => {
    const [newest] = (await preview({})).body.data.data;
    expect(await customersOf({ searchTerm: newest!.number.toLowerCase() })).toEqual([newest!.customer_name]);
    expect(await customersOf({ searchTerm: newest!.number.slice(0, -1) })).toContain(newest!.customer_name);
    expect(await customersOf({ searchTerm: 'clean' })).toHaveLength(3);
    expect(await customersOf({ searchTerm: 'dental cl', startDate: '2026-05-20' })).toEqual(['María José Núñez']);
  });

  test('are refused with a message per problem', async () => {
    const wrong = await preview({ startDate: '2026-05-02', endDate: '2026-05-01', minAmount: '2', maxAmount: '1' });
    expect([wrong.status, wrong.body.code, wrong.body.details]).toEqual([
      400,
      'VALIDATION',
      { endDate: problemCatalogue.REPORT_RANGE, maxAmount: problemCatalogue.AMOUNT_RANGE },
    ]);
    const unfit = [
      { size: '51' },
      { page: '0' },
      { status: 'lost' },
      { orderType: 'x' },
      { minAmount: 'ten' },
      { minAmount: '1e30' },
      { searchTerm: '\u0000' },
      { searchTerm: 'a' },
      { searchTerm: 't-' },
      { searchTerm: '%%%' },
      { startDate: '2026-13-01' },
    ];
    for (const query of unfit) expect((await preview(query as never)).status, JSON.stringify(query)).toBe(400);
    expect((await preview({ startDate: '1000-01-01', endDate: '9999-12-31' })).body.data.total).toBe(3);
  });

  test('select the same treatments for every page of the list', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => get(`/reports/orders?size=1&page=${page}`)));
    expect(pages.map(({ body }) => (body.data as unknown as ReportOrder[]).map(({ total }) => total))).toEqual([
      [20],
      [30],
      [40],
    ]);
    expect(pages[0]!.body.pagination).toEqual({ total: 3, page: 1, per_page: 1, totalPages: 3 });
  });
});

describe('finished days', () => {
  const marks = () => clinic.server.database.$count(staleDays);

  test('are stored at the first read, and not affected by sales of today', async () => {
    const before = await revenue();
    expect(await clinic.server.database.$count(dayFigures)).toBeGreaterThan(30);
    await clinic.tell(sale({ price: 5 }));
    expect(await marks()).toBe(0);
    expect(await revenue()).toBe(before + 5);
  });

  test('are counted again when a late fact changes them', async () => {
    const before = await revenue();
    await clinic.tell(sale({ price: 7, atMs: noon - 10 * dayMs, arrivesMs: noon }));
    expect(await marks()).toBeGreaterThan(0);
    expect(await revenue()).toBe(before + 7);
    expect(await marks()).toBe(0);
  });

  test('show an older treatment as completed when it is paid today', async () => {
    const [create, pay] = sale({ price: 11, atMs: noon - 8 * dayMs });
    await clinic.tell([create!]);
    const before = await clinic.ask<Analytics>('/reports/analytics?period=month', noon);
    await clinic.tell([{ ...pay!, atMs: noon, arrivesMs: noon }]);
    const after = await clinic.ask<Analytics>('/reports/analytics?period=month', noon);
    expect([
      after.completedOrders - before.completedOrders,
      after.byDay.find(({ day }) => day === '2026-05-12')!.revenue,
    ]).toEqual([1, 0]);
  });

  test('stay correct while late facts arrive and several readers count at the same time', async () => {
    const before = await revenue();
    const device = await TestDevice.enrol(clinic.server, 'manager');
    const headers = device.headers;
    const late = async (index: number) => {
      const created = device.create([line({ unit_price: 1 })], {
        occurred_at: new Date(noon - (5 + (index % 9)) * dayMs).toISOString(),
      });
      await device.send(created, device.pay(created, 1, {}, { occurred_at: created.occurred_at }));
    };
    const read = () => clinic.server.app.inject({ url: '/api/reports/analytics?period=month', headers });
    const replies = await Promise.all(
      Array.from({ length: 72 }, (_, index) => (index % 3 === 0 ? late(index) : read())),
    );
    expect(replies.flatMap((reply) => (reply ? [reply.statusCode] : []))).toEqual(Array(48).fill(200));
    expect(await revenue()).toBe(before + 24);
    expect(await marks()).toBe(0);
  });

  test('are counted for one clinic only', async () => {
    const { server } = clinic;
    const headers = {
      authorization: `Bearer ${await server.login('manager', { clinicId: await server.addClinic() })}`,
    };
    const reply = await server.app.inject({ url: '/api/reports/analytics?period=month', headers });
    expect(reply.json<{ data: Analytics }>().data).toMatchObject({ totalRevenue: { amount: 0 }, data: [] });
    const found = await server.app.inject({ url: '/api/reports/sales/preview?searchTerm=ana', headers });
    expect(found.json<{ data: SalesPreview }>().data.total).toBe(0);
  });
});

describe('all treatments that match', () => {
  const filters = { startDate: '2026-04-02', endDate: '2026-04-02' };
  const report = <T>(work: Parameters<typeof withOrderReport<T>>[2], signal = new AbortController().signal) =>
    withOrderReport(clinic.server.database.$client, { clinicId: clinic.server.clinicId, filters, signal }, work);
  /** More than one chunk of the reader. */
  const count = 620;

  beforeAll(async () => {
    const atMs = Date.parse('2026-04-02T08:00:00Z');
    await clinic.tell(
      Array.from(
        { length: count },
        (_, index) => sale({ price: 1 + index / 100, atMs: atMs + (index % 7) * 1000, arrivesMs: noon })[0]!,
      ),
    );
  });

  test('are returned once each, newest first, from the same snapshot as their sums', async () => {
    const rows = await report(async ({ count: announced, sums, rows: all }) => {
      expect([announced, sums]).toEqual([count, { count, total: 2538.9, paid: 0, refunded: 0 }]);
      const taken: ReportOrder[] = [];
      for await (const row of all) {
        if (taken.length === 0)
          await clinic.tell([sale({ atMs: Date.parse('2026-04-02T07:00:00Z'), arrivesMs: noon })[0]!]);
        taken.push(row);
      }
      return taken;
    });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    expect(rows.map(({ created_at }) => created_at)).toEqual(
      rows.map(({ created_at }) => created_at).toSorted((a, b) => (a < b ? 1 : -1)),
    );
  });

  test('stop and release the connection when the consumer aborts or stops reading', async () => {
    const { $client: pool } = clinic.server.database;
    const held = () => pool.totalCount - pool.idleCount;
    const stop = new AbortController();
    let taken = 0;
    const work = report(async ({ rows }) => {
      for await (const row of rows) if (row.id !== '' && ++taken === 3) stop.abort(new Error('The reader went away'));
    }, stop.signal);
    await expect(work).rejects.toThrow('The reader went away');
    expect(taken).toBe(500);
    await report(async ({ rows }) => {
      for await (const row of rows) if (row.id !== '') break;
    });
    // One connection listens for notifications. Other work of the server releases its connection soon.
    await expect.poll(held).toBe(1);
  });
});

test('a growth from nothing is new, in the language of the reader', async () => {
  await clinic.tell(sale({ price: 35, atMs: noon - 40 * dayMs }));
  const ask = (query: string) => clinic.ask<Analytics>(`/reports/analytics?period=today${query}`, noon - 40 * dayMs);
  expect(await ask('')).toMatchObject({
    totalRevenue: { amount: 35, previous: 0, comparisonText: 'New: nothing yesterday' },
    growthRate: { percentage: null, formattedPercentage: 'New' },
  });
  expect(await ask('&language=sp')).toMatchObject({
    totalRevenue: { comparisonText: 'Nuevo: ayer no hubo nada' },
    growthRate: { percentage: null, formattedPercentage: 'Nuevo' },
  });
  expect((await clinic.ask<DashboardStats>('/admin/dashboard/stats', noon - 40 * dayMs)).todaysRevenue).toMatchObject({
    comparisonText: 'New: nothing yesterday',
    percentageChange: null,
  });
});

test('a Monday is compared with the Saturday before, and a target gives each working day its part', async () => {
  // 2025-10-06 is a Monday. The clinic works on Mondays and Saturdays.
  const monday = Date.parse('2025-10-06T10:00:00Z');
  for (const [days, price] of [
    [14, 20],
    [9, 40],
    [7, 30],
    [2, 120],
    [0, 90],
  ] as const)
    await clinic.tell(sale({ price, atMs: monday - days * dayMs }));
  const read = <T>(url: string) => clinic.ask<T>(url, monday + 3_600_000);
  const stats = () => read<DashboardStats>('/admin/dashboard/stats');
  expect(await stats()).toMatchObject({
    comparedDay: '2025-10-04',
    todaysOrders: { count: 1, previous: 1 },
    todaysRevenue: { amount: 90, previous: 120, percentageChange: -25, comparisonText: '-25,0\u00a0% vs Saturday' },
    target: null,
  });
  const today = await read<Analytics>('/reports/analytics?period=today&language=sp');
  expect(today).toMatchObject({
    comparedRange: { start: '2025-10-04', end: '2025-10-04' },
    totalRevenue: { previous: 120, comparisonText: '-25,0\u00a0% respecto al sábado' },
  });
  expect(await read<Analytics>('/reports/analytics?period=today&compare=weekdays')).toMatchObject({
    comparedRange: { start: '2025-09-29', end: '2025-09-29' },
    totalRevenue: { previous: 30, comparisonText: '+200,0\u00a0% vs last Monday' },
  });

  await clinic.change({ month_target: 800 });
  // October has four Mondays and four Saturdays.
  const target = { month: 800, day: 100, reached: 210 };
  expect((await stats()).target).toEqual(target);
  expect((await read<Analytics>('/reports/analytics?period=month&compare=year')).target).toEqual(target);
  await clinic.change({ month_target: 0 });
});

test('a report finds as served, and calls so, the open treatments with every item served', async () => {
  expect(await customersOf({ status: 'served' })).toEqual([]);
  const [open] = sale({ price: 70, customer: 'Waiting to pay', atMs: noon + 1000 });
  await clinic.tell([open!]);
  expect(await customersOf({ status: 'confirmed', searchTerm: 'waiting' })).toEqual(['Waiting to pay']);
  await clinic.server.database.$client.query(
    `update order_lines set preparation = 'served' where order_id in
      (select id from orders where customer_name in ('Waiting to pay', 'María José Núñez'))`,
  );
  // A paid treatment stays completed.
  expect((await preview({ status: 'served' })).body.data).toMatchObject({
    data: [{ customer_name: 'Waiting to pay', status: 'served' }],
    total: 1,
    sums: { count: 1, total: 70, paid: 0, refunded: 0 },
  });
  expect((await preview({ status: 'confirmed', searchTerm: 'waiting' })).body.data).toMatchObject({ total: 0 });
  const { data } = (await preview({})).body.data;
  expect(data.find(({ customer_name }) => customer_name === 'Waiting to pay')?.status).toBe('served');
  expect(data.map(({ status }) => status)).toContain('completed');
});
