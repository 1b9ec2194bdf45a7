/**
 * A treatment inside a command's transaction: operations are recorded on it, each depending on the one before, and the
 * row that the screens read is saved with what they did.
 */
import { reduceOrder, orderAggregate } from '../../../domain/order/operations.ts';
import type { OrderOperation } from '../../../domain/order/operations.ts';
import { occurredAtMs } from '../../../domain/protocol/operations.ts';
import type { Order } from '../../../domain/order/order.ts';
import type { OperationKind, PayloadOf } from '../../../domain/protocol/operations.ts';
import type { ClinicDatabase, OrderBase } from '../database.ts';
import { isReplayed, isSettled, statesOf } from '../operation-state.ts';
import { orderOf, orderRow } from '../order-row.ts';
import type { Write } from '../write.ts';

export interface OrderDraft {
  readonly id: string;
  order: Order | null;
  /** The last operation that the next one depends on. */
  tail: string | undefined;
  /** To be kept, when this is the first operation that waits. */
  readonly base: OrderBase | null;
}

export type OrderKind = Extract<OperationKind, `order.${string}`>;

export const orderTables = (db: ClinicDatabase) => [db.orders, db.order_bases];

export function newOrder(id: string): OrderDraft {
  return { id, order: null, tail: undefined, base: { id, order: null } };
}

/** @param foreign the treatment as the server just told of it, for a device that has forgotten it or never had it */
export async function openOrder({ db }: Write, id: string, foreign: Order | null = null): Promise<OrderDraft | null> {
  const [row, states] = await Promise.all([db.orders.get(id), statesOf(db, orderAggregate(id))]);
  const order = row ? orderOf(row) : foreign;
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
  if (!draft.order) throw new Error('An operation was recorded on a treatment that does not exist.');
  return draft.order;
}

export async function save({ db }: Write, { order, base }: OrderDraft): Promise<void> {
  if (!order) return;
  await Promise.all([db.orders.put(orderRow(order, 1)), base && db.order_bases.put(base)]);
}
