/** Products as forms and imports change them. */
import { divideRounded, minorFromWire } from '../../../domain/money.ts';
import { isValid, problemMessages } from '../../../domain/problems.ts';
import type { Problems } from '../../../domain/problems.ts';
import { orderAggregate } from '../../../domain/order/operations.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { blankProduct } from '../../../domain/stock/blank-drafts.ts';
import { productProblems } from '../../../domain/stock/drafts.ts';
import type { ProductDraft } from '../../../domain/stock/drafts.ts';
import type { ProductResource, StockResource } from '../../../domain/stock/resources.ts';
import { searchKey } from '../../../domain/search-key.ts';
import { isoOf } from '../../db/sql.ts';
import { lockAggregates } from '../../operations/store.ts';
import { writeLedger } from '../ledger/service.ts';
import { holdUploads } from '../uploads/service.ts';
import { documentsOf } from './catalogue-store.ts';
import { liveCategories } from './items-service.ts';
import { newIds } from './items-store.ts';
import { deleteProductRow, openProductLines, replaceIngredients, upsertProducts } from './products-store.ts';
import type { ProductBody } from './schemas.ts';
import { withChanges } from '../../partial-update.ts';
import { audit, changedFields } from '../audit/service.ts';
import type { WriteContext } from '../../context.ts';

/** The fields that a form edits. */
export const draftOf = (product: ProductResource | null): ProductDraft =>
  product ? withChanges(blankProduct, product) : blankProduct;

/** The existing categories and ingredients that a product may refer to. */
export interface Known {
  categoryIds: ReadonlySet<number>;
  stockIds: ReadonlySet<number>;
}

/**
 * Applies a body to a product, or to a blank one, and returns the change with its problems. Only changed fields are
 * validated.
 */
export function judgeProduct(
  product: ProductResource | null,
  body: ProductBody,
  known: Known,
): { change: ProductChange; problems: Problems<keyof ProductDraft> } {
  const before = draftOf(product);
  const draft = withChanges(before, body);
  draft.ingredients = draft.ingredients.toSorted((a, b) => a.ingredient_id - b.ingredient_id);
  const found = productProblems(draft);
  if (draft.category_id !== null && !known.categoryIds.has(draft.category_id)) found.category_id = 'CATEGORY_UNKNOWN';
  const ids = draft.ingredients.map(({ ingredient_id }) => ingredient_id);
  if (ids.some((id) => !known.stockIds.has(id))) found.ingredients = 'INGREDIENT_UNKNOWN';
  if (new Set(ids).size < ids.length) found.ingredients = 'INGREDIENT_TWICE';
  const concerned = Object.entries(found).filter(
    ([field]) => !product || isChanged(before, draft, field as keyof ProductDraft),
  );
  return { change: { product, draft }, problems: Object.fromEntries(concerned) };
}

const isChanged = <T>(before: T, after: T, field: keyof T): boolean =>
  JSON.stringify(before[field]) !== JSON.stringify(after[field]);

async function knownTo({ sql, clinicId }: WriteContext, body: ProductBody): Promise<Known> {
  const items = await documentsOf<StockResource>(
    sql,
    clinicId,
    'stock',
    (body.ingredients ?? []).map(({ ingredient_id }) => ingredient_id),
  );
  return {
    categoryIds: await liveCategories({ sql, clinicId }, body.category_id),
    stockIds: new Set(items.map(({ id }) => id)),
  };
}

export interface ProductChange {
  /** Null for a new product. */
  product: ProductResource | null;
  draft: ProductDraft;
}

/**
 * Saves products. A product whose ingredients alone changed is updated too, because the feed carries them within it.
 *
 * @returns the ids in the given order
 */
