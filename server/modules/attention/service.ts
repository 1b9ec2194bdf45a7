/** Attention items (SYNC-4, SYNC-11). Managers see them on any device, so a lost tablet loses no tray. */
import { isApprovable } from '#domain/attention.ts';
import { isVoidable } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Sql } from '#server/db/sql.ts';
import type { WriteContext } from '#server/context.ts';
import { approveOperation } from '#server/operations/approve.ts';
import type { OperationRegistry } from '#server/operations/registry.ts';
import { audit, recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';
import { findAttention, lockAttention, markSettled } from './store.ts';

export {
  clearClinicConcern,
  clearConcernsOf,
  clearDocumentConcerns,
  clearOrderConcerns,
  clearRefusals,
  countOpenAttention,
  eraseTextsOfItems,
  feedAttention,
  openAttention,
  openOrderConcerns,
  stateClinicConcern,
  updateOrderConcerns,
} from './store.ts';
export { raiseAttention } from './raise-store.ts';
export type { AttentionKind, Concern } from './raise-store.ts';

export interface Settling {
  id: number;
  reason: string;
  atMs: number;
}

/**
 * Settles an item for a manager. An item that is settled already stays as it is. A refusal is settled by a replacement or a
 * void, except one that can't be voided: its tablet may be lost. The reason may name a patient, so it is only on the
 * item and not in the audit log.
 */
export async function settleAttention(
  sql: Sql,
  actor: Actor,
  { id, reason, atMs }: Settling,
): Promise<Result<AttentionResource>> {
  const { clinicId, userId } = actor;
  const item = await lockAttention(sql, clinicId, id);
  if (!item) return refuse('NOT_FOUND');
  if (item.kind === 'refused' && isVoidable(item.op_kind ?? '')) return refuse('ATTENTION_IS_REFUSAL');
  if (item.settled_at !== null) return accept(item);
  const settled = await markSettled(sql, clinicId, { id, reason, atMs, userId });
  const { number } = item.details;
  const details = { kind: item.kind, ...(number !== undefined && { number }) };
  await recordAudit(sql, actor, { action: 'attention.settled', subject: String(id), details, at: atMs });
  return accept(settled);
}

/**
 * Applies an item's work, which came from a revoked device or under an ended key, and settles the item. Work that is refused for
 * another reason gets a new item.
 */
export async function approveWork(
  registry: OperationRegistry,
  context: WriteContext,
  { id, reason }: Omit<Settling, 'atMs'>,
): Promise<Result<AttentionResource>> {
  const { sql, clinicId, userId, atMs } = context;
  const item = await findAttention(sql, clinicId, id);
  if (!item) return refuse('NOT_FOUND');
  if (!isApprovable(item)) return refuse('ATTENTION_NOT_APPROVABLE');
  const { aggregate, number } = item.details;
  const applied = await approveOperation(registry, context, { opId: item.op_id!, aggregate: String(aggregate) });
  if (!applied.ok) return applied;
  const details = { ...(item.op_kind && { kind: item.op_kind }), ...(number !== undefined && { number }) };
  await audit(context, { action: 'operation.approved', subject: item.op_id!, details });
  return accept(await markSettled(sql, clinicId, { id, reason, atMs, userId }));
}
