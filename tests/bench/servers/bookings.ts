/**
 * Books sales as a careful server of one clinic would, for the rivals: treatment, lines, payment, invoice under a unique
 * number, stock movements with the new quantities, and a key that lets each operation take effect once. One statement
 * books one operation, by primary keys alone, on the product's PostgreSQL with its durability.
 *
 * In favour of the rivals, this leaves out fiscal records, permissions and proofs, refusals, several payments and refunds, counts and
 * lots of stock, drawers, daily totals, attention items, and the feed through which other tablets learn of a sale.
 */
import pg from 'pg';
import type { ClientBase, Pool } from 'pg';

/** What of an operation is booked. */
export interface Booking {
  op_id: string;
  kind: string;
  occurred_at: string;
  payload: Record<string, unknown>;
}

const tables = `
  create table if not exists booked_keys (op_id uuid primary key, booked_at timestamptz not null default now());
  create table if not exists booked_orders (id uuid primary key, number text not null unique, customer_name text not null,
    total numeric not null, paid numeric not null default 0, status text not null default 'confirmed', created_at timestamptz not null);
  create table if not exists booked_lines (id uuid primary key, order_id uuid not null, stock_id integer, product_id integer,
    name text not null, quantity numeric not null, unit_price numeric not null);
  create index if not exists booked_lines_by_order on booked_lines (order_id);
  create table if not exists booked_payments (id uuid primary key, order_id uuid not null, method text not null, amount numeric not null,
    created_at timestamptz not null);
  create table if not exists booked_invoices (id uuid primary key, order_id uuid not null, number text not null unique, document jsonb not null);
  create table if not exists booked_movements (line_id uuid not null, stock_id integer not null, quantity numeric not null,
    created_at timestamptz not null);
  create table if not exists booked_stock (stock_id integer primary key, quantity numeric not null);
  insert into booked_stock select id, quantity_milli / 1000.0 from stock_items on conflict do nothing`;

/** Opens a pool whose statements use indexes from the start, as they would with the rows of years. */
export const bookingsPool = (connectionString: string): Pool =>
  new pg.Pool({ connectionString, options: '-c enable_seqscan=off' });

export async function createBookings(pool: Pool): Promise<void> {
  await pool.query(tables);
}

const key = 'key as (insert into booked_keys (op_id) values ($1) on conflict do nothing returning op_id)';

const bookTreatment = `
  with ${key},
    treatment as (insert into booked_orders (id, number, customer_name, total, created_at) select $2, $3, $4, $5, $6 from key returning id)
  insert into booked_lines (id, order_id, stock_id, product_id, name, quantity, unit_price)
  select line_id, treatment.id, stock_id, product_id, name, quantity, unit_price
  from treatment, json_to_recordset($7::json) as lines (line_id uuid, stock_id integer, product_id integer, name text, quantity numeric, unit_price numeric)`;

const bookPayment = `
  with ${key},
    payment as (insert into booked_payments (id, order_id, method, amount, created_at) select $2, $3, $4, $5, $6 from key),
    invoice as (insert into booked_invoices (id, order_id, number, document) select $7, $3, $8, $9::jsonb from key),
    paid as (update booked_orders set paid = paid + $5, status = case when paid + $5 >= total then 'completed' else status end
      from key where id = $3 returning id, status),
    movements as (insert into booked_movements (line_id, stock_id, quantity, created_at)
      select lines.id, stock_id, -quantity, $6 from paid join booked_lines lines on lines.order_id = paid.id
      where paid.status = 'completed' and stock_id is not null returning stock_id, quantity)
  update booked_stock set quantity = booked_stock.quantity + used.quantity
  from (select stock_id, sum(quantity) as quantity from movements group by stock_id) used where booked_stock.stock_id = used.stock_id`;

interface Treatment {
  order_id: string;
  number: string;
  customer_name?: string;
  total: number;
  items: object[];
}

interface Payment {
  order_id: string;
  payment_id: string;
  payment_method: string;
  amount: number;
  invoice: { invoice_id: string; invoice_number: string };
}

/** Books one operation. Booking it again has no effect. */
export async function book(
  sql: Pick<ClientBase, 'query'>,
  { op_id, kind, occurred_at, payload }: Booking,
): Promise<void> {
  if (kind === 'order.create') {
    const { order_id, number, customer_name = '', total, items } = payload as unknown as Treatment;
    const values = [op_id, order_id, number, customer_name, total, occurred_at, JSON.stringify(items)];
    await sql.query({ name: 'book treatment', text: bookTreatment, values });
    return;
  }
  const { order_id, payment_id, payment_method, amount, invoice } = payload as unknown as Payment;
  const { invoice_id, invoice_number } = invoice;
  const document = JSON.stringify(invoice);
  const values = [
    op_id,
    payment_id,
    order_id,
    payment_method,
    amount,
    occurred_at,
    invoice_id,
    invoice_number,
    document,
  ];
  await sql.query({ name: 'book payment', text: bookPayment, values });
}

/** Books several operations in one transaction. */
export async function bookAll(pool: Pool, bookings: readonly Booking[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // RxDB pushes in parallel. Transactions take turns, because two that change the same stock in different order deadlock.
    await client.query('select pg_advisory_xact_lock(17)');
    for (const booking of bookings) await book(client, booking);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
