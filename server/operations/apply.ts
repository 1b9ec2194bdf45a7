/**
 * Applies operations. One transaction handles a batch: everything that it needs is locked and read as sets, the modules
 * decide in memory by the pure rules of `domain`, and effects and receipts are written as sets (SYNC-3, SYNC-4).
 *
 * Locks are taken in one order everywhere, so batches never deadlock: aggregates by key, then receipts by id, then the
 * rows that the modules lock, in the order of their list and by id.
 */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Sql } from '../db/sql.ts';
import { Decider } from './decide.ts';
import { isReadable } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { loadBatch } from './loaded.ts';
import type { BatchContext } from './operation-module.ts';
import type { OperationRegistry } from './registry.ts';
import type { Outcome } from './reply.ts';
import { lockBatch } from './store.ts';
import { WriteSet } from './write-set.ts';

/** Applies operations in the order given, inside the caller's transaction. Returns their outcomes in the same order. */
export async function applyOperations(
  sql: Sql,
  registry: OperationRegistry,
  context: BatchContext,
  received: readonly Incoming[],
): Promise<Outcome[]> {
  const aggregates = received.map(({ operation }) => operation.aggregate);
  // Sent one after the other: PostgreSQL starts to read when it holds the locks.
  const [, incoming] = await Promise.all([
    lockBatch(sql, context.clinicId, aggregates),
    screenBatch(sql, registry, context.clinicId, received),
  ]);
  const loaded = await loadBatch(sql, registry, context, incoming);
  const writeSet = new WriteSet(registry, context, loaded);
  const decider = new Decider(registry, context, loaded, writeSet);
  const outcomes = incoming.map((one) => decider.decide(one));
  await writeSet.write(sql);
  return outcomes;
}

/** Has the registered screens rewrite operations before they are decided. */
async function screenBatch(
  sql: Sql,
  { registered: { screens } }: OperationRegistry,
  clinicId: number,
  incoming: readonly Incoming[],
): Promise<readonly Incoming[]> {
  let screened = incoming;
  for (const screen of screens) {
    const arrivals = screened.map((one) => ({ operation: one.operation, isReadable: isReadable(one) }));
    const rewritings = await screen.screen(sql, clinicId, arrivals);
    screened = screened.map((one, index) => {
      const rewriting = rewritings[index];
      if (!rewriting) return one;
      const operation = { ...one.operation, payload: rewriting.payload } as AnyOperation;
      return { ...one, operation, receipt: rewriting.receipt };
    });
  }
  return screened;
}
