/** Form state of a service and its request body. A service is stored as a product or as a stock item. */
import type { Problems } from '#domain/problems.ts';
import { blankProduct } from '#domain/stock/blank-drafts.ts';
import { productProblems } from '#domain/stock/drafts.ts';
import type { ProductDraft } from '#domain/stock/drafts.ts';
import type { ProductResource, ServiceResource, StockResource } from '#domain/stock/resources.ts';
import { changedFields, problemsOfChanged } from '../form/opened-draft.ts';
import type { OpenedDraft } from '../form/opened-draft.ts';
import { priceFields } from './service-paths.ts';

export type ServiceDraft = ProductDraft & OpenedDraft<ProductDraft>;

export const blankService: ServiceDraft = { ...blankProduct, picture: null, opened: null };

const fields = Object.keys(blankProduct) as (keyof ProductDraft)[];

/** A stock item has neither a description nor ingredients. */
export function draftOf(stored: ProductResource | StockResource): ServiceDraft {
  const all: ProductDraft =
    'price' in stored ? stored : { ...stored, price: stored.cost_per_unit, description: '', ingredients: [] };
  const opened = Object.fromEntries(fields.map((field) => [field, all[field]])) as unknown as ProductDraft;
  return { ...opened, picture: null, opened };
}

/** Validates changed fields only: a stock item may be sold for nothing. */
export const serviceProblems = (draft: ServiceDraft): Problems<keyof ServiceDraft> =>
  problemsOfChanged<ProductDraft>(draft, productProblems(draft));

/** Returns all fields of a new service, or the changed fields of an existing one. */
export const serviceBody =
  (type: ServiceResource['type']) =>
  (draft: ServiceDraft): Record<string, unknown> =>
    Object.fromEntries(
      changedFields<ProductDraft>(draft).map((field) => [field === 'price' ? priceFields[type] : field, draft[field]]),
    );
