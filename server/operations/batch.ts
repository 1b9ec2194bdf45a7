import type { Pool } from 'pg';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { DatabaseUnavailable, inTransaction, sqlState } from '../db/transaction.ts';
import { applyOperations } from './apply.ts';
import { blankOperation } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import type { BatchContext } from './operation-module.ts';
import type { OperationRegistry } from './registry.ts';
import { refusalReply } from './reply.ts';
import type { Outcome } from './reply.ts';

/** Hears of a failure that is not a refusal; `opId` is null for the batch as a whole. */
type OnFailure = (error: unknown, opId: string | null) => void;

interface Batch {
  pool: Pool;
  registry: OperationRegistry;
  context: BatchContext;
  onFailure: OnFailure;
}

/**
 * Applies a batch from a device in one transaction. If that fails unexpectedly, each operation gets a transaction of
 * its own, so that a poisoned operation is undone alone (SYNC-3).
 */
export async function applyBatch(batch: Batch, incoming: readonly Incoming[]): Promise<Outcome[]> {
  const { pool, registry, context, onFailure } = batch;
  try {
    return await inTransaction(pool, (sql) => applyOperations(sql, registry, context, incoming));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    onFailure(error, null);
  }
  const outcomes: Outcome[] = [];
  for (const one of incoming) outcomes.push(await applyAlone(batch, one));
  return outcomes;
}

async function applyAlone({ pool, registry, context, onFailure }: Batch, one: Incoming): Promise<Outcome> {
  const opId = one.operation.op_id;
  const refusedAs = (operation: AnyOperation): Incoming => ({
    ...one,
    operation,
    malformed: one.malformed ?? { code: 'VALIDATION' },
  });
  const emptied = { ...one.operation, payload: {} } as AnyOperation;
  for (const incoming of [one, refusedAs(emptied), refusedAs(blankOperation(opId, context.receivedAtMs))]) {
    try {
      const [outcome] = await inTransaction(pool, (sql) => applyOperations(sql, registry, context, [incoming]));
      return outcome!;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      onFailure(error, opId);
      // PostgreSQL would never store this data. The operation is refused, first without its payload, then with an empty
      // envelope.
      if (!isDataError(error)) break;
    }
  }
  const { text, httpStatus } = refusalReply({ code: 'TRY_AGAIN' });
  return { op_id: opId, status: 'waiting', replayed: false, reply: text, httpStatus };
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const isDataError = (error: unknown): boolean => /^2[23]/.test(sqlState(error) ?? '');