export async function saveProducts(context: WriteContext, changes: readonly ProductChange[]): Promise<number[]> {
  const { sql, clinicId, atMs } = context;
  const created = await newIds(sql, 'products', changes.filter(({ product }) => !product).length);
  const ids = changes.map(({ product }) => product?.id ?? created.shift()!);
  const rows = changes.map(({ draft }, index) => ({
    clinic_id: clinicId,
    id: ids[index]!,
    name: draft.name,
    search_key: searchKey(draft.name),
    description: draft.description,
    price_minor: minorFromWire(draft.price),
    category_id: draft.category_id,
    image_url: draft.image_url,
    barcode: draft.barcode,
    is_available: draft.is_available,
    needs_preparation: draft.needs_preparation,
    is_favourite: draft.is_favourite,
    tax: draft.tax,
    updated_at: isoOf(atMs),
  }));
  await holdUploads(
    sql,
    clinicId,
    rows.map(({ image_url }) => image_url),
  );
  await upsertProducts(sql, rows);
  await updateReservations(context, changes);
  await replaceIngredients(sql, clinicId, new Map(changes.map(({ draft }, index) => [ids[index]!, draft.ingredients])));
  return ids;
}

/**
 * Adjusts the reservations of open treatments, which depend on the ingredients of their products (SYNC-10). The
 * treatments are locked first, so none completes with the old ingredients in the meantime.
 */
async function updateReservations(
  { sql, clinicId, atMs }: WriteContext,
  changes: readonly ProductChange[],
): Promise<void> {
  const recomposed = new Map(
    changes
      .filter(
        ({ product, draft }) => product && JSON.stringify(product.ingredients) !== JSON.stringify(draft.ingredients),
      )
      .map(({ product, draft }) => [product!.id, { before: product!.ingredients, after: draft.ingredients }]),
  );
  if (recomposed.size === 0) return;
  const openLines = () => openProductLines(sql, clinicId, [...recomposed.keys()]);
  await lockAggregates(
    sql,
    clinicId,
    (await openLines()).map(({ orderId }) => orderAggregate(orderId)),
  );
  const reservations = new Map<number, number>();
  const promise =
    (sign: 1 | -1, lineMilli: number) =>
    ({ ingredient_id, quantity_required }: ProductDraft['ingredients'][number]) =>
      reservations.set(
        ingredient_id,
        (reservations.get(ingredient_id) ?? 0) +
          sign * divideRounded(milliFromWire(quantity_required) * lineMilli, 1000),
      );
  for (const { productId, quantityMilli } of await openLines()) {
    const { before, after } = recomposed.get(productId)!;
    before.forEach(promise(-1, quantityMilli));
    after.forEach(promise(1, quantityMilli));
  }
  await writeLedger(sql, clinicId, atMs, { entries: [], reservations });
}

export async function createProduct(context: WriteContext, body: ProductBody): Promise<Result<ProductResource>> {
  const { change, problems } = judgeProduct(null, body, await knownTo(context, body));
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const [id] = await saveProducts(context, [change]);
  await audit(context, {
    action: 'product.created',
    subject: String(id),
    details: { name: change.draft.name, price: change.draft.price },
  });
  return accept((await documentsOf<ProductResource>(context.sql, context.clinicId, 'products', [id!]))[0]!);
}

/** Changes a product and replaces its ingredients as a set. */
export async function changeProduct(
  context: WriteContext,
  id: number,
  body: ProductBody,
): Promise<Result<ProductResource>> {
  const { sql, clinicId } = context;
  const [product] = await documentsOf<ProductResource>(sql, clinicId, 'products', [id]);
  if (!product) return refuse('NOT_FOUND', { product_id: id });
  const { change, problems } = judgeProduct(product, body, await knownTo(context, body));
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  await saveProducts(context, [change]);
  await audit(context, {
    action: 'product.changed',
    subject: String(id),
    details: changedFields(draftOf(product), change.draft),
  });
  return accept((await documentsOf<ProductResource>(sql, clinicId, 'products', [id]))[0]!);
}

/** Deletes a product from the catalogue. Treatments keep it and use its ingredients when they complete. */
export async function deleteProduct(context: WriteContext, id: number): Promise<Result<{ id: number }>> {
  const { sql, clinicId, atMs } = context;
  const [product] = await documentsOf<ProductResource>(sql, clinicId, 'products', [id]);
  if (!product) return refuse('NOT_FOUND', { product_id: id });
  await deleteProductRow(sql, clinicId, id, atMs);
  await audit(context, { action: 'product.deleted', subject: String(id), details: { name: product.name } });
  return accept({ id });
}
