/**
 * Stock on the wire: what the stock, product, category and purchase order calls carry, and of these the catalogue in the
 * change feed. Money is a decimal with two places, a quantity one with three, an instant ISO 8601 in UTC.
 */
import type { Problem } from '../problems.ts';
import type { StockState } from './ledger.ts';
import type {
  AlertSeverity,
  AlertStatus,
  AlertType,
  PurchaseOrderStatus,
  StockTransactionStatus,
  StockTransactionType,
} from './vocabulary.ts';

export interface StockResource {
  id: number;
  name: string;
  unit: string;
  category_id: number | null;
  image_url: string | null;
  supplier: string;
  supplier_contact: string;
  quantity: number;
  /** What open treatments promise and what was set aside by hand. */
  reserved_quantity: number;
  low_stock_threshold: number;
  cost_per_unit: number;
  barcode: string | null;
  is_available: boolean;
  /** Whether receipts name a lot, and use takes the lot that expires first. */
  tracks_lots: boolean;
  last_restocked_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ProductResource {
  id: number;
  name: string;
  description: string;
  price: number;
  category_id: number | null;
  image_url: string | null;
  barcode: string | null;
  is_available: boolean;
  ingredients: { ingredient_id: number; quantity_required: number }[];
  created_at: string;
  updated_at: string;
}

export interface CategoryResource {
  id: number;
  name: string;
  description: string;
  color: string | null;
  created_at: string;
  updated_at: string;
}

/** `GET /stock/stats`: how many items stand where, and what all of it is worth. */
export interface StockStats {
  total: number;
  inStock: number;
  lowStock: number;
  outOfStock: number;
  totalValue: number;
  /** The three suppliers with the most value on the shelf. */
  topSuppliers: { supplier: string; count: number; value: number; percent: number }[];
}

/** `GET /stock/inventory/alerts` */
export interface StockAlertResource {
  id: number;
  stock_id: number;
  Stock: Pick<StockResource, 'name' | 'unit' | 'supplier' | 'supplier_contact' | 'cost_per_unit' | 'last_restocked_at'>;
  alert_type: AlertType;
  severity: AlertSeverity;
  status: AlertStatus;
  resolved: boolean;
  /** The level now, and the threshold that it fell to. */
  current_quantity: number;
  threshold_quantity: number;
  unit: string;
  /** Of an alert about expiry. */
  lot: { id: number; lot_number: string; expires_on: string; remaining: number } | null;
  created_at: string;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  resolved_at: string | null;
  /** The name of who resolved it; null also where the level itself did. */
  resolved_by: string | null;
}

/** `GET /stock/inventory/alerts/stats`: the open ones. */
export interface StockAlertStats {
  total: number;
  high: number;
  medium: number;
  acknowledged: number;
}

/** `GET /stock/inventory/transactions` */
export interface StockTransactionResource {
  id: number;
  stock_id: number;
  Stock: Pick<StockResource, 'name' | 'unit'>;
  /** Who did it, and on which device: its code. */
  User: { name: string } | null;
  device: string | null;
  transaction_type: StockTransactionType;
  status: StockTransactionStatus;
  /** A count says what there was; every other row is a signed change. */
  is_count: boolean;
  quantity: number;
  /** What it did to the level: 0 for what is older than a known count. */
  effect: number;
  previous_quantity: number;
  new_quantity: number;
  total_cost: number;
  reference_type: string | null;
  reference_id: string | null;
  notes: string;
  approved_by: string | null;
  /** When it took effect, and when the server took it in. */
  transaction_date: string;
  created_at: string;
}

/** `GET /stock/inventory/transactions/stats`: what the stock dashboard says about movements. */
export interface StockActivity {
  count: number;
  last7Days: number;
  usageCost: number;
  today: number;
  movementsIn: number;
  movementsOut: number;
  /** The last seven business days, the earliest first. */
  days: { day: string; count: number }[];
}

export interface PurchaseOrderItemResource {
  id: number;
  stock_id: number;
  name: string;
  unit: string;
  tracks_lots: boolean;
  quantity: number;
  received_quantity: number;
  unit_cost: number;
  total: number;
}

/** `GET /purchase-orders`, and one of them with its lines. */
export interface PurchaseOrderResource {
  id: number;
  po_number: string;
  vendor: string;
  vendor_contact: string;
  status: PurchaseOrderStatus;
  notes: string;
  items: PurchaseOrderItemResource[];
  total: number;
  created_by: string;
  created_at: string;
  sent_at: string | null;
  closed_at: string | null;
}

/** `GET /purchase-orders/suggestions`: what is low, with how much would fill it up, by supplier. */
export interface PurchaseSuggestion {
  supplier: string;
  supplier_contact: string;
  items: {
    stock_id: number;
    name: string;
    unit: string;
    current: number;
    threshold: number;
    on_order: number;
    suggested: number;
    unit_cost: number;
  }[];
}

/** `POST /stock/purchase-orders/items/{id}/receive` */
export interface ReceiptRequest {
  quantity: number;
  unit_cost?: number | undefined;
  lot_number?: string | undefined;
  /** YYYY-MM-DD */
  expires_on?: string | undefined;
  notes?: string | undefined;
}

/** `GET /stock/lots` */
export interface LotResource {
  id: number;
  stock_id: number;
  name: string;
  unit: string;
  lot_number: string;
  expires_on: string | null;
  received: number;
  remaining: number;
  received_at: string;
}

/** `GET /stock/lots/{id}/recipients`: the treatments that used a lot. */
export interface LotRecipient {
  order_id: string;
  order_number: string;
  customer_name: string;
  quantity: number;
  used_at: string;
}

/** `GET /stock/lots/recipients?lot=`: each lot of a number, with the treatments that used it, the latest first. */
export interface RecalledLot extends LotResource {
  recipients: LotRecipient[];
}

/** `GET /stock/inventory/report?type=summary`: where the shelves stand, by category. */
export interface StockSummaryReport {
  type: 'summary';
  generated_at: string;
  stats: StockStats;
  /** The items without a category come last, under null. */
  categories: {
    category_id: number | null;
    category: string | null;
    items: number;
    lowStock: number;
    outOfStock: number;
    value: number;
  }[];
}

/** `…?type=valuation`: what each item on the shelf is worth, the most valuable first. */
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

/** `…?type=movements`: what came and went in a span of business days, the items with the costliest use first. */
export interface StockMovementsReport {
  type: 'movements';
  generated_at: string;
  /** YYYY-MM-DD, both inclusive; the last 30 days unless asked for otherwise. */
  from: string;
  to: string;
  items: {
    id: number;
    name: string;
    unit: string;
    movements: number;
    received: number;
    used: number;
    /** Taken off the shelf by hand, besides what treatments used. */
    withdrawn: number;
    /** What counts found more, or less when negative. */
    corrected: number;
    net: number;
    usageCost: number;
  }[];
}

/** `…?type=low_stock`: what to buy, the emptiest first. */
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
    /** How much is missing up to the threshold once what is reserved is gone. */
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

/** `POST /stock/import` and `POST /products/import`: what a table would do, or has done. */
export interface ImportPreview {
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  /** What the first 100 rows that write something write, by the line of the file. */
  changes: { line: number; name: string; is_new: boolean; columns: string[] }[];
  errorCount: number;
  /** The first 100. `column` is null where the whole row is meant. */
  errors: { line: number; column: string | null; problem: Problem; message: string }[];
  /** Whether it was confirmed, and is now done. */
  written: boolean;
}
