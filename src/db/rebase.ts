/**
 * Rebases the rows that screens show. A shown row is the server's row (the base) with this device's waiting operations
 * replayed over it, in the order of their positions, by the reducer that the server runs (SYNC-9). These functions
 * restore that after the server's row or the outbox changed. They read inside the caller's transaction, so they miss
 * no sale.
 *
 * `order_bases` holds a treatment's base exactly while operations of the treatment are replayed. Otherwise the shown
 * row is the server's row.
 */
import { Dexie } from 'dexie';
import { isOrderOperation, reduceOrder, orderAggregate } from '#domain/order/operations.ts';
import { isStockOperation, reduceStock, stockAggregate } from '#domain/stock/operations.ts';
import type { StockOperation } from '#domain/stock/operations.ts';
import { occurredAtMs } from '#domain/protocol/operations.ts';
import type { Order } from '#domain/order/order.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState } from './database.ts';
import { rowsByKey } from './neighbours.ts';
import { isReplayed, statesOfAll } from './operation-state.ts';
import { orderOf, orderRow, stockKey, withQuantity } from './rows.ts';

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

/** Returns the ids of the treatments and stock items among the aggregates, each once. */
export function subjectsOf(aggregates: readonly string[]): { orderIds: string[]; stockIds: number[] } {
  const named = (prefix: string) => [
    ...new Set(aggregates.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))),
  ];
  return { orderIds: named(orderAggregate('')), stockIds: named('stock:').map(Number) };
}

/**
 * Rebases aggregates whose operations changed. Requires a transaction over the tables of `rebaseOrders` and
 * `rebaseStock`.
 */
export async function rebaseAggregates(db: ClinicDatabase, aggregates: readonly string[]): Promise<void> {
  const { orderIds, stockIds } = subjectsOf(aggregates);
  if (orderIds.length > 0) await rebaseOrders(db, new Map(orderIds.map((id) => [id, undefined])));
  if (stockIds.length > 0) await rebaseStock(db, stockIds);
}

/**
 * Stores the bases of treatments before operations are replayed over them. Requires a transaction over `orders` and
 * `order_bases`.
 */
export async function captureBases(db: ClinicDatabase, aggregates: readonly string[]): Promise<void> {
  const { orderIds } = subjectsOf(aggregates);
  const [bases, rows] = await Promise.all([rowsByKey(db.order_bases, orderIds), rowsByKey(db.orders, orderIds)]);
  await db.order_bases.bulkPut(
    orderIds.flatMap((id) => {
      const row = rows.get(id);
      return bases.has(id) ? [] : { id, order: row ? orderOf(row) : null };
    }),
  );
}

/** The server's rows by treatment: null if the server has none, undefined if the server sent nothing new. */
export type ServerOrders = ReadonlyMap<string, Order | null | undefined>;

/** Requires a transaction over `orders`, `order_bases`, `operations` and `operation_states`. */
export async function rebaseOrders(db: ClinicDatabase, changes: ServerOrders): Promise<void> {
  const bases = await rowsByKey(db.order_bases, [...changes.keys()]);
  const replayed = await replayedOperations(
    db,
    [...changes.keys()].filter((id) => bases.has(id)),
  );
  const views = [...changes].flatMap(([id, change]) => {
    const server = change === undefined ? bases.get(id)?.order : change;
    // Without a base and without news the shown row is the server's row.
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

/** Returns the operations to replay over each treatment; treatments without one are left out. */
async function replayedOperations(
  db: ClinicDatabase,
  orderIds: readonly string[],
): Promise<Map<string, AnyOperation[]>> {
  const states = (await statesOfAll(db, orderIds.map(orderAggregate))).filter(isReplayed);
  const operations = await operationsById(db, states);
  const replayed = new Map<string, AnyOperation[]>();
  for (const { op_id, aggregate } of states) {
    const id = aggregate.slice(orderAggregate('').length);
    replayed.set(id, [...(replayed.get(id) ?? []), operations.get(op_id)!]);
  }
  return replayed;
}

const operationsById = (db: ClinicDatabase, states: readonly OperationState[]): Promise<Map<string, AnyOperation>> =>
  rowsByKey(
    db.operations,
    states.map(({ op_id }) => op_id),
  );

/**
 * Rebases the shown quantities of the named stock items, and of every item with waiting adjustments. Requires a
 * transaction over `catalogue`, `operations` and `operation_states`.
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

/** Returns the waiting adjustments by aggregate. They are few: a device keeps stock operations for a month. */
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
