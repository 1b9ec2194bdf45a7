/** Measures the limits of the machine, with the rows and bytes of the round just synchronised. */
import type { PoolClient } from 'pg';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { maxBatchOperations } from '#domain/protocol/sync.ts';
import { operationsOfSale } from '../headless-tablet.ts';
import { callInPage } from '../in-page.ts';
import type { Delay, Testbed } from './testbed.ts';

/** Stores each operation in its own strict IndexedDB transaction. @returns milliseconds */
export function timeStoreEach(testbed: Testbed, operations: AnyOperation[]): Promise<number> {
  return inPage(testbed, 0, operations, 'storeEach');
}

/** Sends batches to a route that replies at once. @returns milliseconds */
export function timeBatches(testbed: Testbed, delay: Delay, operations: AnyOperation[]): Promise<number> {
  return inPage(testbed, delay, operations, 'sendBatches');
}

async function inPage(
  testbed: Testbed,
  delay: Delay,
  operations: AnyOperation[],
  name: 'storeEach' | 'sendBatches',
): Promise<number> {
  const page = await testbed.page('clinic', delay);
  const ms = await callInPage(page, 'limits', name, operations);
  await page.context().close();
  return ms;
}

/** Tables that a sale writes to, each with the condition for the rows of the given treatments or operations. */
const tables = {
  orders: { of: 'orderIds', condition: 'id = any($1::uuid[])' },
  order_lines: { of: 'orderIds', condition: 'order_id = any($1::uuid[])' },
  payments: { of: 'orderIds', condition: 'order_id = any($1::uuid[])' },
  invoices: { of: 'orderIds', condition: 'order_id = any($1::uuid[])' },
  stock_transactions: { of: 'orderIds', condition: `reference_type = 'order' and reference_id = any($1::text[])` },
  sync_ops: { of: 'opIds', condition: 'op_id = any($1::uuid[])' },
  fiscal_records: { of: 'opIds', condition: 'document_op_id = any($1::uuid[])' },
} as const;

interface Sold {
  orderIds: string[];
  opIds: string[];
}

interface TableRows {
  table: string;
  /** A JSON array. */
  rows: string;
}

/**
 * Inserts the rows that the server has written for these operations again, into tables with the same indexes: one
 * statement per table and one transaction per batch, without reads or checks. @returns milliseconds
 */
export async function insertRows({ sql }: Testbed, operations: readonly AnyOperation[]): Promise<number> {
  const client = await sql.connect();
  try {
    for (const table of Object.keys(tables)) {
      await client.query(
        `drop table if exists limit_${table}; create table limit_${table} (like ${table} including indexes)`,
      );
    }
    const batches: TableRows[][] = [];
    for (const batch of inBatches(operations)) batches.push(await writtenRows(client, batch));
    const started = performance.now();
    for (const batch of batches) await insertBatch(client, batch);
    return performance.now() - started;
  } finally {
    client.release();
  }
}

/** Returns full batches of whole sales. The operations of a sale follow each other. */
function inBatches(operations: readonly AnyOperation[]): Sold[] {
  const size = Math.floor(maxBatchOperations / operationsOfSale) * operationsOfSale;
  const batches: Sold[] = [];
  for (let from = 0; from < operations.length; from += size) {
    const batch = operations.slice(from, from + size);
    const orderIds = batch.flatMap(({ payload }) => (payload as { order_id?: string }).order_id ?? []);
    batches.push({ orderIds: [...new Set(orderIds)], opIds: batch.map(({ op_id }) => op_id) });
  }
  return batches;
}

async function writtenRows(client: PoolClient, sold: Sold): Promise<TableRows[]> {
  const written: TableRows[] = [];
  for (const [table, { of, condition }] of Object.entries(tables)) {
    const { rows } = await client.query<TableRows>(
      `select '${table}' as table, coalesce(json_agg(t), '[]')::text as rows from ${table} t where ${condition}`,
      [sold[of]],
    );
    written.push(...rows);
  }
  return written;
}

async function insertBatch(client: PoolClient, batch: readonly TableRows[]): Promise<void> {
  await client.query('begin');
  for (const { table, rows } of batch) {
    await client.query({
      name: `limit ${table}`,
      text: `insert into limit_${table} select * from json_populate_recordset(null::limit_${table}, $1::json)`,
      values: [rows],
    });
  }
  await client.query('commit');
}
