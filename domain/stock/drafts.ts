/** The forms of stock items, products, categories and purchase orders, and their validation. Numbers are wire decimals. */
import { minorFromWire, minorToWire } from '../money.ts';
import type { Problem, Problems } from '../problems.ts';
import { isAmount, isQuantity, textLimits } from '../limits.ts';
import { milliFromWire, milliToWire } from '../quantity.ts';
import type { TaxCode } from '../tax/codes.ts';

/** What a stock item and a product have alike. */
interface SellableDraft {
  name: string;
  category_id: number | null;
  image_url: string | null;
  barcode: string | null;
  is_available: boolean;
  /** False for goods: their lines never wait on the board. */
  needs_preparation: boolean;
  is_favourite: boolean;
  /** Absent from a server that does not know it: the default. */
  tax?: TaxCode | undefined;
}

export interface StockDraft extends SellableDraft {
  unit: string;
  supplier: string;
  supplier_contact: string;
  quantity: number;
  /** The quantity that open treatments need, plus what was reserved by hand. */
  reserved_quantity: number;
  low_stock_threshold: number;
  cost_per_unit: number;
  /** False for a service: quantity, reservation and threshold are 0. */
  is_stocked: boolean;
  /** True when deliveries name a lot, and usage takes the lot that expires first. */
  tracks_lots: boolean;
}

export interface ProductDraft extends SellableDraft {
  description: string;
  price: number;
  ingredients: { ingredient_id: number; quantity_required: number }[];
}

export interface CategoryDraft {
  name: string;
  description: string;
  color: string | null;
  image_url: string | null;
}

export interface PurchaseDraft {
  vendor: string;
  vendor_contact: string;
  notes: string;
  /** `unit_cost` defaults to the item's cost. */
  items: { stock_id: number; quantity: number; unit_cost?: number | undefined }[];
}

const isBlank = (text: string) => text.trim() === '';

/** Checks a quantity. `negative` is the field's own problem for a negative value. */
export function quantityProblem(value: number, negative: Problem): Problem | false {
  if (value < 0) return negative;
  return !(isQuantity(value) && milliToWire(milliFromWire(value)) === value) && 'NUMBER_UNFIT';
}

function amountProblem(value: number, negative: Problem): Problem | false {
  if (value < 0) return negative;
  return !(isAmount(value) && minorToWire(minorFromWire(value)) === value) && 'NUMBER_UNFIT';
}

/** Drops the fields without a problem. */
function found<Field extends string>(problems: Record<Field, Problems<Field>[Field] | false>): Problems<Field> {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem)) as Problems<Field>;
}

export function stockProblems(draft: StockDraft): Problems<keyof StockDraft> {
  return found<
    | 'name'
    | 'unit'
    | 'supplier'
    | 'supplier_contact'
    | 'quantity'
    | 'reserved_quantity'
    | 'low_stock_threshold'
    | 'cost_per_unit'
  >({
    name: isBlank(draft.name) ? 'NAME_REQUIRED' : draft.name.length > textLimits.name && 'TOO_LONG',
    unit: isBlank(draft.unit) && 'UNIT_REQUIRED',
    supplier:
      draft.is_stocked && isBlank(draft.supplier)
        ? 'SUPPLIER_REQUIRED'
        : draft.supplier.length > textLimits.name && 'TOO_LONG',
    supplier_contact:
      draft.is_stocked && isBlank(draft.supplier_contact)
        ? 'SUPPLIER_CONTACT_REQUIRED'
        : draft.supplier_contact.length > textLimits.name && 'TOO_LONG',
    quantity: quantityProblem(draft.quantity, 'QUANTITY_NEGATIVE'),
    reserved_quantity: quantityProblem(draft.reserved_quantity, 'RESERVED_NEGATIVE'),
    low_stock_threshold: quantityProblem(draft.low_stock_threshold, 'THRESHOLD_NEGATIVE'),
    cost_per_unit: amountProblem(draft.cost_per_unit, 'COST_NEGATIVE'),
  });
}

export function productProblems(draft: ProductDraft): Problems<keyof ProductDraft> {
  return found<'name' | 'description' | 'price' | 'ingredients'>({
    name: draft.name.trim().length < 2 ? 'PRODUCT_NAME_SHORT' : draft.name.length > textLimits.name && 'TOO_LONG',
    description: draft.description.length > textLimits.notes && 'TOO_LONG',
    price: draft.price >= 0.01 ? !isAmount(draft.price) && 'NUMBER_UNFIT' : 'PRICE_TOO_SMALL',
    ingredients:
      draft.ingredients.some(({ quantity_required }) => !isQuantity(quantity_required)) && 'INGREDIENT_NEGATIVE',
  });
}

export function categoryProblems(draft: CategoryDraft): Problems<keyof CategoryDraft> {
  return found<'name' | 'description'>({
    name: draft.name.trim().length < 2 ? 'CATEGORY_NAME_SHORT' : draft.name.length > textLimits.name && 'TOO_LONG',
    description: draft.description.length > textLimits.notes && 'TOO_LONG',
  });
}

/** Returns the cost of a purchase as far as its lines state one. */
const costOf = (items: PurchaseDraft['items']): number =>
  items.reduce((sum, { quantity, unit_cost = 0 }) => sum + quantity * unit_cost, 0);

export function purchaseProblems(draft: PurchaseDraft): Problems<keyof PurchaseDraft> {
  const { vendor, vendor_contact, notes, items } = draft;
  return found<keyof PurchaseDraft>({
    vendor: isBlank(vendor) ? 'REQUIRED' : vendor.length > textLimits.name && 'TOO_LONG',
    vendor_contact: vendor_contact.length > textLimits.name && 'TOO_LONG',
    notes: notes.length > textLimits.notes && 'TOO_LONG',
    items:
      (items.length === 0 && 'LINES_REQUIRED') ||
      (items.some(({ quantity }) => !(quantity > 0 && isQuantity(quantity))) && 'QUANTITY_NOT_POSITIVE') ||
      (items.some(({ unit_cost = 0 }) => unit_cost < 0) && 'COST_NEGATIVE') ||
      (!isAmount(costOf(items)) && 'NUMBER_UNFIT'),
  });
}
