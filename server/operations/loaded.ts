/** The state that a batch is decided on: read as sets, and kept in step with the decisions. */
import { mayReplace } from '#domain/permissions.ts';
import { isVoid } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Sql } from '../db/sql.ts';
import { closes, isReadable, unreadable } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import type { BatchContext, BatchPart, OperationModule } from './operation-module.ts';
import { loadLastReplacements, loadReceipts, lockReceipts } from './receipts.ts';
import type { LastReplacements, Receipt } from './receipts.ts';
import type { OperationRegistry } from './registry.ts';
import { loadActors } from './store.ts';
import type { Actors } from './store.ts';

export interface Loaded {
  receipts: Map<string, Receipt>;
  lastReplacements: LastReplacements;
  actors: Actors;
  parts: Map<OperationModule, BatchPart>;
}

/** Returns whether the actor of an operation, or who approved it, may replace one. The receipt's actor is proven (SYNC-8). */
export const isReplacedBy = (
  old: Receipt | undefined,
  { actor_id, approval }: AnyOperation,
  { users }: Actors,
): boolean =>
  [actor_id, approval?.actor_id].some((id) => {
    const person = id === undefined ? undefined : users.get(id);
    return (
      person !== undefined && mayReplace({ id: id!, role: person.role }, id === actor_id ? old?.actor_id : undefined)
    );
  });

/** The kind in the receipt of an operation that was replaced or voided and never arrived. */
export const neverArrived = 'absent';

/** Returns whether the actor of an operation, or who approved it, may void any. */
export const mayVoid = (operation: AnyOperation, actors: Actors): boolean => isReplacedBy(undefined, operation, actors);

/**
 * Returns whether an operation says the same thing anew: it has the aggregate of the other one, because order holds within an
 * aggregate (SYNC-5), and its kind, so that nobody replaces what is refused by what is allowed. A void is about any kind.
 */
export const standsFor = (operation: AnyOperation, old: Receipt): boolean =>
  [operation.aggregate, unreadable].includes(old.aggregate) &&
  (isVoid(operation) || [operation.kind, unreadable, neverArrived].includes(old.kind));

/** The caller holds the locks of all aggregates. The receipts that the operations close are locked here. */
export async function loadBatch(
  sql: Sql,
  registry: OperationRegistry,
  context: BatchContext,
  incoming: readonly Incoming[],
): Promise<Loaded> {
  const { clinicId } = context;
  const operations = incoming.map(({ operation }) => operation);
  const readable = incoming.filter(isReadable).map(({ operation }) => operation);
  const closed = incoming.flatMap(closes);
  await lockReceipts(sql, clinicId, closed);
  const ids = operations.flatMap(({ op_id, depends_on }) => [op_id, ...depends_on]);
  const loadPart = async (module: OperationModule): Promise<[OperationModule, BatchPart]> => {
    const own = readable.filter((operation) => registry.moduleOf(operation) === module);
    return [module, await module.load(sql, context, own)];
  };
  const [receipts, actors, parts] = await Promise.all([
    loadReceipts(sql, clinicId, [...closed, ...ids]),
    loadActors(sql, clinicId, context.uploadedBy, operations, context.receivedAtMs),
    Promise.all(registry.modules.map(loadPart)),
  ]);
  const dependencies = operations.flatMap(({ depends_on }) => depends_on);
  const lastReplacements = await loadLastReplacements(sql, clinicId, receipts, dependencies);
  return { receipts, lastReplacements, actors, parts: new Map(parts) };
}
