/**
 * What the screens show is the server's row with this device's waiting operations replayed over it, in the order of
 * their positions, by the very reducer that the server runs (SYNC-9). These functions restore that after either side
 * changed. They read all they need inside the caller's transaction, so a sale made meanwhile is never overlooked.
 *
 * A base stands in `order_bases` exactly while operations of its treatment are replayed; without them the view is the
 * server's row.
 */
import { Dexie } from 'dexie';
import { isOrderOperation, reduceOrder, orderAggregate } from '../../domain/order/operations.ts';
import { isStockOperation, reduceStock, stockAggregate } from '../../domain/stock/operations.ts';
import type { StockOperation } from '../../domain/stock/operations.ts';
import { occurredAtMs } from '../../domain/protocol/operations.ts';
import type { Order } from '../../domain/order/order.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState } from './database.ts';
import { isReplayed, statesOf } from './operation-state.ts';
import { orderOf, orderRow } from './order-row.ts';
import { withQuantity } from './stock-level.ts';

/** The keys of the catalogue. */
export const stockKey = (stockId: number): string => `s${stockId}`;
export const productKey = (productId: number): string => `p${productId}`;

function replayOrder(base: Order | null, operations: readonly AnyOperation[]): Order | null {
  return operations
    .filter(isOrderOperation)
    .reduce((order, operation) => reduceOrder(order, operation, occurredAtMs(operation)), base);
}

function replayStock(baseMilli: number, operations: readonly StockOperation[]): number {
  return operations.reduce(
    (quantityMilli, operation) => reduceStock(quantityMilli, operation, occurredAtMs(operation)) ?? quantityMilli,
    baseMilli,
  );
}

/** The treatments and the stock items among aggregates, each once. */
export function subjectsOf(aggregates: readonly string[]): { orderIds: string[]; stockIds: number[] } {
  const named = (prefix: string) => [
    ...new Set(aggregates.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))),
  ];
  return { orderIds: named(orderAggregate('')), stockIds: named('stock:').map(Number) };
}

/** Restores what is shown of aggregates whose operations changed. Needs a transaction over all tables that the two below name. */
export async function rebaseAggregates(db: ClinicDatabase, aggregates: readonly string[]): Promise<void> {
  const { orderIds, stockIds } = subjectsOf(aggregates);
  if (orderIds.length > 0) await rebaseOrders(db, new Map(orderIds.map((id) => [id, undefined])));
  if (stockIds.length > 0) await rebaseStock(db, stockIds);
}

/**
 * Keeps the server's row of treatments whose operations are about to be replayed over it. Needs a transaction over
 * `orders` and `order_bases`.
 */
export async function captureBases(db: ClinicDatabase, aggregates: readonly string[]): Promise<void> {
  const { orderIds } = subjectsOf(aggregates);
  const [bases, rows] = await Promise.all([db.order_bases.bulkGet(orderIds), db.orders.bulkGet(orderIds)]);
  await db.order_bases.bulkPut(
    orderIds.flatMap((id, index) => {
      const row = rows[index];
      return bases[index] ? [] : { id, order: row ? orderOf(row) : null };
    }),
  );
}

/** The server's row, or null where it has none; undefined where nothing new came from the server. */
export type ServerOrders = ReadonlyMap<string, Order | null | undefined>;

/** Needs a transaction over `orders`, `order_bases`, `operations` and `operation_states`. */
export async function rebaseOrders(db: ClinicDatabase, changes: ServerOrders): Promise<void> {
  const kept = await db.order_bases.bulkGet([...changes.keys()]);
  const bases = new Map(kept.flatMap((base) => (base ? [[base.id, base.order]] : [])));
  const replayed = await replayedOperations(db, [...bases.keys()]);
  const views = [...changes].flatMap(([id, change]) => {
    const server = change === undefined ? bases.get(id) : change;
    // Neither a base nor news: the view is the server's row already.
    if (server === undefined) return [];
    const operations = replayed.get(id) ?? [];
    const view = replayOrder(server, operations);
    const replays = operations.length > 0;
    return { id, server, replays, row: view && orderRow(view, replays ? 1 : 0) };
  });
  await Promise.all([
    db.orders.bulkPut(views.flatMap(({ row }) => row ?? [])),
    db.orders.bulkDelete(views.filter(({ row }) => !row).map(({ id }) => id)),
    db.order_bases.bulkPut(views.filter(({ replays }) => replays).map(({ id, server }) => ({ id, order: server }))),
    db.order_bases.bulkDelete(views.filter(({ replays }) => !replays).map(({ id }) => id)),
  ]);
}

async function replayedOperations(db: ClinicDatabase, orderIds: string[]): Promise<Map<string, AnyOperation[]>> {
  const histories = await Promise.all(orderIds.map((id) => statesOf(db, orderAggregate(id))));
  const replayed = histories.map((states) => states.filter(isReplayed));
  const operations = await operationsById(db, replayed.flat());
  return new Map(orderIds.map((id, index) => [id, replayed[index]!.map(({ op_id }) => operations.get(op_id)!)]));
}

async function operationsById(db: ClinicDatabase, states: OperationState[]): Promise<Map<string, AnyOperation>> {
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  return new Map(operations.flatMap((operation) => (operation ? [[operation.op_id, operation]] : [])));
}

/**
 * Brings the shown quantities in line with the server's and this device's waiting adjustments: those of the named stock
 * items, and of every one that is adjusted. Needs a transaction over `catalogue`, `operations` and `operation_states`.
 */
export async function rebaseStock(db: ClinicDatabase, stockIds: readonly number[]): Promise<void> {
  const adjustments = await waitingAdjustments(db);
  const adjusted = subjectsOf([...adjustments.keys()]).stockIds;
  const items = await db.catalogue.bulkGet([...new Set([...stockIds, ...adjusted])].map(stockKey));
  await db.catalogue.bulkPut(
    items.flatMap((item) => {
      if (item?.base_quantity_milli == null) return [];
      const quantityMilli = replayStock(item.base_quantity_milli, adjustments.get(stockAggregate(item.id)) ?? []);
      return quantityMilli === item.quantity_milli ? [] : withQuantity(item, quantityMilli);
    }),
  );
}

/** The waiting adjustments by aggregate. There are few: a device keeps its stock operations for a month. */
async function waitingAdjustments(db: ClinicDatabase): Promise<Map<string, StockOperation[]>> {
  const states = await db.operation_states
    .where('[aggregate+position]')
    .between(['stock:', Dexie.minKey], ['stock;', Dexie.minKey])
    .filter(isReplayed)
    .toArray();
  const operations = await operationsById(db, states);
  const adjustments = new Map<string, StockOperation[]>();
  for (const { op_id, aggregate } of states) {
    const operation = operations.get(op_id);
    if (!operation || !isStockOperation(operation)) continue;
    adjustments.set(aggregate, [...(adjustments.get(aggregate) ?? []), operation]);
  }
  return adjustments;
}
