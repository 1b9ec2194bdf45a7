/** Deletes old rows that are on the server and have no waiting operations, a few at a time, and old verifiers. */
import { dayMs } from '#domain/durations.ts';
import { Dexie } from 'dexie';
import type { OrderStatus } from '#domain/order/vocabulary.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import type { ClinicDatabase } from '#src/db/database.ts';
import { pruneVerifiers } from '#src/db/verifiers.ts';
import { isSettled, statesOf } from '#src/db/operation-state.ts';
import { clinicSettings } from '#src/db/singletons.ts';

const keepOrdersMs = 7 * dayMs;
const maxDeletions = 200;

export async function prune(db: ClinicDatabase, nowMs: number): Promise<void> {
  // SYNC-16: operations can be sent again to a restored server for this long.
  const { tablet_keep_days } = await clinicSettings(db);
  await pruneOperations(db, nowMs - tablet_keep_days * dayMs);
  await pruneOrders(db, 'completed', nowMs - keepOrdersMs);
  await pruneOrders(db, 'cancelled', nowMs - keepOrdersMs);
  await pruneVerifiers(db, nowMs);
}

function pruneOperations(db: ClinicDatabase, beforeMs: number): Promise<void> {
  return db.transaction('rw', [db.operations, db.operation_states], async () => {
    const opIds = await db.operation_states
      .where('[status+changed_at]')
      .between(['settled', Dexie.minKey], ['settled', beforeMs])
      .limit(maxDeletions)
      .primaryKeys();
    await Promise.all([db.operations.bulkDelete(opIds), db.operation_states.bulkDelete(opIds)]);
  });
}

function pruneOrders(db: ClinicDatabase, status: OrderStatus, beforeMs: number): Promise<void> {
  return db.transaction('rw', [db.orders, db.documents, db.operation_states], async () => {
    const old = await db.orders
      .where('[status+updatedAtMs]')
      .between([status, Dexie.minKey], [status, beforeMs])
      .limit(maxDeletions)
      .primaryKeys();
    const histories = await Promise.all(old.map((id) => statesOf(db, orderAggregate(id))));
    const orderIds = old.filter((_id, index) => histories[index]!.every(isSettled));
    await Promise.all([db.orders.bulkDelete(orderIds), db.documents.where('order_id').anyOf(orderIds).delete()]);
  });
}
