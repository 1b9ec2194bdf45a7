/** What must be true when everything is sent, judged from the tables of the server that is the primary now. */
import assert from 'node:assert/strict';
import type { Pair } from './pair.ts';
import type { Tablet } from './tablet.ts';

interface Booked {
  id: string;
  paid: number;
  total: number;
  payments: number;
  invoices: number;
  uses: number;
}

/**
 * @returns how many treatments were sold so far
 * @throws AssertionError naming what was lost, doubled, or not told
 */
export async function audit(pair: Pair, tablets: readonly Tablet[]): Promise<number> {
  const devices = tablets.map(({ deviceId }) => deviceId);
  const acknowledged = tablets.flatMap((tablet) => tablet.acknowledged);
  const receipts = await pair.ask<{ op_id: string }>(
    `select op_id from sync_ops where device_id = any($1::int[]) and status = 'applied'`,
    [devices],
  );
  same(
    receipts.map(({ op_id }) => op_id),
    acknowledged.map(({ op_id }) => op_id),
    'operations',
  );

  const orders = await pair.ask<Booked>(
    `select o.id, o.paid_minor::int as paid, o.total_minor::int as total,
       (select count(*)::int from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id) as payments,
       (select count(*)::int from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id) as invoices,
       (select count(*)::int from stock_transactions t join order_lines l on l.clinic_id = t.clinic_id and l.id = t.line_id
        where l.clinic_id = o.clinic_id and l.order_id = o.id and t.type = 'usage') as uses
     from orders o where o.device_id = any($1::int[])`,
    [devices],
  );
  const sold = acknowledged.flatMap(({ kind, payload }) => (kind === 'order.create' ? payload.order_id : []));
  same(
    orders.map(({ id }) => id),
    sold,
    'treatments',
  );
  const isOnce = ({ paid, total, payments, invoices, uses }: Booked) =>
    paid === total && payments === 1 && invoices === 1 && uses === 1;
  assert.deepEqual(
    orders.filter((order) => !isOnce(order)),
    [],
    'treatments that were paid, invoiced or used up other than once',
  );

  for (const tablet of tablets) {
    assert.deepEqual(
      orders.filter(({ id, paid }) => tablet.orders.get(id) !== paid / 100),
      [],
      'treatments that the feed did not tell',
    );
    assert.deepEqual(
      tablet.acknowledged.filter(({ op_id }) => !tablet.receipts.has(op_id)),
      [],
      'receipts that the feed did not tell',
    );
  }
  return sold.length;
}

function same(booked: readonly string[], acknowledged: readonly string[], what: string): void {
  const lost = acknowledged.filter((id) => !booked.includes(id));
  const unknown = booked.filter((id) => !acknowledged.includes(id));
  const doubled = [booked, acknowledged].flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index));
  assert.deepEqual({ lost, unknown, doubled }, { lost: [], unknown: [], doubled: [] }, what);
}
