/** The state that a batch is decided on: read as sets, and kept in step with the decisions. */
import type { Sql } from '../db/sql.ts';
import { closes, isReadable } from './incoming.ts';
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
    loadActors(sql, clinicId, context.uploadedBy, operations),
    Promise.all(registry.modules.map(loadPart)),
  ]);
  const dependencies = operations.flatMap(({ depends_on }) => depends_on);
  const lastReplacements = await loadLastReplacements(sql, clinicId, receipts, dependencies);
  return { receipts, lastReplacements, actors, parts: new Map(parts) };
}
