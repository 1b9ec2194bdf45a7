/** Every writer of a shown quantity goes through here, so that the index of what runs out never disagrees with it. */
import { stockState } from '../../domain/stock/ledger.ts';
import type { CatalogueItem } from './database.ts';

/** A stock item with so much on the shelf. Thousandths. */
export function withQuantity(item: CatalogueItem, quantityMilli: number): CatalogueItem {
  const { shortage: _left, ...rest } = item;
  const state = stockState(quantityMilli, item.low_stock_threshold_milli ?? 0);
  return { ...rest, quantity_milli: quantityMilli, ...(state !== 'in_stock' && { shortage: state }) };
}
