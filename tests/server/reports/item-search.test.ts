/** Compares searches for services, and sums by amount, over more treatments than are looked through one by one, with plain SQL. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysAfter } from '#domain/business-day.ts';
import type { SalesPreview } from '#domain/report/resources.ts';
import { monthAmounts, monthItems, storedMonths } from '#server/db/schema/reports.ts';
import { ReportClinic } from './clinic.ts';
import { expectedSums } from './expected-sums.ts';
import type { SummedRow } from './expected-sums.ts';

const today = '2026-05-20';
const noon = Date.parse(`${today}T10:00:00Z`);
const days = 100;
const count = 14_000;
const items = ['Cleaning', 'Deep cleaning', 'Clean bite', 'X-ray', 'Seal', 'Whitening'];

let clinic: ReportClinic;
const run = <T extends object>(text: string, ...values: unknown[]) =>
  clinic.server.database.$client.query<T>(text, values).then(({ rows }) => rows);

beforeAll(async () => {
  clinic = await ReportClinic.open(noon);
  const { clinicId } = clinic.server;
  await run(
    `insert into stock_items (clinic_id, id, name, search_key) overriding system value
     select $1, n, name, lower(name) from unnest($2::text[]) with ordinality as named (name, n) where n < 6`,
    clinicId,
    items,
  );
  await run(
    `insert into products (clinic_id, id, name, search_key, price_minor) overriding system value values ($1, 3, $2, lower($2), 100)`,
    clinicId,
    items[5],
  );
  // Prices, types and services repeat with different periods, so that every combination occurs.
  await run(
    `insert into orders (clinic_id, id, number, type, status, customer_name, currency, subtotal_minor, total_minor, paid_minor, balance_minor,
       created_at, business_day, created_by, device_id, received_at, updated_at)
     select $1, md5(n::text)::uuid, 'T-Z-' || n, (array['walk_in', 'emergency', 'delivery'])[1 + n % 3],
       (array['completed', 'completed', 'cancelled', 'confirmed', 'completed'])[1 + n % 5], case when n % 211 = 0 then 'Clea Ruiz' else '' end, case when n % 23 = 0 then 'LKR' else 'EUR' end,
       500 + n % 41 * 50, 500 + n % 41 * 50, case when n % 5 in (0, 1, 4) then 500 + n % 41 * 50 else 0 end, 0, at, at::date, 1, 1, at, at
     from generate_series(1, $2::int) n, lateral (select $3::date - n % $4::int + interval '8 hours' + n * interval '1 second' as at) made`,
    clinicId,
    count,
    today,
    days,
  );
  // The first service is sold with others; one is sold in old times only.
  await run(
    `insert into order_lines (clinic_id, id, order_id, position, stock_id, product_id, name, quantity_milli, unit_price_minor, total_minor, earned_minor, op_id, removed)
     select $1, md5(n || '/' || l)::uuid, md5(n::text)::uuid, l, nullif(item, 6), case when item = 6 then 3 end, 'as sold', 1000, 1, 1, 1, md5(n || '/' || l)::uuid, n % 17 = 0 and l > 0
     from generate_series(1, $2::int) n, generate_series(0, n % 3) l,
       lateral (select case when n % $3::int > 70 and l = 0 then 4 else (array[1, 2, 3, 5, 6, 6, 6, 5])[1 + (n + l * 3) % 8] end as item) sold`,
    clinicId,
    count,
    days,
  );
  await run(
    `insert into payments (clinic_id, id, order_id, position, op_id, method, amount_minor, tendered_minor, change_minor, actor_id, device_id, effective_at, business_day, received_at)
     select clinic_id, md5(id || 'refund')::uuid, id, 0, md5(id || 'refund')::uuid, 'cash', -100, 0, 0, 1, 1, created_at, business_day, created_at
     from orders where clinic_id = $1 and right(number, 1) = '7'`,
    clinicId,
  );
  await run('delete from stale_days');
  await run('analyze');
});
afterAll(() => clinic.close());

type Filters = Partial<
  Record<'searchTerm' | 'orderType' | 'status' | 'startDate' | 'endDate' | 'minAmount' | 'maxAmount', string>
>;

/** Compares one page. @param found condition on a treatment `o` that finds what the term finds */
async function compare(filters: Filters, found: string, page = 1): Promise<number> {
  const { orderType, status, startDate, endDate, minAmount, maxAmount } = filters;
  const query = new URLSearchParams({ ...filters, size: '20', page: String(page) }).toString();
  const { data, total, ...sums } = await clinic.ask<SalesPreview>(`/reports/sales/preview?${query}`, noon);
  const [expected] = await run<{ rows: SummedRow[]; ids: string[] }>(
    `with found as (
       select o.*, (select coalesce(sum(-p.amount_minor), 0) from payments p where p.order_id = o.id and p.amount_minor < 0) as refunded from orders o
       where clinic_id = $1 and ($2::text is null or type = $2) and ($3::text is null or status = $3) and business_day between coalesce($4::date, '-infinity') and coalesce($5::date, 'infinity')
         and total_minor / 100.0 between coalesce($6::numeric, 0) and coalesce($7::numeric, 1e9) and ${found})
     select coalesce(json_agg(json_build_object('currency', currency, 'isCancelled', status = 'cancelled', 'total', total_minor / 100.0,
       'paid', (paid_minor + refunded) / 100.0, 'refunded', refunded / 100.0)), '[]') as rows,
       array(select id from found order by business_day desc, created_at desc, id desc limit 20 offset ${(page - 1) * 20}) as ids from found`,
    clinic.server.clinicId,
    orderType,
    status,
    startDate,
    endDate,
    minAmount,
    maxAmount,
  );
  const { rows, ids } = expected!;
  expect({ filters, page, total, sums, ids: data.map(({ id }) => id) }).toEqual({
    filters,
    page,
    total: rows.length,
    sums: expectedSums(rows),
    ids,
  });
  return total;
}

