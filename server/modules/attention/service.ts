/** Attention items (SYNC-4, SYNC-11). Managers see them on any device, so a lost tablet loses no tray. */
import type { AttentionResource } from '../../../domain/protocol/sync.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { Sql } from '../../db/sql.ts';
import { recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';
import { lockAttention, markSettled } from './store.ts';

export {
  clearOrderConcerns,
  clearRefusals,
  feedAttention,
  openAttention,
  openOrderConcerns,
  raiseAttention,
  unknownUnproven,
  updateOrderConcerns,
} from './store.ts';
export type { AttentionKind, Concern } from './store.ts';

export interface Settling {
  id: number;
  reason: string;
  atMs: number;
}

/**
 * Settles an item for a manager. An item that is settled already stays as it is. The reason may name a patient, so it
 * stands only on the item and not in the audit log.
 */
export async function settleAttention(
  sql: Sql,
  actor: Actor,
  { id, reason, atMs }: Settling,
): Promise<Result<AttentionResource>> {
  const { clinicId, userId } = actor;
  const item = await lockAttention(sql, clinicId, id);
  if (!item) return refuse('NOT_FOUND');
  if (item.kind === 'refused') return refuse('ATTENTION_IS_REFUSAL');
  if (item.settled_at !== null) return accept(item);
  const settled = await markSettled(sql, clinicId, { id, reason, atMs, userId });
  const { number } = item.details;
  const details = { kind: item.kind, ...(number !== undefined && { number }) };
  await recordAudit(sql, actor, { action: 'attention.settled', subject: String(id), details, at: atMs });
  return accept(settled);
}
