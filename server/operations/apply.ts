/**
 * Applying operations. One transaction judges a batch: everything it needs is locked and read as sets, the pure rules of
 * `domain` decide and compute in memory, and effects and receipts are written as sets (SYNC-3, SYNC-4). A refused or
 * waiting operation leaves nothing behind because nothing is written before all are judged.
 *
 * Locks are taken in one order everywhere, so batches cannot wait for each other in a circle: aggregates by key, then
 * receipts by id, then patients by id, then devices by id, then stock items by id.
 */
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { Refusal } from '../../domain/result.ts';
import type { Sql } from '../db/sql.ts';
import { Findings } from './write-set.ts';
import { Judge } from './decide.ts';
import { readKnown } from './loaded.ts';
import { lockAggregates } from './store.ts';
import type { Outcome } from './outcome.ts';

/** An operation as it reached the server, its form already judged. */
export interface Incoming {
  /** A device's queued fact, or a REST call that this process turned into one. */
  source: 'device' | 'request';
  operation: AnyOperation;
  fingerprint: string;
  /** Set when the form was wrong: the operation is refused whatever it says. */
  malformed?: Refusal;
}

export interface ApplyContext {
  clinicId: number;
  uploadedBy: number;
  receivedAtMs: number;
  timeZone: string;
  /** A discount above this much of the subtotal is a manager's to give. */
  discountLimitPercent: number;
}

/** Applies operations in the order given, inside the caller's transaction. One outcome per operation, in the same order. */
export async function applyOperations(
  sql: Sql,
  context: ApplyContext,
  incoming: readonly Incoming[],
): Promise<Outcome[]> {
  const { clinicId } = context;
  await lockAggregates(
    sql,
    clinicId,
    incoming.map(({ operation }) => operation.aggregate),
  );
  const known = await readKnown(sql, clinicId, incoming);
  const findings = new Findings(context, known);
  const judge = new Judge(context, known, findings);
  const outcomes: Outcome[] = [];
  for (const one of incoming) outcomes.push(await judge.decide(sql, one));
  await findings.write(sql);
  return outcomes;
}
