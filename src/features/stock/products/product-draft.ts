/** Form state of a product and its request body. */
import type { Problems } from '../../../../domain/problems.ts';
import { productProblems } from '../../../../domain/stock/drafts.ts';
import type { ProductDraft } from '../../../../domain/stock/drafts.ts';
import type { ProductResource } from '../../../../domain/stock/resources.ts';

export interface ProductFormDraft extends ProductDraft {
  /** A chosen picture that is not uploaded yet. */
  picture: File | null;
  /** The values when the form was opened, so that a restored draft sends only its own changes; null for a new product. */
  opened: ProductDraft | null;
}

export const blankProduct: ProductFormDraft = {
  name: '',
  description: '',
  price: 0,
  category_id: null,
  image_url: null,
  barcode: null,
  is_available: true,
  needs_preparation: true,
  is_favourite: false,
  ingredients: [],
  picture: null,
  opened: null,
};

export function draftOf({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  ...opened
}: ProductResource): ProductFormDraft {
  return { ...opened, picture: null, opened };
}

type Field = keyof ProductDraft;
const fields = Object.keys(blankProduct).filter((key): key is Field => key !== 'picture' && key !== 'opened');

export const productFormProblems = (draft: ProductFormDraft): Problems<keyof ProductFormDraft> =>
  productProblems(draft);

/** Returns all fields of a new product, or the changed fields of an existing one. */
export function productBody({ opened, ...draft }: ProductFormDraft): Partial<ProductDraft> {
  const changed = fields.filter((field) => !opened || JSON.stringify(draft[field]) !== JSON.stringify(opened[field]));
  return Object.fromEntries(changed.map((field) => [field, draft[field]]));
}
