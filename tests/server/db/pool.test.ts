/** Two proxies to one database represent two servers: one that can fail, and one that can be promoted. */
import { afterAll, beforeAll, expect, test as base } from 'vitest';
import type { TestContext } from 'vitest';
import { addressesOf, onConnection, PrimaryPool } from '#server/db/pool.ts';
import { DatabaseUnavailable, inTransaction } from '#server/db/transaction.ts';
import { freshDatabase } from '#tests/support/database.ts';
import type { FreshDatabase } from '#tests/support/database.ts';
import { socketAddress, throughWays, Way } from '#tests/support/way-to-database.ts';

let database: FreshDatabase;
/** Connects without a proxy. */
let direct: PrimaryPool;
beforeAll(async () => {
  database = await freshDatabase();
  direct = new PrimaryPool(database.connectionString);
});
afterAll(async () => {
  await direct.end();
  await database.drop();
});

interface TwoServers {
  first: Way;
  second: Way;
  /** The connection string with both. */
  both: string;
  pool: PrimaryPool;
  answer: () => Promise<unknown[]>;
}

const way = async ({ onTestFinished }: TestContext, use: (way: Way) => Promise<void>) => {
  const made = await Way.to(database.connectionString);
  onTestFinished(() => made.close());
  await use(made);
};

const test = base.extend<TwoServers>({
  first: way,
  second: way,
  both: async ({ first, second }, use) => {
    await use(throughWays(database.connectionString, [first, second]));
  },
  pool: async ({ both }, use) => {
    const pool = new PrimaryPool(both);
    await use(pool);
    await pool.end();
  },
  answer: ({ pool }, use) => use(() => pool.query('select 1 as one').then(({ rows }: { rows: unknown[] }) => rows)),
});

/** Makes the database refuse writes for a while, as a standby does. */
async function whileStandby(work: () => Promise<void>): Promise<void> {
  const name = socketAddress(database.connectionString).pathname.slice(1);
  await direct.query(`alter database ${name} set default_transaction_read_only = on`);
  try {
    await work();
  } finally {
    await direct.query(`alter database ${name} set default_transaction_read_only = off`);
  }
}

test('reads a connection string as libpq does', () => {
  expect(addressesOf('postgres://u:p%40ss@a:5432,b,[::1]:5433/clinic?sslmode=verify-full')).toEqual([
    'postgres://u:p%40ss@a:5432/clinic?sslmode=verify-full',
    'postgres://u:p%40ss@b/clinic?sslmode=verify-full',
    'postgres://u:p%40ss@[::1]:5433/clinic?sslmode=verify-full',
  ]);
  for (const one of ['postgres://u:p@a/clinic?options=-c%20a=b,c', 'postgresql://u@/clinic?host=%2Frun%2Fa,b'])
    expect(addressesOf(one)).toEqual([one]);
});

test('connects to the primary and keeps the connection', async ({ first, second, answer }) => {
  expect(await answer()).toEqual([{ one: 1 }]);
  expect([first.taken, second.taken]).toEqual([1, 0]);
});

test('follows a failover: fails while no server accepts writes, then uses the promoted one', async ({
  first,
  second,
  pool,
  answer,
}) => {
  await answer();
  await whileStandby(async () => {
    await first.close();
    // The first statement is sent before the pool notices the lost connection.
    await expect(answer()).rejects.toThrow(DatabaseUnavailable);
    await expect(answer()).rejects.toThrow(DatabaseUnavailable);
    await expect(inTransaction(pool, (sql) => sql.query('select 1'))).rejects.toThrow(DatabaseUnavailable);
    expect(second.taken).toBeGreaterThan(0);
  });
  expect(await Promise.all(Array.from({ length: 20 }, answer))).toHaveLength(20);
  const before = second.taken;
  expect(await answer()).toEqual([{ one: 1 }]);
  expect(second.taken).toBe(before);
  expect(pool.totalCount).toBeLessThanOrEqual(10);
});

test('refuses a single server that accepts no writes', () =>
  whileStandby(async () => {
    const only = new PrimaryPool(database.connectionString);
    await expect(only.query('select 1')).rejects.toThrow(DatabaseUnavailable);
    await only.end();
  }));

test('reports an outage when a connection ends during a statement, and passes on an error of PostgreSQL', async ({
  first,
  pool,
  answer,
}) => {
  const cut = setTimeout(() => first.cut(), 100);
  await expect(pool.query('select pg_sleep(5)')).rejects.toThrow(DatabaseUnavailable);
  clearTimeout(cut);
  await expect(pool.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  expect(await answer()).toEqual([{ one: 1 }]);
});

test.concurrent('reports an outage when a server does not respond in time', async () => {
  const impatient = new PrimaryPool(database.connectionString, { query_timeout: 100 });
  await expect(impatient.query('select pg_sleep(2)')).rejects.toThrow(DatabaseUnavailable);
  await expect(inTransaction(impatient, (sql) => sql.query('select pg_sleep(4)'))).rejects.toThrow(DatabaseUnavailable);
  expect(impatient.totalCount).toBe(0);
  await impatient.end();
});

test.concurrent('reports an outage when a pooler accepts the connection and has no server for it', async ({
  first,
  second,
  both,
}) => {
  first.isPoolerAlone = true;
  second.isPoolerAlone = true;
  const impatient = new PrimaryPool(both, { connectionTimeoutMillis: 1000 });
  await expect(impatient.query('select 1')).rejects.toThrow(DatabaseUnavailable);
  expect([first.taken, second.taken]).toEqual([1, 1]);
  second.isPoolerAlone = false;
  await impatient.query('select 1').catch(() => undefined);
  expect((await impatient.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await impatient.end();
});

test.concurrent('asks the next server when those who waited for the connection have given up', async ({
  first,
  both,
}) => {
  const busy = new PrimaryPool(both, { max: 1, connectionTimeoutMillis: 600, query_timeout: 900 });
  const ask = () =>
    busy.query('select 1').then(
      () => true,
      () => false,
    );
  expect(await ask()).toBe(true);
  first.isPoolerAlone = true;
  let isAnswered = false;
  const asked: Promise<boolean>[] = [];
  // The next request comes before the last one gives up, so somebody waits all the time.
  for (let count = 0; !isAnswered && count < 100; count++) {
    asked.push(ask().then((answered) => (isAnswered ||= answered)));
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await Promise.all(asked);
  expect(await ask()).toBe(true);
  await busy.end();
});

test('connects a tool to the primary, and fails the next statement when the connection is lost', async ({
  first,
  second,
  both,
}) => {
  await first.close();
  expect(await onConnection(both, (client) => client.query('select 1').then(({ rowCount }) => rowCount))).toBe(1);
  const lost = onConnection(both, async (client) => {
    second.cut();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await client.query('select 1');
  });
  await expect(lost).rejects.toThrow();
});
