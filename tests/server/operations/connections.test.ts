/** Batches and the connections to the database: whose break leaves nothing half done, and of which a clinic takes a few. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { openDatabase } from '#server/db/database.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
/** Two items of which there is a stock. */
let items: number[];
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  const found = await server.database.$client.query<{ id: number }>(
    'select id::int as id from stock_items where clinic_id = $1 and is_stocked and deleted_at is null order by id limit 2',
    [server.clinicId],
  );
  items = found.rows.map(({ id }) => id);
});
afterAll(() => server.close());

const batch = (device: TestDevice, operations: readonly AnyOperation[], query = '') =>
  server.app.inject({
    method: 'POST',
    url: `/api/sync/batch${query}`,
    headers: device.headers,
    payload: { operations: device.signed(operations) },
  });

/** A sale of two items, which other tablets sell in the opposite order. */
function sale(device: TestDevice, index: number): AnyOperation[] {
  const stockIds = index % 2 === 0 ? items : items.toReversed();
  const created = device.create(stockIds.map((stock_id) => line({ stock_id, unit_price: 1 })));
  return [created, device.pay(created, 2)];
}

test('connections that break while batches run leave each sale once, and each batch is answered or to be sent again', async () => {
  const tablets = await Promise.all(Array.from({ length: 8 }, () => TestDevice.enrol(server)));
  const killer = openDatabase(server.connectionString).$client;
  const statuses = new Set<number>();
  let left = tablets.length;
  const sell = async (device: TestDevice, index: number) => {
    for (let count = 0; count < 4; count += 1) {
      const operations = sale(device, index);
      for (;;) {
        const reply = await batch(device, operations, '?waiting=1');
        statuses.add(reply.statusCode);
        const { data } = reply.json<{ data?: { results: { status: string }[] } }>();
        if (data?.results.every(({ status }) => status === 'applied')) break;
        expect([200, 503], reply.body).toContain(reply.statusCode);
      }
    }
    left -= 1;
  };
  const kill = async () => {
    for (let round = 0; left > 0; round += 1) {
      // PostgreSQL's own processes, such as autovacuum's, run as another user, who may end them.
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and pid % 3 = $1`,
        [round % 3],
      );
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  };
  await Promise.all([kill(), ...tablets.map(sell)]);
  await killer.end();
  expect(statuses).toEqual(new Set([200, 503]));
  const { rows } = await server.database.$client.query(
    `select count(*)::int as sales, count(distinct o.op_id)::int as ids, sum(o.paid_minor)::int as paid,
       (select count(*)::int from stock_transactions t where t.reference_type = 'order' and t.clinic_id = o.clinic_id
          and t.device_id = any($2::int[])) as used
     from orders o where o.clinic_id = $1 and o.device_id = any($2::int[]) group by o.clinic_id`,
    [server.clinicId, tablets.map(({ info }) => info.device_id)],
  );
  const sales = tablets.length * 4;
  expect(rows).toEqual([{ sales, ids: sales, paid: sales * 200, used: sales * 2 }]);
});

test('the batches of a clinic take a few connections, with the feed that they bring', async () => {
  const device = await TestDevice.enrol(server);
  const { cursor } = await device.pull();
  const pool = server.database.$client;
  const connect = pool.connect.bind(pool);
  let taken = 0;
  let most = 0;
  const counting = async () => {
    const client: PoolClient = await connect();
    most = Math.max(most, (taken += 1));
    const release = client.release.bind(client);
    client.release = (broken) => {
      taken -= 1;
      release(broken);
    };
    return client;
  };
  // Only transactions ask without a callback.
  pool.connect = ((callback?: never) => (callback ? connect(callback) : counting())) as typeof pool.connect;
  try {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => batch(device, sale(device, index), `?cursor=${cursor}`)),
    );
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  } finally {
    pool.connect = connect;
  }
  // Four, and the one that listens for changes, if the test before has broken it.
  expect(most).toBeLessThanOrEqual(5);
});
