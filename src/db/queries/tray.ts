/** Queries the unsent money, voided operations and outages for the outbox page. */
import { isVoid } from '#domain/protocol/operations.ts';
import type { VoidOperation } from '#domain/protocol/operations.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import type { ClinicDatabase, OperationState, OutageRow } from '../database.ts';
import type { OutboxEntry } from '../dependants.ts';
import { withStatus } from '../operation-state.ts';
import { salesUntil, maxOutages } from '../outages.ts';
import { moneyOf, queuedPayments } from '../queued-payments.ts';
import { withOperations } from './outbox.ts';

export interface UnsentMoney {
  /** Payments and refunds that the server has not answered for or has refused. */
  payments: number;
  totalMinor: number;
  /** Contains only the methods that occur. */
  byMethod: { method: PaymentMethod; count: number; amountMinor: number }[];
}

/** Sums up the payments and refunds that wait or lie in the tray. */
export async function unsentMoney(db: ClinicDatabase): Promise<UnsentMoney> {
  const refused = await withStatus(db, 'attention').toArray();
  const moved = [...(await queuedPayments(db)), ...(await moneyOf(db, refused))];
  const byMethod = new Map<PaymentMethod, { count: number; amountMinor: number }>();
  for (const { method, amountMinor } of moved) {
    const sum = byMethod.get(method) ?? { count: 0, amountMinor: 0 };
    byMethod.set(method, { count: sum.count + 1, amountMinor: sum.amountMinor + amountMinor });
  }
  return {
    payments: moved.length,
    totalMinor: moved.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    byMethod: [...byMethod].map(([method, sum]) => ({ method, ...sum })),
  };
}

export interface VoidedEntry extends OutboxEntry {
  /** The void, if it was made on this device. */
  voidOperation: (VoidOperation & { isSent: boolean }) | null;
}

/** Returns the voided operations, newest first, until they are pruned. */
export async function voidedEntries(db: ClinicDatabase, { limit }: { limit: number }): Promise<VoidedEntry[]> {
  const entries = await withOperations(
    db,
    await db.operation_states.orderBy('voided_at').reverse().limit(limit).toArray(),
  );
  return Promise.all(entries.map(async (entry) => ({ ...entry, voidOperation: await voidOf(db, entry.state) })));
}

async function voidOf(db: ClinicDatabase, { superseded_by }: OperationState): Promise<VoidedEntry['voidOperation']> {
  if (superseded_by === null) return null;
  const [operation, state] = await Promise.all([
    db.operations.get(superseded_by),
    db.operation_states.get(superseded_by),
  ]);
  if (!operation || !isVoid(operation)) return null;
  return { ...operation, isSent: state?.status === 'accepted' || state?.status === 'settled' };
}

/** Returns the outages, newest first. A running outage has its sales so far. */
export async function listOutages(db: ClinicDatabase, nowMs: number): Promise<OutageRow[]> {
  const outages = await db.outages.reverse().limit(maxOutages).toArray();
  const [latest, ...earlier] = outages;
  if (latest?.ended_at !== null) return outages;
  return [{ ...latest, ...(await salesUntil(db, nowMs)) }, ...earlier];
}

/** Returns the names, by id, of the users who may sign in on this device offline. */
export async function userNames(db: ClinicDatabase): Promise<Map<number, string>> {
  const people = await db.verifiers.toArray();
  return new Map(people.map(({ user }) => [user.id, user.name]));
}

/** Returns all unsettled operations in the order of sending, for a rescue file. */
export async function unsettledEntries(db: ClinicDatabase): Promise<OutboxEntry[]> {
  const open = await db.operation_states.filter(({ status }) => status !== 'settled').toArray();
  return withOperations(
    db,
    open.sort((a, b) => a.position - b.position || a.device_seq - b.device_seq),
  );
}
