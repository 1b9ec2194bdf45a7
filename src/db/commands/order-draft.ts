/**
 * A treatment inside a command's transaction. A command records operations on the draft, each depending on the one before,
 * and then saves the row that the screens read.
 */
import { reduceOrder, orderAggregate } from '#domain/order/operations.ts';
import type { OrderOperation } from '#domain/order/operations.ts';
import { occurredAtMs } from '#domain/protocol/operations.ts';
import type { Order } from '#domain/order/order.ts';
import type { OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import type { ClinicDatabase, OrderBase } from '../database.ts';
import { isReplayed, isSettled, statesOf } from '../operation-state.ts';
import { orderOf, orderRow } from '../rows.ts';
import type { Write } from '../write.ts';

export interface OrderDraft {
  readonly id: string;
  order: Order | null;
  /** The operation that the next one depends on. */
  tail: string | undefined;
  /** The server's row, to be stored before the first waiting operation; null when a base exists. */
  readonly base: OrderBase | null;
}

export type OrderKind = Extract<OperationKind, `order.${string}`>;

export const orderTables = (db: ClinicDatabase) => [db.orders, db.order_bases];

export function newOrder(id: string): OrderDraft {
  return { id, order: null, tail: undefined, base: { id, order: null } };
}

/** @param fetched the treatment as just fetched from the server, for a device that doesn't have it */
export async function openOrder(
  { db }: Pick<Write, 'db'>,
  id: string,
  fetched: Order | null = null,
): Promise<OrderDraft | null> {
  const [row, states] = await Promise.all([db.orders.get(id), statesOf(db, orderAggregate(id))]);
  const order = row ? orderOf(row) : fetched;
  if (!order) return null;
  return {
    id,
    order,
    tail: states.findLast((state) => !isSettled(state))?.op_id,
    base: states.some(isReplayed) ? null : { id, order },
  };
}

/** Appends the operation and applies it to the draft. */
export function record<K extends OrderKind>(write: Write, draft: OrderDraft, kind: K, payload: PayloadOf[K]): Order {
  const operation = write.append({
    kind,
    aggregate: orderAggregate(draft.id),
    payload,
    dependsOn: draft.tail ? [draft.tail] : [],
  }) as OrderOperation;
  draft.tail = operation.op_id;
  draft.order = reduceOrder(draft.order, operation, occurredAtMs(operation));
  if (!draft.order) throw new Error('The treatment of the recorded operation does not exist.');
  return draft.order;
}

export function save(write: Write, { order, base }: OrderDraft): void {
  if (!order) return;
  write.put(write.db.orders, orderRow(order, 1));
  if (base) write.put(write.db.order_bases, base);
}
