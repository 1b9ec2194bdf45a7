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
import type { Table } from 'dexie';
import { isOrderOperation, reduceOrder, orderAggregate } from '#domain/order/operations.ts';
import { isPatientOperation, patientAggregate, reducePatient } from '#domain/patient/operations.ts';
import type { PatientOperation } from '#domain/patient/operations.ts';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import { blankDetails } from '#domain/patient/patient.ts';
import { isStockOperation, reduceStock, stockAggregate } from '#domain/stock/operations.ts';
import type { StockOperation } from '#domain/stock/operations.ts';
import { occurredAtMs } from '#domain/protocol/operations.ts';
import type { Order } from '#domain/order/order.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState, PatientDetailsRow, PatientRow } from './database.ts';
import { rowsByKey } from './neighbours.ts';
import { isReplayed, statesOfAll } from './operation-state.ts';
import { detailsRow, orderOf, orderRow, patientRow, stockKey, withQuantity } from './rows.ts';

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

/** Returns the ids of the treatments, stock items and patients among the aggregates, each once. */
export function subjectsOf(aggregates: readonly string[]): {
  orderIds: string[];
  stockIds: number[];
  patientIds: string[];
} {
  const named = (prefix: string) => [
    ...new Set(aggregates.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))),
  ];
  return {
    orderIds: named(orderAggregate('')),
    stockIds: named('stock:').map(Number),
    patientIds: named(patientAggregate('')),
  };
}

export const rebasedTables = (db: ClinicDatabase): Table[] => [
  db.orders,
  db.order_bases,
  db.catalogue,
  db.patients,
  db.patient_details,
];

/**
 * Rebases aggregates whose operations changed. Requires a transaction over the outbox and `rebasedTables`.
 */
export async function rebaseAggregates(db: ClinicDatabase, aggregates: readonly string[]): Promise<void> {
  const { orderIds, stockIds, patientIds } = subjectsOf(aggregates);
  if (patientIds.length > 0) await rebasePatients(db, patientIds);
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
  const adjustments = await waitingOf(db, 'stock', isStockOperation);
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

/** The operations of a noun to be replayed, by aggregate. They are few: a device keeps its operations for a month. */
async function waitingOf<O extends AnyOperation>(
  db: ClinicDatabase,
  noun: string,
  isOf: (operation: AnyOperation) => operation is O,
): Promise<Map<string, O[]>> {
  const states = await db.operation_states
    .where('[aggregate+position]')
    .between([`${noun}:`, Dexie.minKey], [`${noun};`, Dexie.minKey])
    .filter(isReplayed)
    .toArray();
  const operations = await operationsById(db, states);
  const waiting = new Map<string, O[]>();
  for (const { op_id, aggregate } of states) {
    const operation = operations.get(op_id);
    if (!operation || !isOf(operation)) continue;
    waiting.set(aggregate, [...(waiting.get(aggregate) ?? []), operation]);
  }
  return waiting;
}

/**
 * Rebases the named patients, and everybody with waiting updates. A row without a base is the server's. Requires a
 * transaction over `patients`, `patient_details`, `operations` and `operation_states`.
 */
export async function rebasePatients(db: ClinicDatabase, patientIds: readonly string[]): Promise<void> {
  const updates = await waitingOf(db, 'patient', isPatientOperation);
  const ids = [...new Set([...patientIds, ...subjectsOf([...updates.keys()]).patientIds])];
  const [named, detailed] = await Promise.all([db.patients.bulkGet(ids), db.patient_details.bulkGet(ids)]);
  await Promise.all(
    ids.map((id, at) => {
      const view = viewOfPatient(named[at], detailed[at], updates.get(patientAggregate(id)) ?? []);
      return storeView(db, id, view);
    }),
  );
}

export interface PatientView {
  /** Null deletes a row, and undefined leaves it. */
  row: PatientRow | null | undefined;
  details: PatientDetailsRow | null | undefined;
}

/** Returns the rows of a patient with updates replayed over what the server has. */
export function viewOfPatient(
  named: PatientRow | undefined,
  detailed: PatientDetailsRow | undefined,
  updates: readonly PatientOperation[],
): PatientView {
  const base = serverRow(named);
  const detailsBase = serverRow(detailed);
  const view = updates.reduce<FullPatientResource | null>(
    (patient, operation) => reducePatient(patient, operation, occurredAtMs(operation)),
    base && { ...base, ...(detailsBase ?? blankDetails) },
  );
  if (!view || updates.length === 0) {
    return {
      row: named?.base === undefined ? undefined : base && patientRow(base),
      details: detailed?.base === undefined ? undefined : detailsBase && detailsRow(detailsBase),
    };
  }
  const { email, notes, recipient, ...patient } = view;
  return {
    row: { ...patientRow(patient), unsent: 1, base },
    details: { ...detailsRow({ id: view.id, email, notes, recipient }), base: detailsBase },
  };
}

function serverRow<Resource extends { id: string }>(
  row: (Resource & { keys: string[]; unsent?: 1; base?: Resource | null }) | undefined,
): Resource | null {
  if (!row) return null;
  const { base, keys: _keys, unsent: _unsent, ...resource } = row;
  return base === undefined ? (resource as unknown as Resource) : base;
}

async function storeView(db: ClinicDatabase, id: string, { row, details }: PatientView): Promise<void> {
  if (row !== undefined) await (row ? db.patients.put(row) : db.patients.delete(id));
  if (details !== undefined) await (details ? db.patient_details.put(details) : db.patient_details.delete(id));
}
