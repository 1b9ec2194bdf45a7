/** The operation of stock: an adjustment by hand. Deltas commute and a count carries its time (SYNC-10). */
import { reducerOf } from '../wire/envelope.ts';
import type { Envelope, KindDefinitions, OperationsOf } from '../wire/envelope.ts';
import type { PayloadsOf } from '../wire/schemas.ts';
import { milliFromWire } from '../quantity.ts';
import type { stockPayloadSchemas } from './schemas.ts';

export type StockPayloads = PayloadsOf<typeof stockPayloadSchemas>;
export type AdjustStockPayload = StockPayloads['stock.adjust'];

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
