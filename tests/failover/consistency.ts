/** The check of the failover test: when every tablet has sent everything, the tables of the current primary must agree with the tablets. */
import assert from 'node:assert/strict';
import type { Cluster } from './cluster.ts';
import type { HttpTablet } from './http-tablet.ts';

interface Booked {
  id: string;
  paid: number;
  total: number;
  payments: number;
  invoices: number;
  uses: number;
}

/** Returns the acknowledged operations of the tablets that the current primary does not know. */
export async function lostOperations(cluster: Cluster, tablets: readonly HttpTablet[]): Promise<string[]> {
  const acknowledged = tablets.flatMap((tablet) => tablet.acknowledged.map(({ op_id }) => op_id));
  const lost = await cluster.query<{ op_id: string }>(
    `select sent.op_id from unnest($1::uuid[]) as sent (op_id) left join sync_ops o using (op_id) where o.op_id is null`,
    [acknowledged],
  );
  return lost.map(({ op_id }) => op_id);
}

/**
 * @returns the number of treatments sold so far
 * @throws AssertionError that names what was lost, doubled, or missing in the feed
 */
export async function assertConsistent(cluster: Cluster, tablets: readonly HttpTablet[]): Promise<number> {
  const devices = tablets.map(({ deviceId }) => deviceId);
  const acknowledged = tablets.flatMap((tablet) => tablet.acknowledged);
  const receipts = await cluster.query<{ op_id: string }>(
    `select op_id from sync_ops where device_id = any($1::int[]) and status = 'applied'`,
    [devices],
  );
  assertSame(
    receipts.map(({ op_id }) => op_id),
    acknowledged.map(({ op_id }) => op_id),
    'operations',
  );

  const orders = await cluster.query<Booked>(
    `select o.id, o.paid_minor::int as paid, o.total_minor::int as total,
       (select count(*)::int from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id) as payments,
       (select count(*)::int from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id) as invoices,
       (select count(*)::int from stock_transactions t join order_lines l on l.clinic_id = t.clinic_id and l.id = t.line_id
        where l.clinic_id = o.clinic_id and l.order_id = o.id and t.type = 'usage') as uses
     from orders o where o.device_id = any($1::int[])`,
    [devices],
  );
  const sold = acknowledged.flatMap(({ kind, payload }) => (kind === 'order.create' ? payload.order_id : []));
  assertSame(
    orders.map(({ id }) => id),
    sold,
    'treatments',
  );
  const isOnce = ({ paid, total, payments, invoices, uses }: Booked) =>
    paid === total && payments === 1 && invoices === 1 && uses === 1;
  assert.deepEqual(
    orders.filter((order) => !isOnce(order)),
    [],
    'treatments that were not paid, invoiced and deducted from stock exactly once',
  );

  for (const tablet of tablets) {
    assert.deepEqual(
      orders.filter(({ id, paid }) => tablet.orders.get(id) !== paid / 100),
      [],
      'treatments that are missing in the feed',
    );
    assert.deepEqual(
      tablet.acknowledged.filter(({ op_id }) => !tablet.receipts.has(op_id)),
      [],
      'receipts that are missing in the feed',
    );
  }
  return sold.length;
}

function assertSame(booked: readonly string[], acknowledged: readonly string[], what: string): void {
  const lost = acknowledged.filter((id) => !booked.includes(id));
  const unknown = booked.filter((id) => !acknowledged.includes(id));
  const doubled = [booked, acknowledged].flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index));
  assert.deepEqual({ lost, unknown, doubled }, { lost: [], unknown: [], doubled: [] }, what);
}
