/** The catalogue as other modules use it: supplies and services (stock), products made of them, and their categories. */
import type { AdjustStockPayload } from '../../../domain/stock/operations.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { StockResource } from '../../../domain/stock/resources.ts';
import type { Sql } from '../../db/sql.ts';
import { documentsOf } from './catalogue-store.ts';

export { feedCatalogue, loadPrices, loadSellables } from './catalogue-store.ts';

/** Lock key of all writes to a clinic's catalogue: no ingredient is deleted while a product that uses it is saved. */
export const catalogueLock = 'catalogue';

/**
 * Refuses a requested adjustment of an item that does not exist or is not stocked. A fact from a device is recorded in
 * either case; without a stock it has no effect.
 */
export async function decideAdjustment(
  sql: Sql,
  clinicId: number,
  payload: AdjustStockPayload,
): Promise<Result<AdjustStockPayload>> {
  if (payload.action !== 'set' && payload.amount === 0) return refuse('AMOUNT_INVALID');
  const [item] = await documentsOf<StockResource>(sql, clinicId, 'stock', [payload.stock_id]);
  if (!item) return refuse('STOCK_NOT_FOUND', { stock_id: payload.stock_id });
  return item.is_stocked ? accept(payload) : refuse('STOCK_NOT_STOCKED', { stock_id: payload.stock_id });
}
