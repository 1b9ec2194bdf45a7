/** The second wall between clinics: what a request sees when a query forgets its `clinic_id` (decision 046). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clinicRole } from '#server/db/clinic-role.ts';
import { acrossClinics, openDatabase, withinClinic } from '#server/db/database.ts';
import { isOutage, inTransaction } from '#server/db/transaction.ts';
import { projectRoot } from '#server/project-root.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem } from '#tests/support/stock.ts';

let server: TestServer;
let north: number;
let south: number;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  north = server.clinicId;
  south = await server.addClinic();
  await insertStockItem({ database: server.database, clinicId: south }, { name: 'SOUTH item' });
});
afterAll(() => server.close());

const across = () => acrossClinics(server.database);
const within = (clinicId: number) => withinClinic(server.database, clinicId);

/** Tables that belong to no clinic, with the reason. `clinics` has a policy of its own. */
const ofNoClinic: Record<string, string> = {
  fiscal_inquiries: 'what the tax agency is asked of a taxpayer',
  fiscal_senders: 'the pace of a taxpayer, who may have several clinics',
  forgotten_prefixes: 'letters of codes that a restore made the installation forget',
  guesses: 'attempts before anybody is known to be of a clinic',
  home_cluster: 'where the data of all clinics are',
  installation: 'what all clinics of an installation share',
  taxpayer_codes: 'the sequence of codes of a taxpayer, who may have several clinics',
};

async function tables(): Promise<{ name: string; isApart: boolean; column: string | null }[]> {
  const { rows } = await across().query(`
    select t.relname as name, a.attname as column,
      t.relrowsecurity and exists (select from pg_policies p where p.tablename = t.relname and p.permissive = 'PERMISSIVE'
        and p.roles = '{public}' and p.cmd = 'ALL' and p.with_check is null
        and p.qual like '(' || coalesce(a.attname, 'id') || ' = (current_setting(''dental_counter.clinic''::text))::integer)') as "isApart"
    from pg_class t left join pg_attribute a on a.attrelid = t.oid and a.attname = 'clinic_id'
    where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace order by 1`);
  return rows;
}

test('every table is under the policy of its clinic, or belongs to none for a reason', async () => {
  const found = await tables();
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter(({ isApart }) => !isApart).map(({ name }) => name)).toEqual(Object.keys(ofNoClinic));
});

test('a query without its clinic sees, changes and deletes nothing of another clinic, in any table', async () => {
  const apart = (await tables()).filter(({ isApart }) => isApart);
  let seen = 0;
  for (const { name, column } of apart) {
    const of = column ?? 'id';
    const { rows } = await within(north).query(`select distinct ${of} as clinic from ${name}`);
    const { rows: all } = await across().query(`select distinct ${of} as clinic from ${name}`);
    expect([name, rows.filter(({ clinic }) => clinic !== north)]).toEqual([name, []]);
    expect([name, rows.length]).toEqual([name, all.filter(({ clinic }) => clinic === north).length]);
    if (rows.length > 0) seen += 1;
    // The condition always holds, so these would reach all rows but for the policy.
    const { rowCount } = await within(south).query(`select from ${name} where ${of} = ${north}`);
    expect([name, rowCount]).toEqual([name, 0]);
  }
  expect(seen).toBeGreaterThan(25);
  const names = async () => (await across().query('select clinic_id, name from categories order by 1, 2')).rows;
  const before = await names();
  await within(south).query(`update categories set name = 'ours'`);
  await within(south).query('delete from former_prices');
  expect(await names()).toEqual(before);
  await expect(
    within(south).query(`update settings set clinic_id = ${north} where clinic_id = ${south}`),
  ).rejects.toThrow('violates row-level security policy');
  await expect(
    within(south).query(`insert into categories (clinic_id, name) values (${north}, 'OURS')`),
  ).rejects.toThrow('violates row-level security policy');
});

