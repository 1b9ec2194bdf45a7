/** Reads the payments and refunds in the outbox, page by page: a long outbox is never in memory as a whole. */
import { summarizeOperation } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import type { ClinicDatabase, OperationState } from './database.ts';

export interface MoneyMoved {
  /** Time by this device's clock (milliseconds). */
  atMs: number;
  method: PaymentMethod;
  /** Negative for a refund. */
  amountMinor: number;
}

const pageSize = 200;

/** Returns the payments and refunds that the server has not answered for, in the order of sending. */
export async function queuedPayments(db: ClinicDatabase): Promise<MoneyMoved[]> {
  const moved: MoneyMoved[] = [];
  for (let place = 0; ;) {
    const states = await db.operation_states.where('queue_place').above(place).limit(pageSize).toArray();
    moved.push(...(await moneyOf(db, states)));
    if (states.length < pageSize) return moved;
    place = states.at(-1)!.position;
  }
}

export async function moneyOf(db: ClinicDatabase, states: readonly OperationState[]): Promise<MoneyMoved[]> {
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  return operations.flatMap((operation) => (operation ? moneyMoved(operation) : []));
}

function moneyMoved(operation: AnyOperation): MoneyMoved[] {
  const { method, amountMinor } = summarizeOperation(operation);
  return method ? [{ atMs: Date.parse(operation.occurred_at), method, amountMinor: amountMinor || 0 }] : [];
}
