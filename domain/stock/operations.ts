/** The operation of stock: an adjustment by hand. Deltas commute and a count carries its time (SYNC-10). */
import { reducerOf } from '../wire/envelope.ts';
import type { Envelope, KindDefinitions, OperationsOf } from '../wire/envelope.ts';
import { milliFromWire } from '../quantity.ts';

export interface AdjustStockPayload {
  stock_id: number;
  action: 'add' | 'subtract' | 'set';
  amount: number;
  notes?: string | undefined;
}

export interface StockPayloads {
  'stock.adjust': AdjustStockPayload;
}

export type StockOperation = OperationsOf<StockPayloads>;

export const isStockOperation = (operation: Envelope<string, unknown>): operation is StockOperation =>
  operation.kind.startsWith('stock.');

export const stockAggregate = (stockId: number): string => `stock:${stockId}`;

/** The state is the item's quantity in thousandths, as a tablet shows it. The server keeps a ledger instead. */
export const stockOperations: KindDefinitions<StockPayloads, number> = {
  'stock.adjust': {
    apply: (quantityMilli, { payload }) => (quantityMilli === null ? null : adjustedQuantity(quantityMilli, payload)),
    summarize: () => ({ amountMinor: null }),
  },
};

export const reduceStock = reducerOf(stockOperations);

/** A count replaces the quantity; the other actions add to it or subtract from it. Thousandths. */
export function adjustedQuantity(
  quantityMilli: number,
  { action, amount }: Pick<AdjustStockPayload, 'action' | 'amount'>,
): number {
  const amountMilli = milliFromWire(amount);
  if (action === 'set') return amountMilli;
  return action === 'add' ? quantityMilli + amountMilli : quantityMilli - amountMilli;
}