describe('a connection', () => {
  test('shows each borrower their own clinic, in whatever order they come', async () => {
    const database = openDatabase(server.connectionString);
    try {
      const seen = await Promise.all(
        Array.from({ length: 60 }, async (_, turn) => {
          const clinic = [north, south, null][turn % 3]!;
          const pool = clinic === null ? acrossClinics(database) : withinClinic(database, clinic);
          const text = 'select coalesce(array_agg(id order by id), array[]::int[]) as ids from clinics';
          const { rows } =
            turn % 2 === 0 ? await pool.query(text) : await inTransaction(pool, async (sql) => sql.query(text));
          return [clinic, rows[0].ids];
        }),
      );
      for (const [clinic, ids] of seen)
        expect([clinic, ids]).toEqual([clinic, clinic === null ? [north, south] : [clinic]]);
    } finally {
      await database.$client.end();
    }
  });

  test('of a clinic owns nothing: it changes no table, no trigger and no policy', async () => {
    for (const statement of [
      'drop table rooms',
      'truncate rooms',
      'alter table rooms disable row level security',
      'alter table audit_log disable trigger user',
      'create table public.mine (id int)',
      `update invoices set document = '{}'`,
      'select * from installation',
      'select * from guesses',
    ])
      await expect(within(north).query(statement), statement).rejects.toMatchObject({ code: '42501' });
  });

  test('of a clinic has limits, and the one of all clinics has none', async () => {
    const shown = async (pool: ReturnType<typeof across>) =>
      (
        await pool.query(`select current_user as role, current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`)
      ).rows[0];
    expect(await shown(within(north) as ReturnType<typeof across>)).toEqual({
      role: clinicRole,
      statement: '50s',
      lock: '30s',
      idle: '1min',
    });
    expect(await shown(across())).toMatchObject({ role: 'dental_counter', statement: '0', lock: '0' });
  });

  test('whose limit ends a statement reports an outage, so that the tablet tries again', async () => {
    for (const [setting, statement] of [
      ['statement_timeout', 'select pg_sleep(5)'],
      ['lock_timeout', 'select pg_advisory_xact_lock(46)'],
    ] as const) {
      const holder = await across().connect();
      await holder.query('begin; select pg_advisory_xact_lock(46)');
      const failed = await inTransaction(within(north), async (sql) => {
        await sql.query(`set local ${setting} = '20ms'`);
        await sql.query(statement);
      }).catch((error: unknown) => error);
      await holder.query('rollback');
      holder.release();
      expect([setting, isOutage(failed)]).toEqual([setting, true]);
    }
  });
});

/** Who sees all clinics, and why. */
const seesAll: Record<string, string> = {
  'server/events/routes.ts': 'the streams of all clinics',
  'server/first-start.ts': 'before anybody is of a clinic',
  'server/main.ts': 'before anybody is of a clinic',
  'server/modules/alerts/sweep.ts': 'a job that goes from clinic to clinic',
  'server/modules/clinics/routes.ts': 'the sign-in page',
  'server/modules/devices/service.ts': 'the ids of devices, which all clinics share',
  'server/modules/fiscal/checks.ts': 'a job that goes from clinic to clinic',
  'server/modules/fiscal/records-routes.ts': 'whether the installation has several taxpayers',
  'server/modules/fiscal/sender.ts': 'a job that goes from clinic to clinic',
  'server/modules/health/routes.ts': 'the installation as a whole',
  'server/modules/notifications/email-job.ts': 'a job that goes from clinic to clinic',
  'server/modules/patients/sweep.ts': 'a job that goes from clinic to clinic',
  'server/modules/uploads/space.ts': 'the disk, which all clinics share',
  'server/modules/uploads/sweep.ts': 'a job that goes from clinic to clinic',
  'server/modules/users/device-keys.ts': 'a device that shows its key, and names no clinic',
  'server/modules/users/service.ts': 'a sign-in, which names no clinic',
  'server/modules/users/throttle.ts': 'guesses, which belong to no clinic',
};

test('only these files see all clinics', () => {
  const files = readdirSync(path.join(projectRoot, 'server'), { recursive: true, encoding: 'utf8' })
    .map((name) => `server/${name}`)
    .filter((name) => name.endsWith('.ts') && !name.startsWith('server/db/'));
  const sourceOf = (name: string) => readFileSync(path.join(projectRoot, name), 'utf8');
  expect(files.filter((name) => sourceOf(name).includes('acrossClinics(')).sort()).toEqual(Object.keys(seesAll));
  // Nothing else reaches the pool; the tools and the end of the process open and close it.
  expect(files.filter((name) => sourceOf(name).includes('.$client')).sort()).toEqual([
    'server/main.ts',
    'server/tools.ts',
  ]);
});

test('SECURITY only the clinics that were asked for last are kept, whatever numbers somebody asks for', () => {
  const first = within(north);
  expect(within(north)).toBe(first);
  for (let asked = 1; asked <= 5000; asked += 1) {
    within(1_000_000 + asked);
    if (asked === 500) expect(within(north)).toBe(first);
  }
  expect(within(north)).not.toBe(first);
});
