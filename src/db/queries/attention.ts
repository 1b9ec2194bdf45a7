/** Queries the attention items that need somebody, for the outbox page and the pill in the header. */
import { flagsOf, isOrderFlag } from '#domain/order/flags.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import type { ClinicDatabase } from '../database.ts';
import { isReplayed, statesOf } from '../operation-state.ts';
import { serverAttention } from './outbox.ts';

/**
 * Returns the open attention items that this device's tray does not show: those of other devices, and flags of treatments. An
 * item that this device is voiding or correcting is left out.
 */
export async function remoteAttention(db: ClinicDatabase): Promise<AttentionResource[]> {
  const items = await serverAttention(db);
  const isOpenHere = await Promise.all(items.map((item) => isOpenElsewhere(db, item)));
  return items.filter((_item, index) => isOpenHere[index]);
}

async function isOpenElsewhere(
  db: ClinicDatabase,
  { kind, op_id, order_id, details }: AttentionResource,
): Promise<boolean> {
  if (isOrderFlag(kind)) {
    const row = order_id === null ? undefined : await db.orders.get(order_id);
    // Unsent operations of this device may have cleared the flag.
    return row?.unsent !== 1 || flagsOf(row).includes(kind);
  }
  if (kind !== 'refused' || op_id === null) return true;
  // The operation is in this device's tray, or replaced here and not yet settled on the server.
  if (await db.operation_states.get(op_id)) return false;
  const states = (await statesOf(db, String(details['aggregate']))).filter(isReplayed);
  const operations = await db.operations.bulkGet(states.map((state) => state.op_id));
  return !operations.some((operation) => operation?.supersedes === op_id);
}
