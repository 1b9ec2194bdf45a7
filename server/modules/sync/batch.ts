/** A batch from a device: its form is judged operation by operation, then all are applied together, or each alone. */
import { isDrawerOperation } from '../../../domain/drawer/reducer.ts';
import { isOrderOperation } from '../../../domain/order/reducer.ts';
import { batchSchema, envelopeSchema, payloadSchemas } from '../../../domain/protocol/schemas.ts';
import { drawerAggregate, orderAggregate, stockAggregate } from '../../../domain/protocol/operations.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { Refusal } from '../../../domain/result.ts';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { DatabaseUnavailable, inTransaction, sqlState } from '../../db/transaction.ts';
import { fingerprintOf } from './receipts.ts';
import { applyOperations } from './apply.ts';
import type { ApplyContext, Incoming } from './apply.ts';
import { unreadable } from './facts.ts';
import { refusalReply } from './verdicts.ts';
import type { Outcome } from './verdicts.ts';
import { closedBy, isVoid } from './voids.ts';

export type RawOperation = z.infer<typeof batchSchema>['operations'][number];

/** Judges the form of one operation as received. A wrong form is no error of the batch: it refuses that operation alone. */
export function parseOperation(raw: RawOperation, receivedAtMs: number): Incoming {
  const envelope = envelopeSchema.safeParse(raw);
  if (!envelope.success) return malformed(raw, receivedAtMs, envelope.error);
  const { kind, payload } = envelope.data;
  const fingerprint = fingerprintOf(kind, payload);
  const parsed = payloadSchemas[kind].safeParse(payload);
  // A newer version's payload may look different; it waits for a server that knows it.
  const operation = { ...envelope.data, payload: parsed.success ? parsed.data : payload } as AnyOperation;
  if (envelope.data.v > 1) return { source: 'device', operation, fingerprint };
  if (!parsed.success) return { source: 'device', operation, fingerprint, malformed: validationRefusal(parsed.error) };
  const mismatch = misfit(operation);
  return { source: 'device', operation, fingerprint, ...(mismatch && { malformed: { code: 'VALIDATION', details: mismatch } }) };
}

/** What in an envelope does not go with the payload. */
function misfit(operation: AnyOperation): Record<string, string> | null {
  // Its receipt would send whoever follows it back to itself.
  if (closedBy(operation).includes(operation.op_id)) return { supersedes: 'is the operation itself' };
  if (isVoid(operation)) return operation.supersedes ? null : { supersedes: 'is required' };
  return aggregateOf(operation) === operation.aggregate ? null : { aggregate: 'does not match the payload' };
}

function aggregateOf(operation: Exclude<AnyOperation, { kind: 'operation.void' }>): string {
  if (isDrawerOperation(operation)) return drawerAggregate(operation.payload.drawer_id);
  return isOrderOperation(operation) ? orderAggregate(operation.payload.order_id) : stockAggregate(operation.payload.stock_id);
}

/** Enough of an envelope to store the refusal under the operation's id. */
function malformed(raw: RawOperation, receivedAtMs: number, error: z.ZodError): Incoming {
  const operation = {
    op_id: raw.op_id, device_id: integer(raw.device_id), device_seq: integer(raw.device_seq), aggregate: unreadable,
    depends_on: [], kind: 'unknown', v: 1, payload: {}, actor_id: integer(raw.actor_id),
    occurred_at: new Date(receivedAtMs).toISOString(), clock_offset_ms: null,
  } as unknown as AnyOperation;
  return { source: 'device', operation, fingerprint: fingerprintOf('unknown', raw), malformed: validationRefusal(error) };
}

/** The value where a database integer can hold it, else 0. */
function integer(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : 0;
}

/** Where a form is wrong, by path; never the value, which may be a patient's. */
function validationRefusal(error: z.ZodError): Refusal {
  const details = Object.fromEntries(error.issues.slice(0, 5).map((issue) => [issue.path.join('.') || 'body', issue.message]));
  return { code: 'VALIDATION', details };
}

/**
 * Applies a batch in one transaction. If that fails for a reason nobody foresaw, each operation gets a transaction of its
 * own, so that one poisoned operation is undone alone (SYNC-3).
 */
export async function applyBatch(
  pool: Pool,
  context: ApplyContext,
  incoming: readonly Incoming[],
  onFault: (error: unknown, opId: string | null) => void,
): Promise<Outcome[]> {
  try {
    return await inTransaction(pool, (sql) => applyOperations(sql, context, incoming));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    onFault(error, null);
  }
  const outcomes: Outcome[] = [];
  for (const one of incoming) outcomes.push(await applyAlone(pool, context, one, onFault));
  return outcomes;
}

async function applyAlone(pool: Pool, context: ApplyContext, one: Incoming, onFault: (error: unknown, opId: string) => void): Promise<Outcome> {
  const apply = async (incoming: Incoming) => (await inTransaction(pool, (sql) => applyOperations(sql, context, [incoming])))[0]!;
  try {
    return await apply(one);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    onFault(error, one.operation.op_id);
    // What PostgreSQL cannot store as it stands will not get better by sending it again.
    if (isDataFault(error)) return apply({ ...one, operation: { ...one.operation, payload: {} } as AnyOperation, malformed: { code: 'VALIDATION' } });
    const { text, httpStatus } = refusalReply({ code: 'TRY_AGAIN' });
    return { op_id: one.operation.op_id, status: 'waiting', replayed: false, reply: text, httpStatus };
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const isDataFault = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');
