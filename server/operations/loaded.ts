/** What a transaction knows before it judges: all that its operations touch, read as sets and from then on kept in step. */
import type { Drawer } from '../../domain/drawer/drawer.ts';
import { isDrawerOperation } from '../../domain/drawer/operations.ts';
import { isOrderOperation } from '../../domain/order/operations.ts';
import type { Order } from '../../domain/order/order.ts';
import { operationVersion } from '../../domain/protocol/operations.ts';
import { loadDrawers } from '../modules/drawers/service.ts';
import { knownItems } from '../modules/ledger/service.ts';
import { loadOrders } from '../modules/orders/service.ts';
import type { Sql } from '../db/sql.ts';
import type { Incoming } from './apply.ts';
import { loadReceipts, lockReceipts } from './receipts.ts';
import type { Receipt } from './receipts.ts';
import { loadActors } from './store.ts';
import type { Actors } from './store.ts';
import { closedBy, isVoid } from './voids.ts';

export interface Known {
  receipts: Map<string, Receipt>;
  actors: Actors;
  orders: Map<string, Order>;
  drawers: Map<string, Drawer>;
  stock: Set<number>;
}

/** The caller holds the locks of all aggregates; the receipts that are to be closed are locked here. */
export async function readKnown(sql: Sql, clinicId: number, incoming: readonly Incoming[]): Promise<Known> {
  const closed = incoming.flatMap(closes);
  await lockReceipts(sql, clinicId, closed);
  const operations = incoming.filter(isLegible).map(({ operation }) => operation);
  const orderIds = operations
    .filter(isOrderOperation)
    .map(({ payload }) => payload.order_id)
    .filter(Boolean);
  const drawerIds = operations
    .filter(isDrawerOperation)
    .map(({ payload }) => payload.drawer_id)
    .filter(Boolean);
  const stockIds = operations.flatMap((operation) =>
    operation.kind === 'stock.adjust' ? operation.payload.stock_id : [],
  );
  return {
    receipts: await loadReceipts(sql, clinicId, [
      ...closed,
      ...incoming.flatMap(({ operation }) => [operation.op_id, ...operation.depends_on]),
    ]),
    actors: await loadActors(
      sql,
      clinicId,
      incoming.map(({ operation }) => operation),
    ),
    orders: await loadOrders(sql, clinicId, [...new Set(orderIds)]),
    drawers: await loadDrawers(sql, clinicId, [...new Set(drawerIds)]),
    stock: await knownItems(sql, clinicId, stockIds),
  };
}

/** Nobody has read the payload of an operation whose form is wrong, or which a newer app wrote. */
const isLegible = ({ operation, malformed }: Incoming): boolean => !malformed && operation.v <= operationVersion;

/** What is replaced, never the operation itself; a void that nobody could read closes nothing. */
export const closes = (incoming: Incoming): string[] => {
  const { operation } = incoming;
  return isVoid(operation) && !isLegible(incoming)
    ? []
    : closedBy(operation).filter((opId) => opId !== operation.op_id);
};
