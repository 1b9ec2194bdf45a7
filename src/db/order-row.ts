/** A treatment as the screens read it: the facts, and beside them what the indexes and lists need of what follows from them. */
import { statusOf, totals } from '../../domain/order/order.ts';
import type { Order } from '../../domain/order/order.ts';
import type { OrderRow } from './database.ts';

export function orderRow(order: Order, unsent: 0 | 1): OrderRow {
  const { totalMinor, paidMinor, balanceMinor } = totals(order);
  const facts = [...order.payments, ...order.cancels];
  return {
    ...order,
    status: statusOf(order),
    totalMinor,
    paidMinor,
    balanceMinor,
    unsent,
    updatedAtMs: facts.reduce((latest, { atMs }) => Math.max(latest, atMs), order.createdAtMs),
  };
}

/** The facts of a row alone. */
export function orderOf(row: OrderRow): Order {
  const {
    status: _status,
    totalMinor: _totalMinor,
    paidMinor: _paidMinor,
    balanceMinor: _balanceMinor,
    unsent: _unsent,
    updatedAtMs: _updatedAtMs,
    ...order
  } = row;
  return order;
}
