/**
 * Preparation of the lines of treatments. Callers hold the treatment's lock; this never changes its money or its
 * status.
 */
import type { MovedItemResource } from '#domain/preparation/resources.ts';
import { decideStep } from '#domain/preparation/steps.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Sql } from '#server/db/sql.ts';
import { recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';
import { loadItem, saveStatus } from './store.ts';

export interface Move {
  orderId: string;
  itemId: string;
  status: PreparationStatus;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** Moves an item one step forward or back. Nothing is written when the item is already there. */
export async function moveItem(sql: Sql, actor: Actor, move: Move): Promise<Result<MovedItemResource>> {
  const { orderId, itemId, status, atMs } = move;
  const item = await loadItem(sql, actor.clinicId, move);
  if (!item) return refuse('PREPARATION_ITEM_NOT_FOUND');
  if (item.orderStatus === 'cancelled') return refuse('ORDER_CANCELLED');
  const agreed = decideStep(item.status, status);
  if (!agreed.ok) return agreed;
  if (status !== item.status) {
    await saveStatus(sql, actor.clinicId, move);
    const details = { number: item.orderNumber, item: itemId, from: item.status, to: status };
    await recordAudit(sql, actor, {
      action: 'preparation.moved',
      subject: `order:${orderId}`,
      details,
      at: atMs,
    });
  }
  return accept({ order_id: orderId, id: itemId, status });
}
