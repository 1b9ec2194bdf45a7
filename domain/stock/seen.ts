/** What screens show of the catalogue, of alerts and of purchase orders, on which a change or a decision rests. */
import { blankCategory, blankProduct, blankStock } from './blank-drafts.ts';
import type { CategoryDraft, ProductDraft, StockDraft } from './drafts.ts';
import type { PurchaseOrderResource, ServiceResource, StockAlertResource } from './resources.ts';

/** All that a form edits but the picture: a list leaves out one that is stored in the row itself. */
const fieldsOf = <Draft extends object>(blank: Draft) =>
  Object.keys(blank).filter((field) => field !== 'image_url') as (keyof Draft & string)[];

export const itemSeen = fieldsOf<StockDraft>(blankStock);
export const productSeen = fieldsOf<ProductDraft>(blankProduct);
export const categorySeen = fieldsOf<CategoryDraft>(blankCategory);

/** What the list of services shows of one, in fields that a product and a supply have alike. */
const serviceSeen = [
  'name',
  'category_id',
  'barcode',
  'is_available',
  'needs_preparation',
  'is_favourite',
] as const satisfies readonly (keyof ServiceResource)[];

/** Returns what was seen of a service, in the fields of what it is stored as. */
export function seenOfService(service: ServiceResource): Record<string, unknown> {
  const { type, price } = service;
  return {
    ...Object.fromEntries(serviceSeen.map((field) => [field, service[field]])),
    ...(type === 'product' ? { price } : { cost_per_unit: price }),
  };
}

export const orderSeen = [
  'vendor',
  'vendor_contact',
  'status',
  'notes',
  'items',
  'delivery_notes',
] as const satisfies readonly (keyof PurchaseOrderResource)[];

export const alertSeen = [
  'alert_type',
  'severity',
  'status',
  'current_quantity',
  'threshold_quantity',
  'lot',
] as const satisfies readonly (keyof StockAlertResource)[];
