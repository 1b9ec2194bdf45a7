/**
 * Stock on the wire: stock items, products, categories and purchase orders. Money is a decimal with two places, a quantity a
 * decimal with three, an instant ISO 8601 in UTC.
 */
import type { StarterCategory, StarterService } from './starter.ts';
import type { Problem } from '../problems.ts';
import type { CategoryDraft, ProductDraft, StockDraft } from './drafts.ts';
import type {
  AlertSeverity,
  AlertStatus,
  AlertType,
  PurchaseOrderStatus,
  StockTransactionStatus,
  StockTransactionType,
} from './vocabulary.ts';

export interface StockResource extends StockDraft {
  id: number;
  last_restocked_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ProductResource extends ProductDraft {
  id: number;
  created_at: string;
  updated_at: string;
}

/** `GET /services`: what the counter offers, or could: a service, a supply that is also sold, or a product. */
export interface ServiceResource extends Omit<ProductResource, 'ingredients' | 'created_at'> {
  type: 'stock' | 'product';
  /** The level of a supply; null for what is not stocked. */
  stock: { quantity: number; unit: string } | null;
  /** The number of supplies that a product uses. */
  ingredients: number;
}

export interface CategoryResource extends CategoryDraft {
  id: number;
  created_at: string;
  updated_at: string;
}

/** `GET /stock/stats` */
export interface StockStats {
  total: number;
  inStock: number;
  lowStock: number;
  outOfStock: number;
  totalValue: number;
  /** The three suppliers with the highest stock value. */
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
  /** The current level, and the item's threshold. */
  current_quantity: number;
  threshold_quantity: number;
  unit: string;
  /** Set for an alert about a lot's expiry. */
  lot: { id: number; lot_number: string; expires_on: string; remaining: number } | null;
  created_at: string;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  resolved_at: string | null;
  /** The name of the user; null when the level resolved the alert. */
  resolved_by: string | null;
}

/** `GET /stock/inventory/alerts/stats`: counts of open alerts. */
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
  /** The user, and the code of the device. */
  User: { name: string } | null;
  device: string | null;
  transaction_type: StockTransactionType;
  status: StockTransactionStatus;
  /** True when `quantity` is a counted level; otherwise it is a signed change. */
  is_count: boolean;
  quantity: number;
  /** The change of the level: 0 for an entry older than the last count. */
  effect: number;
  previous_quantity: number;
  new_quantity: number;
  total_cost: number;
  reference_type: string | null;
  reference_id: string | null;
  notes: string;
  approved_by: string | null;
  /** When the entry took effect, and when the server stored it. */
  transaction_date: string;
  created_at: string;
}

/** `GET /stock/inventory/transactions/stats`: the movements on the stock dashboard. */
export interface StockActivity {
  count: number;
  last7Days: number;
  usageCost: number;
  today: number;
  movementsIn: number;
  movementsOut: number;
  /** The last seven business days, earliest first. */
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

/** `GET /purchase-orders` and `GET /purchase-orders/{id}` */
export interface PurchaseOrderResource {
  id: number;
  po_number: string;
  vendor: string;
  vendor_contact: string;
  status: PurchaseOrderStatus;
  notes: string;
  /** The vendor's numbers of the deliveries that were booked. */
  delivery_notes: string[];
  items: PurchaseOrderItemResource[];
  total: number;
  created_by: string;
  created_at: string;
  sent_at: string | null;
  closed_at: string | null;
}

/** `GET /purchase-orders/suggestions`: the low items with suggested quantities, by supplier. */
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

/** `GET /stock/lots/recipients?lot=`: the lots with a number, and the treatments that used them, newest first. */
export interface RecalledLot extends LotResource {
  recipients: LotRecipient[];
}

/** A field that an imported row changes, as its cell was read. `before` is null for a new row. */
export interface ImportedValue {
  column: string;
  kind: 'amount' | 'quantity' | 'flag' | 'text';
  before: string | number | boolean | null;
  after: string | number | boolean;
}

/** `POST /stock/import` and `POST /products/import`: the changes that a table would make, or has made. */
export interface ImportPreview {
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  /** The changes of the first 100 rows that change something. */
  changes: { line: number; name: string; is_new: boolean; columns: string[]; values: ImportedValue[] }[];
  errorCount: number;
  /** The first 100 errors. `column` is null for an error of the whole row. */
  errors: { line: number; column: string | null; problem: Problem; message: string }[];
  /** True when the import was confirmed and written. */
  written: boolean;
}

/** `GET /stock/starter`: what a new clinic may begin with, in its language. */
export interface StarterList {
  categories: { key: StarterCategory; name: string; color: string }[];
  services: (StarterService & {
    name: string;
    /** True of what the clinic has already, by its name. */
    is_there: boolean;
  })[];
}

/** `POST /stock/starter` */
export interface StarterAdded {
  added: number;
}
