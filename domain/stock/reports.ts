/** The reports of `GET /stock/inventory/report`, by their type. */
import type { StockState } from './ledger.ts';
import type { StockResource, StockStats } from './resources.ts';

/** `GET /stock/inventory/report?type=summary`: stock levels by category. */
export interface StockSummaryReport {
  type: 'summary';
  generated_at: string;
  stats: StockStats;
  /** Items without a category come last; their `category_id` is null. */
  categories: {
    category_id: number | null;
    category: string | null;
    items: number;
    lowStock: number;
    outOfStock: number;
    value: number;
  }[];
}

/** `…?type=valuation`: the value of each item, the most valuable first. */
export interface StockValuationReport {
  type: 'valuation';
  generated_at: string;
  totalValue: number;
  items: {
    id: number;
    name: string;
    unit: string;
    category: string | null;
    supplier: string;
    quantity: number;
    cost_per_unit: number;
    value: number;
    percent: number;
  }[];
}

/** `…?type=movements`: the movements in a span of business days, by usage cost. */
export interface StockMovementsReport {
  type: 'movements';
  generated_at: string;
  /** YYYY-MM-DD, both inclusive; the last 30 days by default. */
  from: string;
  to: string;
  items: {
    id: number;
    name: string;
    unit: string;
    movements: number;
    received: number;
    used: number;
    /** Subtracted by hand. */
    withdrawn: number;
    /** The sum of corrections by counts. */
    corrected: number;
    net: number;
    usageCost: number;
  }[];
}

/** `…?type=low_stock`: the low items, the lowest first. */
export interface LowStockReport {
  type: 'low_stock';
  generated_at: string;
  items: (Pick<
    StockResource,
    | 'id'
    | 'name'
    | 'unit'
    | 'supplier'
    | 'supplier_contact'
    | 'quantity'
    | 'reserved_quantity'
    | 'low_stock_threshold'
    | 'last_restocked_at'
  > & {
    state: Exclude<StockState, 'in_stock'>;
    /** The quantity missing to reach the threshold after reserved quantities are used. */
    shortfall: number;
  })[];
}

export type StockReport = StockSummaryReport | StockValuationReport | StockMovementsReport | LowStockReport;
export const stockReportTypes = [
  'summary',
  'valuation',
  'movements',
  'low_stock',
] as const satisfies readonly StockReport['type'][];
