/** The enumerations of stock. */

/** What a stock item may be counted in. */
export const stockUnits = [
  'kg',
  'g',
  'lb',
  'oz',
  'l',
  'ml',
  'dozen',
  'pcs',
  'boxes',
  'cans',
  'bottles',
  'bags',
  'rolls',
  'sheets',
  'units',
  'vials',
  'ampoules',
  'syringes',
  'cartridges',
  'tubes',
  'jars',
  'packets',
  'strips',
  'pads',
  'swabs',
  'applicators',
  'tips',
  'needles',
  'burs',
  'files',
  'gloves_pairs',
  'masks',
  'gowns',
  'gauze',
  'cotton_rolls',
  'impression_trays',
  'crowns',
  'bridges',
  'implants',
  'sutures',
  'packaged_sets',
] as const;
export type StockUnit = (typeof stockUnits)[number];
export const defaultStockUnit: StockUnit = 'pcs';

const weighed: Readonly<Record<string, number>> = { kg: 10, lb: 1, oz: 1, l: 1 };

/** The smallest step of a quantity in this unit, in thousandths: 1 for what is counted and for g and ml, finer for the rest. */
export function stepMilli(unit: string): number {
  if (unit in weighed) return weighed[unit]!;
  return (stockUnits as readonly string[]).includes(unit) ? 1000 : 1;
}

/**
 * Why a quantity changed. The ledger writes `usage` (a treatment used it up), `stock_in` and `stock_out` (somebody added or
 * subtracted), `manual_adjustment` (a count) and `purchase` (a receipt against a purchase order); `adjustment` is taken in
 * requests as another name of `manual_adjustment`.
 */
export const stockTransactionTypes = [
  'stock_in',
  'stock_out',
  'manual_adjustment',
  'purchase',
  'usage',
  'adjustment',
] as const;
export type StockTransactionType = (typeof stockTransactionTypes)[number];

export const stockTransactionStatuses = ['completed', 'pending'] as const;
export type StockTransactionStatus = (typeof stockTransactionStatuses)[number];

export const alertTypes = ['out_of_stock', 'low_stock', 'expiring_soon'] as const;
export type AlertType = (typeof alertTypes)[number];

/** `acknowledged`: somebody has seen it; `resolved`: a person or the level itself ended it. */
export type AlertStatus = 'active' | 'acknowledged' | 'resolved';
export type AlertSeverity = 'high' | 'medium';

/** How long before its expiry a lot is worth an alert, in days. */
export const expiringSoonDays = 30;

/** `draft` may still change; from `sent` on the vendor knows it. `partial` has received some of what was ordered. */
export const purchaseOrderStatuses = ['draft', 'sent', 'partial', 'received', 'cancelled'] as const;
export type PurchaseOrderStatus = (typeof purchaseOrderStatuses)[number];
