import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasMoved } from '#server/db/home-cluster.ts';
import { migrate } from '#server/db/migrate.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { TestDevice } from '#tests/support/device.ts';
import { asSuperuser } from '#tests/support/superuser.ts';

let server: TestServer;
let tablet: TestDevice;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

const query = async <T>(text: string): Promise<T[]> => (await server.database.$client.query(text)).rows as T[];
const readiness = async () => (await server.app.inject({ url: '/api/ready' })).statusCode;

/** Puts the numbers of another cluster, whose transactions are far ahead, on half of the rows, as a dump brings them. */
const bringNumbers = async () => {
  for (const table of ['orders', 'stock_items', 'settings'])
    await query(
      `alter table ${table} alter column xid type xid8 using case when ctid < '(0,30)' then '900000000'::xid8 else xid end`,
    );
};

test('SYNC-16 data of another cluster get numbers and an epoch of this one, and a tablet its rows and a settled sale again', async () => {
  const sale = tablet.create();
  await tablet.send(sale);
  const before = await tablet.pull();
  await bringNumbers();
  await query(`update home_cluster set system_identifier = '1'`);
  expect(await readiness()).toBe(503);
  // What a tablet got without the cure.
  expect((await tablet.pull()).rows.settings).toBe(null);

  expect(await migrate(server.connectionString)).toMatchObject({ moved: true });
  expect(await readiness()).toBe(200);
  const after = await tablet.pull();
  expect(after.epoch).not.toBe(before.epoch);
  expect(after.rows.settings).toEqual(before.rows.settings);
  expect(after.rows.stock.length).toBe(before.rows.stock.length);
  expect(after.rows.orders.map(({ id }) => id).sort()).toEqual(before.rows.orders.map(({ id }) => id).sort());
  const gone = await server.app.inject({
    url: `/api/sync/changes?cursor=${encodeURIComponent(before.cursor)}`,
    headers: tablet.headers,
  });
  expect(gone.json().code).toBe('CURSOR_GONE');
  // Sent again, the sale is still the one sale.
  expect(await tablet.send(sale)).toMatchObject([{ status: 'applied' }]);
  expect(await query(`select from orders where id = '${sale.payload.order_id}'`)).toHaveLength(1);
  expect(await migrate(server.connectionString)).toMatchObject({ moved: false });
});

test('rows ahead of the cluster are noticed where the role may not ask which cluster it is', async () => {
  const withhold = (how: 'revoke' | 'grant') =>
    asSuperuser(server.connectionString, async (client) => {
      await client.query(`${how} execute on function pg_control_system() ${how === 'grant' ? 'to' : 'from'} public`);
    });
  await withhold('revoke');
  try {
    expect(await hasMoved(server.database.$client)).toBe(false);
    await bringNumbers();
    expect(await migrate(server.connectionString)).toMatchObject({ moved: true });
    expect((await tablet.pull()).rows.settings).not.toBe(null);
    expect(await query('select system_identifier as id from home_cluster')).toEqual([{ id: null }]);
  } finally {
    await withhold('grant');
  }
  // That the role may ask now moves nothing.
  expect(await migrate(server.connectionString)).toMatchObject({ moved: false });
});

test.each([
  ['a copy within the cluster', 'database_oid'],
  ['a dump put back in its own database', 'table_oid'],
])('%s begins a new epoch, because tablets may have seen more', async (_how, part) => {
  const { epoch } = await tablet.pull();
  await query(`update home_cluster set ${part} = ${part} + 1`);
  expect(await migrate(server.connectionString)).toMatchObject({ moved: true });
  expect((await tablet.pull()).epoch).not.toBe(epoch);
});

test('data without the rights of the second role get them back', async () => {
  await query('revoke all on all tables in schema public from dental_counter_clinic');
  await query('update home_cluster set database_oid = 1');
  await migrate(server.connectionString);
  const headers = { authorization: `Bearer ${await server.login('admin')}` };
  expect((await server.app.inject({ url: '/api/products', headers })).statusCode).toBe(200);
  const rights = await query<{ may: boolean }>(
    `select has_table_privilege('dental_counter_clinic', 'audit_log', 'update') or has_table_privilege('dental_counter_clinic', 'home_cluster', 'select') as may`,
  );
  expect(rights).toEqual([{ may: false }]);
});
