import type { StockTransactionResource } from '#domain/stock/resources.ts';

/**
 * Returns why a transaction left the quantity unchanged: `included` for a change that a later count already contains,
 * `overtaken` for a count that later transactions replaced. Returns null for a transaction that took effect.
 */
export function noEffectReason({
  is_count,
  quantity,
  effect,
  new_quantity,
}: Pick<StockTransactionResource, 'is_count' | 'quantity' | 'effect' | 'new_quantity'>):
  | 'included'
  | 'overtaken'
  | null {
  if (effect !== 0) return null;
  if (is_count) return quantity === new_quantity ? null : 'overtaken';
  return quantity === 0 ? null : 'included';
}