const sells = (...names: string[]) =>
  `exists (select from order_lines l where l.order_id = o.id and not l.removed and (${names
    .map((name) => (name === 'Whitening' ? 'l.product_id = 3' : `l.stock_id = ${items.indexOf(name) + 1}`))
    .join(' or ')}))`;
const clean = `(${sells('Cleaning', 'Deep cleaning', 'Clean bite')} or o.customer_name like 'Clea%')`;

async function compareAll(): Promise<void> {
  // Pages of the newest days, and of days long ago.
  expect(await compare({ searchTerm: 'clea' }, clean)).toBeGreaterThan(5000);
  expect(await compare({ searchTerm: 'whit' }, sells('Whitening'), 7)).toBeGreaterThan(5000);
  for (const page of [2, 40, 200]) await compare({ searchTerm: 'clea' }, clean, page);
  // A service of old times, also on its last page and beyond.
  const old = await compare({ searchTerm: 'x-ray' }, sells('X-ray'));
  for (const page of [Math.ceil(old / 20), Math.ceil(old / 20) + 1])
    await compare({ searchTerm: 'x-ray' }, sells('X-ray'), page);
  for (const orderType of ['walk_in', 'emergency']) await compare({ searchTerm: 'clea', orderType }, clean);
  for (const status of ['completed', 'cancelled', 'confirmed'])
    await compare({ searchTerm: 'whit', status }, sells('Whitening'));
  await compare({ searchTerm: 'clea', startDate: '2026-03-05', endDate: '2026-04-30' }, clean);
  await compare({ searchTerm: 'clea', minAmount: '7', orderType: 'delivery' }, clean);
  for (const filters of [
    {},
    { orderType: 'walk_in' },
    { status: 'cancelled' },
    { orderType: 'delivery', status: 'completed' },
  ])
    for (const amounts of [
      { minAmount: '8.5' },
      { maxAmount: '12' },
      { minAmount: '6', maxAmount: '20.5', startDate: '2026-02-20' },
    ])
      await compare({ ...filters, ...amounts }, 'true');
}

const countStored = () =>
  Promise.all([storedMonths, monthItems, monthAmounts].map((table) => clinic.server.database.$count(table)));

test('searches for services and sums by amount equal a full scan, before and after late facts', async () => {
  await compareAll();
  const before = await countStored();
  // February to April; May is not over.
  expect(before[0]).toBe(3);
  expect(Math.min(...before)).toBeGreaterThan(2);
  // Late facts: another total, another status, a line that a change removed.
  const { clinicId } = clinic.server;
  const late = [10, 40, 75].map((ago) => daysAfter(today, -ago));
  await run(
    `update order_lines l set removed = true from orders o where o.clinic_id = $1 and l.order_id = o.id and o.business_day = any($2::date[]) and l.position = 0`,
    clinicId,
    late,
  );
  await run(
    `update orders set total_minor = total_minor + 150, status = case status when 'completed' then 'cancelled' else status end, updated_at = $3
     where clinic_id = $1 and business_day = any($2::date[])`,
    clinicId,
    late,
    new Date(noon),
  );
  await compareAll();
  expect((await countStored())[0]).toBe(3);
});
