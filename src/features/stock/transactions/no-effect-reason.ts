/** What is worth saying about a transaction beside its figures. */
import type { StockTransactionResource } from '../../../../domain/stock/resources.ts';

/**
 * Why a movement that said something left the level as it was: `included` of a change that a later count already holds,
 * `overtaken` of a count that what happened after it has made out of date. Null where it did what it says.
 */
export function noEffectReason({
  is_count,
  quantity,
  effect,
  new_quantity,
}: Pick<StockTransactionResource, 'is_count' | 'quantity' | 'effect' | 'new_quantity'>):
  'included' | 'overtaken' | null {
  if (effect !== 0) return null;
  if (is_count) return quantity === new_quantity ? null : 'overtaken';
  return quantity === 0 ? null : 'included';
}
