/** What a transaction knows before it judges: all that its operations touch, read as sets and from then on kept in step. */
import type { Drawer } from '../../../domain/drawer/drawer.ts';
import { isDrawerOperation } from '../../../domain/drawer/reducer.ts';
import type { Order } from '../../../domain/order/order.ts';
import { isOrderOperation } from '../../../domain/order/reducer.ts';
import { loadDrawers } from '../drawers/service.ts';
import { knownItems } from '../ledger/service.ts';
import { loadOrders } from '../orders/service.ts';
import type { Sql } from '../../db/sql.ts';
import type { Incoming } from './apply.ts';
import { loadReceipts } from './receipts.ts';
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

/** The caller holds the locks of all aggregates. */
export async function readKnown(sql: Sql, clinicId: number, incoming: readonly Incoming[]): Promise<Known> {
  const operations = incoming.map(({ operation }) => operation);
  const opIds = incoming.flatMap((one) => [one.operation.op_id, ...one.operation.depends_on, ...closes(one)]);
  const orderIds = operations.filter(isOrderOperation).map(({ payload }) => payload.order_id).filter(Boolean);
  const drawerIds = operations.filter(isDrawerOperation).map(({ payload }) => payload.drawer_id).filter(Boolean);
  const stockIds = operations.flatMap((operation) => (operation.kind === 'stock.adjust' ? operation.payload.stock_id : []));
  return {
    receipts: await loadReceipts(sql, clinicId, opIds),
    actors: await loadActors(sql, clinicId, operations),
    orders: await loadOrders(sql, clinicId, [...new Set(orderIds)]),
    drawers: await loadDrawers(sql, clinicId, [...new Set(drawerIds)]),
    stock: await knownItems(sql, clinicId, stockIds),
  };
}

/** What is replaced, never the operation itself; a void whose form is wrong closes nothing, for nobody has read what it names. */
export const closes = ({ operation, malformed }: Incoming): string[] =>
  malformed && isVoid(operation) ? [] : closedBy(operation).filter((opId) => opId !== operation.op_id);
