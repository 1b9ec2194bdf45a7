/** Counts the lost and doubled operations of a round at the server. */
import type { Pool } from 'pg';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Losses } from '../figures.ts';

/** Counts by the treatments, payments and fiscal records in the clinic's tables. */
export async function countBooked(sql: Pool, operations: readonly AnyOperation[]): Promise<Losses> {
  const recorded = operations.flatMap(({ kind, payload }) => (kind === 'fiscal.record' ? payload.fields.number : []));
  const { rows } = await sql.query<{ arrived: number; effects: number }>(
    `select (select count(*) from orders where id = any($1::uuid[]))::int + (select count(*) from payments where id = any($3::uuid[]))::int
         + (select count(distinct number) from fiscal_records where number = any($4::text[]))::int as arrived,
       (select count(*) from orders where number = any($2::text[]))::int + (select count(*) from payments where order_id = any($1::uuid[]))::int
         + (select count(*) from fiscal_records where number = any($4::text[]))::int as effects`,
    [idsIn(operations, 'order_id'), idsIn(operations, 'number'), idsIn(operations, 'payment_id'), recorded],
  );
  const { arrived, effects } = rows[0]!;
  return { lost: operations.length - arrived, doubled: effects - arrived };
}

/** Counts by the treatments, payments and invoices of plain bookings, and by the stock movements of each line. */
export async function countPlainBookings(sql: Pool, operations: readonly AnyOperation[]): Promise<Losses> {
  const { rows } = await sql.query<{ arrived: number; doubled: number }>(
    `select (select count(*) from booked_orders where id = any($1::uuid[]))::int
         + (select count(*) from booked_payments join booked_invoices using (order_id) join booked_orders on booked_orders.id = order_id
            where booked_payments.id = any($2::uuid[]) and status = 'completed')::int as arrived,
       (select count(*) - count(distinct line_id) from booked_movements)::int as doubled`,
    [idsIn(operations, 'order_id'), idsIn(operations, 'payment_id')],
  );
  const { arrived, doubled } = rows[0]!;
  return { lost: operations.length - arrived, doubled };
}

const idsIn = (operations: readonly AnyOperation[], field: 'order_id' | 'payment_id' | 'number'): string[] => [
  ...new Set(operations.flatMap(({ payload }) => (payload as Partial<Record<typeof field, string>>)[field] ?? [])),
];

export async function countDocuments(sql: Pool, operations: readonly AnyOperation[]): Promise<Losses> {
  const { rows } = await sql.query<{ op_id: string }>(
    `select document ->> 'op_id' as op_id from rxdb_documents where document ->> 'op_id' = any($1::text[])`,
    [operations.map(({ op_id }) => op_id)],
  );
  return losses(
    operations,
    rows.map(({ op_id }) => op_id),
  );
}

export async function countPouch(database: string, operations: readonly AnyOperation[]): Promise<Losses> {
  const reply = await fetch(`${database}/_all_docs`);
  const { rows } = (await reply.json()) as { rows: { id: string }[] };
  return losses(
    operations,
    rows.map(({ id }) => id),
  );
}

function losses(operations: readonly AnyOperation[], arrived: readonly string[]): Losses {
  const distinct = new Set(arrived);
  return {
    lost: operations.filter(({ op_id }) => !distinct.has(op_id)).length,
    doubled: arrived.length - distinct.size,
  };
}
