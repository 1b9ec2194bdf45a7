/** What a form says about a stock item, a product or a category, and what is wrong with it. Numbers are as on the wire. */
import { maxMinor } from '../money.ts';
import type { Problems } from '../problems.ts';
import { maxMilli } from '../quantity.ts';

export const maxNameLength = 200;
const maxTextLength = 2000;

export interface StockDraft {
  name: string;
  unit: string;
  category_id: number | null;
  image_url: string | null;
  supplier: string;
  supplier_contact: string;
  quantity: number;
  reserved_quantity: number;
  low_stock_threshold: number;
  cost_per_unit: number;
  barcode: string | null;
  is_available: boolean;
  tracks_lots: boolean;
}

export interface ProductDraft {
  name: string;
  description: string;
  price: number;
  category_id: number | null;
  image_url: string | null;
  barcode: string | null;
  is_available: boolean;
  ingredients: { ingredient_id: number; quantity_required: number }[];
}

export interface CategoryDraft {
  name: string;
  description: string;
  color: string | null;
}

const isBlank = (text: string) => text.trim() === '';
const isQuantity = (value: number) => value >= 0 && value * 1000 <= maxMilli;
const isAmount = (value: number) => value >= 0 && value * 100 <= maxMinor;

/** Drops the fields without a problem. */
function found<Field extends string>(problems: Record<Field, Problems<Field>[Field] | false>): Problems<Field> {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem)) as Problems<Field>;
}

export function stockProblems(draft: StockDraft): Problems<keyof StockDraft> {
  return found<'name' | 'unit' | 'supplier' | 'supplier_contact' | 'quantity' | 'reserved_quantity' | 'low_stock_threshold' | 'cost_per_unit'>({
    name: isBlank(draft.name) ? 'NAME_REQUIRED' : draft.name.length > maxNameLength && 'TOO_LONG',
    unit: isBlank(draft.unit) && 'UNIT_REQUIRED',
    supplier: isBlank(draft.supplier) ? 'SUPPLIER_REQUIRED' : draft.supplier.length > maxNameLength && 'TOO_LONG',
    supplier_contact: isBlank(draft.supplier_contact) ? 'SUPPLIER_CONTACT_REQUIRED' : draft.supplier_contact.length > maxNameLength && 'TOO_LONG',
    quantity: !isQuantity(draft.quantity) && 'QUANTITY_NEGATIVE',
    reserved_quantity: !isQuantity(draft.reserved_quantity) && 'RESERVED_NEGATIVE',
    low_stock_threshold: !isQuantity(draft.low_stock_threshold) && 'THRESHOLD_NEGATIVE',
    cost_per_unit: !isAmount(draft.cost_per_unit) && 'COST_NEGATIVE',
  });
}

export function productProblems(draft: ProductDraft): Problems<keyof ProductDraft> {
  return found<'name' | 'description' | 'price' | 'ingredients'>({
    name: draft.name.trim().length < 2 ? 'PRODUCT_NAME_SHORT' : draft.name.length > maxNameLength && 'TOO_LONG',
    description: draft.description.length > maxTextLength && 'TOO_LONG',
    price: !(draft.price >= 0.01 && isAmount(draft.price)) && 'PRICE_TOO_SMALL',
    ingredients: draft.ingredients.some(({ quantity_required }) => !isQuantity(quantity_required)) && 'INGREDIENT_NEGATIVE',
  });
}

export function categoryProblems(draft: CategoryDraft): Problems<keyof CategoryDraft> {
  return found<'name' | 'description'>({
    name: draft.name.trim().length < 2 ? 'CATEGORY_NAME_SHORT' : draft.name.length > maxNameLength && 'TOO_LONG',
    description: draft.description.length > maxTextLength && 'TOO_LONG',
  });
}
