/** Form state of a service and its request body. A service is stored as a product or as a stock item. */
import type { Problems } from '../../../../domain/problems.ts';
import { blankProduct } from '../../../../domain/stock/blank-drafts.ts';
import { productProblems } from '../../../../domain/stock/drafts.ts';
import type { ProductDraft } from '../../../../domain/stock/drafts.ts';
import type { ProductResource, ServiceResource, StockResource } from '../../../../domain/stock/resources.ts';
import { priceFields } from './service-paths.ts';

export interface ServiceDraft extends ProductDraft {
  /** A chosen picture that is not uploaded yet. */
  picture: File | null;
  /** The values when the form was opened, so that a restored draft sends only its own changes; null for a new service. */
  opened: ProductDraft | null;
}

export const blankService: ServiceDraft = { ...blankProduct, picture: null, opened: null };

type Field = keyof ProductDraft;
const fields = Object.keys(blankService).filter((key): key is Field => key !== 'picture' && key !== 'opened');

/** A stock item has neither a description nor ingredients. */
export function draftOf(stored: ProductResource | StockResource): ServiceDraft {
  const all: ProductDraft =
    'price' in stored ? stored : { ...stored, price: stored.cost_per_unit, description: '', ingredients: [] };
  const opened = Object.fromEntries(fields.map((field) => [field, all[field]])) as unknown as ProductDraft;
  return { ...opened, picture: null, opened };
}

const changedFields = ({ opened, ...draft }: ServiceDraft): Field[] =>
  fields.filter((field) => !opened || JSON.stringify(draft[field]) !== JSON.stringify(opened[field]));

/** Validates changed fields only: a stock item may be sold for nothing. */
export function serviceProblems(draft: ServiceDraft): Problems<keyof ServiceDraft> {
  const changed = changedFields(draft);
  return Object.fromEntries(
    Object.entries(productProblems(draft)).filter(([field]) => changed.includes(field as Field)),
  );
}

/** Returns all fields of a new service, or the changed fields of an existing one. */
export const serviceBody =
  (type: ServiceResource['type']) =>
  (draft: ServiceDraft): Record<string, unknown> =>
    Object.fromEntries(
      changedFields(draft).map((field) => [field === 'price' ? priceFields[type] : field, draft[field]]),
    );
