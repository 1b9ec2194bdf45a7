import { DatabaseError } from 'pg';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { Sql } from './sql.ts';

/**
 * The database could not be reached, went away, or has no room. The write may not have happened, and the caller may
 * retry. Other errors would fail again.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The SQLSTATE of an error that PostgreSQL has reported; undefined for anything else, which may have codes too. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** Serialization failures and deadlocks: PostgreSQL asks to repeat the transaction. */
export const isRepeatable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '');

/**
 * SQLSTATE classes 08 (connection), 53 (resources), 57 (operator intervention), 58 (system), a lock that stayed taken or a
 * transaction that stayed idle for too long, or the connection was lost.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || /^((08|53|57|58)[0-9A-Z]{3}|55P03|25P03)$/.test(sqlState(error) ?? '');

/** `snapshot` reads everything as of one moment and writes nothing; `report` does so with `reportPlanning`. */
export type TransactionMode = 'write' | 'snapshot' | 'report';

/**
 * Reports find their rows by index all over the tables, and these lie in memory. With the default cost of a disk access
 * PostgreSQL would scan all years instead; compiling a query takes longer than answering it; and a search compares up to a
 * few hundred thousand ids in memory.
 */
const reportPlanning = {
  name: 'plan reports',
  text: `select set_config('random_page_cost', '1', true), set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`,
};

/**
 * Runs work in a transaction. Serialization failures and deadlocks are retried, three attempts in all. Statements are
 * answered in the order in which they are sent, so work may send several before it waits for them.
 *
 * @throws DatabaseUnavailable
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (sql: Sql) => Promise<T>,
  mode: TransactionMode = 'write',
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(pool, work, mode);
    } catch (error) {
      if (!isRepeatable(error) || attempt === 3) throw error;
    }
  }
}

/** A server that did not answer a statement gets less time for the rollback. */
const rollback = { text: 'rollback', query_timeout: 1000 };

async function attemptTransaction<T>(pool: Pool, work: (sql: Sql) => Promise<T>, mode: TransactionMode): Promise<T> {
  const client = await connect(pool);
  let lost: unknown = null;
  let isOver = false;
  let firstFailure: unknown;
  const query = (statement: string | QueryConfig, values?: unknown[]) => {
    // When one of several statements fails, the work behind another one may go on. What it sends then would take effect
    // outside the transaction.
    if (isOver) return Promise.reject(new Error('The transaction is over'));
    // What is sent in one turn leaves in one write, so PostgreSQL wakes once.
    const { stream } = client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
    const answer = client.query(statement, values);
    void Promise.resolve(answer).catch((error: unknown) => (firstFailure ??= error));
    return answer;
  };
  try {
    await client.query(mode === 'write' ? 'begin' : 'begin isolation level repeatable read, read only');
    if (mode === 'report') await client.query(reportPlanning);
    const value = await work(Object.create(client, { query: { value: query } }) as Sql);
    isOver = true;
    const { command } = await client.query('commit');
    // PostgreSQL answers so, without an error, when a statement had failed of which the work did not hear.
    if (command === 'ROLLBACK') throw firstFailure;
    return value;
  } catch (thrown) {
    isOver = true;
    // What PostgreSQL refuses after a failed statement, it refuses because of that one.
    const error = sqlState(thrown) === undefined ? thrown : (firstFailure ?? thrown);
    await client.query(rollback).catch((broken: unknown) => {
      lost = broken;
    });
    throw lost || isOutage(error) ? new DatabaseUnavailable(error) : error;
  } finally {
    // A connection that could not roll back is not reused.
    client.release(lost !== null);
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}
