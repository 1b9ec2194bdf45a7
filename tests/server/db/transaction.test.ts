import { expect, test } from 'vitest';
import { openDatabase } from '../../../server/db/database.ts';
import { DatabaseUnavailable, inTransaction } from '../../../server/db/transaction.ts';
import { freshDatabase } from '../../support/database.ts';

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
