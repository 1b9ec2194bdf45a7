/** A batch from a device: its form is judged operation by operation, then all are applied together, or each alone. */
import { isDrawerOperation, drawerAggregate } from '../../domain/drawer/operations.ts';
import { isOrderOperation, orderAggregate } from '../../domain/order/operations.ts';
import { batchSchema, envelopeSchema, payloadSchemas } from '../../domain/protocol/operation-schemas.ts';
import { stockAggregate } from '../../domain/stock/operations.ts';
import { operationVersion } from '../../domain/protocol/operations.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { Refusal } from '../../domain/result.ts';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { isoOf } from '../db/sql.ts';
import { DatabaseUnavailable, inTransaction, sqlState } from '../db/transaction.ts';
import { fingerprintOf } from './receipts.ts';
import { applyOperations } from './apply.ts';
import type { ApplyContext, Incoming } from './apply.ts';
import { unreadable } from './describe.ts';
import { refusalReply } from './outcome.ts';
import type { Outcome } from './outcome.ts';
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
  if (envelope.data.v > operationVersion) return { source: 'device', operation, fingerprint };
  if (!parsed.success) return { source: 'device', operation, fingerprint, malformed: validationRefusal(parsed.error) };
  const mismatch = misfit(operation);
  return {
    source: 'device',
    operation,
    fingerprint,
    ...(mismatch && { malformed: { code: 'VALIDATION', details: mismatch } }),
  };
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
  return isOrderOperation(operation)
    ? orderAggregate(operation.payload.order_id)
    : stockAggregate(operation.payload.stock_id);
}

/** As much of an envelope as has its form, so that a manager sees whose work was refused and can give it up. */
function malformed(raw: RawOperation, receivedAtMs: number, error: z.ZodError): Incoming {
  const legible = Object.entries(envelopeSchema.omit({ v: true }).shape).flatMap(([field, schema]) => {
    const { success, data } = schema.safeParse(raw[field]);
    return success ? [[field, data]] : [];
  });
  const operation = { ...blank(raw.op_id, receivedAtMs), ...Object.fromEntries(legible) } as AnyOperation;
  return {
    source: 'device',
    operation,
    fingerprint: fingerprintOf(unreadable, raw),
    malformed: validationRefusal(error),
  };
}

/** An envelope that says nothing, and under which anything can be stored. */
function blank(opId: string, receivedAtMs: number): AnyOperation {
  return {
    op_id: opId,
    device_id: 0,
    device_seq: 0,
    aggregate: unreadable,
    depends_on: [],
    kind: unreadable,
    v: operationVersion,
    payload: {},
    actor_id: 0,
    occurred_at: isoOf(receivedAtMs),
    clock_offset_ms: null,
  } as unknown as AnyOperation;
}

/** Where a form is wrong, by path; never the value, which may be a patient's. */
function validationRefusal(error: z.ZodError): Refusal {
  const details = Object.fromEntries(
    error.issues.slice(0, 5).map((issue) => [issue.path.join('.') || 'body', issue.message]),
  );
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

async function applyAlone(
  pool: Pool,
  context: ApplyContext,
  one: Incoming,
  onFault: (error: unknown, opId: string) => void,
): Promise<Outcome> {
  const opId = one.operation.op_id;
  const refusedAs = (operation: AnyOperation): Incoming => ({
    ...one,
    operation,
    malformed: one.malformed ?? { code: 'VALIDATION' },
  });
  const emptied = { ...one.operation, payload: {} } as AnyOperation;
  for (const incoming of [one, refusedAs(emptied), refusedAs(blank(opId, context.receivedAtMs))]) {
    try {
      const [outcome] = await inTransaction(pool, (sql) => applyOperations(sql, context, [incoming]));
      return outcome!;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      onFault(error, opId);
      // What PostgreSQL cannot store as it stands will not get better by sending it again: it is refused, with less and less of it.
      if (!isDataFault(error)) break;
    }
  }
  const { text, httpStatus } = refusalReply({ code: 'TRY_AGAIN' });
  return { op_id: opId, status: 'waiting', replayed: false, reply: text, httpStatus };
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const isDataFault = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');
