/** The enumerations of stock. */

/** The units of stock items. */
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

/** Returns the smallest step of a quantity in this unit, in thousandths: 1000 for counted units, g and ml; less for others. */
export function stepMilli(unit: string): number {
  if (unit in weighed) return weighed[unit]!;
  return (stockUnits as readonly string[]).includes(unit) ? 1000 : 1;
}

/**
 * The types of ledger entries: `usage` (by a treatment), `stock_in` and `stock_out` (added or subtracted by hand),
 * `manual_adjustment` (a count) and `purchase` (a delivery). Requests may use `adjustment` for `manual_adjustment`.
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

const alertTypes = ['out_of_stock', 'low_stock', 'expiring_soon'] as const;
export type AlertType = (typeof alertTypes)[number];

/** `acknowledged`: a user has seen the alert; `resolved`: a user or the level ended it. */
export type AlertStatus = 'active' | 'acknowledged' | 'resolved';
export type AlertSeverity = 'high' | 'medium';

/** A lot raises an alert this many days before its expiry. */
export const expiringSoonDays = 30;

/** See the diagram in `purchasing.ts`. */
export const purchaseOrderStatuses = ['draft', 'sent', 'partial', 'received', 'cancelled'] as const;
export type PurchaseOrderStatus = (typeof purchaseOrderStatuses)[number];
