import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { DatabaseUnavailable, inTransaction } from '#server/db/transaction.ts';
import type { Sql } from '#server/db/sql.ts';
import { freshDatabase } from '#tests/support/database.ts';

test('a connection lost between two statements fails its transaction only', async () => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  const work = inTransaction(pool, async (sql) => {
    const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
    await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    // The client notices the lost connection in this time, while no statement runs.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await sql.query('select 1');
  });
  await expect(work).rejects.toThrow(DatabaseUnavailable);
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await pool.end();
  await drop();
});

test('a connection that breaks while the pool hands it over ends no process', async () => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  const client = await pool.connect();
  expect(() => client.emit('error', new Error('terminated'))).not.toThrow();
  client.release(true);
  await pool.end();
  await drop();
});

test('a transaction fails by the statement that failed first, whichever statement is heard first', async () => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  const later = async (answer: Promise<unknown>) => {
    // PostgreSQL refuses the other statement because of this one, and the work hears of that sooner.
    await answer.catch(async (error: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw error;
    });
  };
  const work = inTransaction(pool, (sql) => Promise.all([later(sql.query('select 1 / 0')), sql.query('select 1')]));
  await expect(work).rejects.toMatchObject({ code: '22012' });
  await pool.end();
  await drop();
});

test('nothing takes effect outside a transaction when one of two pieces of work fails', async () => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  await pool.query('create table sold (id int)');
  let slower: Promise<unknown> | undefined;
  const work = inTransaction(pool, async (sql) => {
    slower = sql
      .query('select 1')
      .then(() => new Promise((resolve) => setTimeout(resolve, 50)))
      .then(() => sql.query('insert into sold values (1)'));
    await Promise.all([slower, sql.query('select 1 / 0')]);
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  await expect(slower).rejects.toThrow('The transaction is over');
  expect((await pool.query('select from sold')).rowCount).toBe(0);
  await pool.end();
  await drop();
});

test('a transaction whose statement failed unheard is not taken for committed', async () => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  const unheard = inTransaction(pool, async (sql) => {
    void sql.query('select 1 / 0');
    return 'done';
  });
  await expect(unheard).rejects.toMatchObject({ code: '22012' });
  const swallowed = inTransaction(pool, (sql) => sql.query('select 1 / 0').catch(() => 'done'));
  await expect(swallowed).rejects.toMatchObject({ code: '22012' });
  await pool.end();
  await drop();
});

test('a statement that was never prepared hides no failure before it', async () => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  const named = (sql: Sql) => sql.query({ name: 'one', text: 'select 1' });
  const work = inTransaction(pool, async (sql) => {
    const failing = sql.query('select 1 / 0');
    void named(sql).catch(() => undefined);
    // PostgreSQL knows no statement of this name, because it did not prepare the one before.
    await named(sql);
    await failing;
  });
  await expect(work).rejects.toMatchObject({ code: '22012' });
  await pool.end();
  await drop();
});

test.each([
  ['an error is not tried again', '22012', 1],
  ['a conflict is tried three times', '40001', 3],
  ['a deadlock is tried three times', '40P01', 3],
])('%s', async (_what, code, attempts) => {
  const { connectionString, drop } = await freshDatabase();
  const { $client: pool } = openDatabase(connectionString);
  let begun = 0;
  const work = inTransaction(pool, async (sql) => {
    begun += 1;
    await sql.query(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`);
  });
  await expect(work).rejects.toMatchObject({ code });
  expect(begun).toBe(attempts);
  await pool.end();
  await drop();
});
