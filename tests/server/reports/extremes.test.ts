import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SalesPreview } from '#domain/report/resources.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

let server: TestServer;
let manager: TestDevice;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const run = (sql: string, ...values: unknown[]) => server.database.$client.query(sql, values);
async function ask(url: string): Promise<{ status: number; data: SalesPreview }> {
  const reply = await server.app.inject({ url: `/api${url}`, headers: manager.headers });
  return { status: reply.statusCode, data: reply.json<{ data: SalesPreview }>().data };
}
const preview = (query = '') => ask(`/reports/sales/preview${query}`);

test('a treatment of the year 1000 is counted and costs the reports no thousand years of days', async () => {
  const before = await preview();
  const moved = await run(
    `update orders set business_day = '1000-01-01' where id = (select id from orders where clinic_id = $1 and status = 'completed' order by created_at desc limit 1)`,
    server.clinicId,
  );
  expect(moved.rowCount).toBe(1);
  for (const query of ['', '?startDate=1000-01-01', '?minAmount=0']) {
    const after = await preview(query);
    expect({ total: after.data.total, sums: after.data.sums }).toEqual({
      total: before.data.total,
      sums: before.data.sums,
    });
    expect(await quietTime(() => preview(query))).toBeLessThan(1500);
  }
  expect((await preview('?startDate=1000-01-02')).data.total).toBe(before.data.total - 1);
  expect((await preview('?endDate=1000-01-01')).data.total).toBe(1);
  expect((await preview('?startDate=0999-01-01&endDate=0999-12-31')).status).toBe(400);
});

test('an invoice of the year 1000 and one of the year 9000 stand in the book, which costs no weeks between them', async () => {
  const { rows } = await run(
    `insert into invoices (id, clinic_id, order_id, position, op_id, number, document, issued_at)
     select gen_random_uuid(), i.clinic_id, i.order_id, 9, gen_random_uuid(), 'ODD-' || year,
       i.document || '{"device_id": 1, "total_amount": 0}' || jsonb_build_object('number', 'ODD-' || year, 'issued_at', at), at::timestamptz
     from (select * from invoices where clinic_id = $1 limit 1) i,
       (values (1000, '1000-01-01T12:00:00Z'), (9000, '9000-01-01T12:00:00Z')) as odd(year, at) returning number`,
    server.clinicId,
  );
  expect(rows).toHaveLength(2);
  const period = { startDate: '1000-01-01', endDate: '9999-12-31' };
  const book = (path: string, method: 'GET' | 'POST' = 'GET') =>
    server.app.inject({
      method,
      url: `/api/reports/book${path}`,
      headers: manager.headers,
      ...(method === 'POST' && { payload: period }),
    });
  const spent = await quietTime(() => book(`?${new URLSearchParams(period)}`));
  const file = () => book('/export/csv', 'POST');
  const spentOnFile = await quietTime(file);
  console.info(`The book of 9,000 years: ${Math.round(spent)} ms, its file: ${Math.round(spentOnFile)} ms.`);
  expect(Math.max(spent, spentOnFile)).toBeLessThan(1500);
  const { body } = await file();
  expect(body).toContain('ODD-1000');
  expect(body).toContain('ODD-9000');
});

test('sums answer whatever is stored', async () => {
  await run(
    `update orders set total_minor = 4e18, subtotal_minor = 4e18, paid_minor = 4e18, discount_minor = 4e18 where clinic_id = $1`,
    server.clinicId,
  );
  await run('update payments set amount_minor = 4e18 where clinic_id = $1', server.clinicId);
  await run('update order_lines set total_minor = 4e18, quantity_milli = 4e18 where clinic_id = $1', server.clinicId);
  await run('update stock_items set quantity_milli = 4e18, cost_minor = 4e18 where clinic_id = $1', server.clinicId);
  for (const url of [
    '/reports/analytics',
    '/reports/analytics?period=month',
    '/reports/day-end',
    '/reports/orders',
    '/reports/uninvoiced',
    '/reports/book?startDate=1000-01-01&endDate=2026-12-31',
    '/reports/removals',
    '/reports/sales/taxes',
    '/reports/sales/preview?minAmount=1',
    '/admin/dashboard/stats',
    '/admin/dashboard/income-report',
    '/stock/inventory/report',
    '/stock/inventory/transactions/stats',
    '/stock/stats',
  ])
    expect([url, (await ask(url)).status]).toEqual([url, 200]);
});
