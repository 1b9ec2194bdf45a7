/** Adjusts stock levels from the tablet. */
import { adjustedQuantity, stockAggregate } from '#domain/stock/operations.ts';
import type { AdjustStockPayload } from '#domain/stock/operations.ts';
import { maxMilli, textLimits } from '#domain/limits.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { stockKey, withQuantity } from '../rows.ts';
import { commit } from '../write.ts';
import type { WriteContext } from '../write.ts';
import { storableText } from './storable-text.ts';

export interface StockAdjustment {
  stockId: number;
  action: AdjustStockPayload['action'];
  /** Quantity in the item's unit, with up to three decimals. */
  amount: number;
  notes?: string;
}

/** An adjustment depends on no other: deltas commute, and a count carries its time (SYNC-10). */
export function adjustStock(
  context: WriteContext,
  { stockId, action, amount, notes }: StockAdjustment,
): Promise<Result<{ stockId: number; quantityMilli: number }>> {
  const { db } = context;
  return commit(context, [db.catalogue], async (write) => {
    const item = await db.catalogue.get(stockKey(stockId));
    if (item?.quantity_milli == null) return refuse('STOCK_NOT_FOUND');
    const amountMilli = milliFromWire(amount);
    const least = action === 'set' ? 0 : 1;
    if (!(amountMilli >= least && amountMilli <= maxMilli)) return refuse('AMOUNT_INVALID');
    const stored = storableText(notes, textLimits.notes);
    const payload = {
      stock_id: stockId,
      action,
      amount: milliToWire(amountMilli),
      ...(stored !== undefined && { notes: stored }),
    };
    write.append({ kind: 'stock.adjust', aggregate: stockAggregate(stockId), payload, dependsOn: [] });
    const quantityMilli = adjustedQuantity(item.quantity_milli, payload);
    await db.catalogue.put(withQuantity(item, quantityMilli));
    return accept({ stockId, quantityMilli });
  });
}
