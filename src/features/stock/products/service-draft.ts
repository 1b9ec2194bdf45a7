/** Form state of a service and its request body. A service is stored as a product or as a stock item. */
import { blankProduct } from '#domain/stock/blank-drafts.ts';
import type { ProductDraft } from '#domain/stock/drafts.ts';
import type { ProductResource, ServiceResource, StockResource } from '#domain/stock/resources.ts';
import { priceFields } from './service-paths.ts';

export interface ServiceDraft extends ProductDraft {
  /** A chosen picture that is not uploaded yet. */
  picture: File | null;
}

export const blankService: ServiceDraft = { ...blankProduct, picture: null };

const fields = Object.keys(blankProduct) as (keyof ProductDraft)[];

/** A stock item has neither a description nor ingredients. */
export function draftOf(stored: ProductResource | StockResource): ServiceDraft {
  const all: ProductDraft =
    'price' in stored ? stored : { ...stored, price: stored.cost_per_unit, description: '', ingredients: [] };
  const draft = Object.fromEntries(fields.map((field) => [field, all[field]])) as unknown as ProductDraft;
  return { ...draft, picture: null };
}

/** Returns the fields of a service under the names of what it is stored as. */
export const serviceBody =
  (type: ServiceResource['type']) =>
  ({ picture: _picture, price, ...draft }: ServiceDraft): Record<string, unknown> => ({
    ...draft,
    [priceFields[type]]: price,
  });
