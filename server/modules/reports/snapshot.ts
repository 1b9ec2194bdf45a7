import type { Pool } from 'pg';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';

/**
 * Reads a report as of one moment. A report finds its rows by index, all over the tables, and these lie in memory: where
 * PostgreSQL takes each for a turn of a disk it reads all years instead, and to translate a query into machine code takes longer
 * than to answer it. What a search finds, up to a few hundred thousand ids, is compared in memory.
 */
export async function inSnapshot<T>(pool: Pool, read: (sql: Sql) => Promise<T>): Promise<T> {
  return inTransaction(
    pool,
    async (sql) => {
      await sql.query({
        name: 'plan reports',
        text: `select set_config('random_page_cost', '1', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`,
      });
      return read(sql);
    },
    'snapshot',
  );
}
