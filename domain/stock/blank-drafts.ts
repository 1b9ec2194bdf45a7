/**
 * What a stock item, product, category or purchase order has of which nobody said anything else. Forms begin with it, the
 * server fills in what a request or the row of a table leaves out, and the columns have it as their default.
 */
import { defaultTaxCode } from '../tax/codes.ts';
import type { CategoryDraft, ProductDraft, PurchaseDraft, StockDraft } from './drafts.ts';
import { defaultStockUnit } from './vocabulary.ts';

/** What the counter sells waits on the board, unless somebody says that it is goods: a service is not forgotten there. */
const sellable = {
  name: '',
  category_id: null,
  image_url: null,
  barcode: null,
  is_available: true,
  needs_preparation: true,
  is_favourite: false,
  tax: defaultTaxCode,
} as const;

export const blankStock: StockDraft = {
  ...sellable,
  unit: defaultStockUnit,
  supplier: '',
  supplier_contact: '',
  quantity: 0,
  reserved_quantity: 0,
  low_stock_threshold: 0,
  cost_per_unit: 0,
  is_stocked: true,
  tracks_lots: false,
};

export const blankProduct: ProductDraft = { ...sellable, description: '', price: 0, ingredients: [] };

export const blankCategory: CategoryDraft = { name: '', description: '', color: null, image_url: null };

export const blankPurchase: PurchaseDraft = { vendor: '', vendor_contact: '', notes: '', items: [] };
