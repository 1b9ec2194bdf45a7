import { afterAll, beforeAll, it } from 'vitest';
import { startTestServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
let server: TestServer; let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.login('manager');
  const other = await server.addClinic();
  for (const clinic of [server.clinicId, other]) await server.database.$client.query(`insert into expenses (clinic_id, title, description, search_key, amount_minor, category, expense_date, status, submitted_by, decided_by)
    select $1, 'Invoice ' || i, 'Supplies for the surgery and the front desk, delivery ' || md5(i::text), 'invoice ' || i || ' supplies for the surgery and the front desk, delivery ' || md5(i::text), (i * 7919) % 500000,
      (array['utilities','rent','salaries','supplies','maintenance','marketing','transportation','equipment','food_ingredients','other'])[1 + i % 10], current_date - (i % 1460), (array['approved','approved','approved','pending','rejected'])[1 + i % 5], 1, 1 from generate_series(1, 100000) i`, [clinic]);
  await new Promise((r) => setTimeout(r, 2000));
  await server.database.$client.query('vacuum analyze expenses');
}, 120_000);
afterAll(() => server.close());
it('measures', async () => {
  const day = (n: number) => new Date(Date.now() - n * 86400000).toISOString().slice(0, 10);
  console.log((await server.database.$client.query("select relpages, reltuples, relallvisible from pg_class where relname='expenses'")).rows);
  const tick = () => { const at = process.cpuUsage(); return () => { const { user, system } = process.cpuUsage(at); return (user + system) / 1000; }; };
  for (const path of ['/expenses', '/expenses?page=2500', '/expenses?status=pending', '/expenses?category=rent&status=rejected', `/expenses?start_date=${day(30)}&end_date=${day(0)}`, '/expenses?search=front+desk', '/expenses?search=c4ca42', '/expenses?search=nothinglikeit', '/expenses?search=invoice+777&status=approved', '/expenses/summary']) {
    const times: number[] = []; const used = tick();
    for (let i = 0; i < 45; i++) {
      const at = performance.now();
      const r = await server.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${token}` } });
      if (r.statusCode !== 200) throw new Error(r.body);
      if (i >= 5) times.push(performance.now() - at);
    }
    times.sort((a, b) => a - b);
    console.log(path, 'min', times[0]!.toFixed(1), 'p50', times[Math.floor(times.length * 0.5)]!.toFixed(1), 'p95', times[Math.floor(times.length * 0.95)]!.toFixed(1), 'node cpu', (used() / 45).toFixed(1));
  }
  for (const search of ['', "and ' ' || search_key like '% nothinglikeit%'"]) {
    const { rows } = await server.database.$client.query(`explain (analyze, buffers) with matching as materialized (select id, expense_date from expenses where clinic_id = $1 and deleted_at is null ${search}), page as (select id from matching order by expense_date desc, id desc limit 20) select (select count(*)::int from matching), (select json_agg(e.title) from page join expenses e on e.clinic_id = $1 and e.id = page.id)`, [server.clinicId]);
    console.log(rows.map((r: Record<string, string>) => r['QUERY PLAN']).join('\n'));
  }
}, 200_000);
