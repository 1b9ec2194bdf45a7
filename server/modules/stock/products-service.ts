/** Products: how forms and imports change them. */
import { divideRounded, minorFromWire } from '#domain/money.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import type { Problems } from '#domain/problems.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import { blankProduct } from '#domain/stock/blank-drafts.ts';
import { productProblems } from '#domain/stock/drafts.ts';
import type { ProductDraft } from '#domain/stock/drafts.ts';
import type { ProductResource, StockResource } from '#domain/stock/resources.ts';
import { searchKey } from '#domain/search-key.ts';
import { isoOf } from '#domain/instant.ts';
import { lockAggregates } from '#server/operations/store.ts';
import { writeLedger } from '../ledger/service.ts';
import { holdUploads } from '../uploads/service.ts';
import type { CatalogueNoun } from './catalogue-service.ts';
import { allResources, deleteRow, documentsOf, newIds, restoreRow } from './catalogue-store.ts';
import type { Columns } from './csv-cells.ts';
import type { Importable } from './csv-import.ts';
import { liveCategories } from './items-service.ts';
import { needsDeletedItems, openProductLines, replaceIngredients, upsertProducts } from './products-store.ts';
import { productBodySchema } from './schemas.ts';
import type { ProductBody } from './schemas.ts';
import { withChanges } from '#server/partial-update.ts';
import type { WriteContext } from '#server/context.ts';

/** The fields that a form edits. */
const draftOf = (product: ProductResource | null): ProductDraft =>
  product ? withChanges(blankProduct, product) : blankProduct;

/** The existing categories and ingredients that a product may refer to. */
interface Known {
  categoryIds: ReadonlySet<number>;
  stockIds: ReadonlySet<number>;
}

/**
 * Applies a body to a product, or to a blank one, and returns the change with its problems. Only changed fields are
 * validated.
 */
function decideProduct(
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

interface ProductChange {
  /** Null for a new product. */
  product: ProductResource | null;
  draft: ProductDraft;
}

/**
 * Saves products. A product whose ingredients alone changed is updated too, because the feed carries them within it.
 *
 * @returns the ids in the given order
 */
async function saveProducts(context: WriteContext, changes: readonly ProductChange[]): Promise<number[]> {
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

export const products: CatalogueNoun<ProductResource, ProductDraft, ProductBody, ProductResource, ProductChange> = {
  name: 'product',
  table: 'products',
  blank: blankProduct,
  audited: ['price'],
  missing: (id) => ({ code: 'NOT_FOUND', details: { product_id: id } }),
  read: async ({ sql, clinicId }, id) => (await documentsOf<ProductResource>(sql, clinicId, 'products', [id]))[0],
  resourceOf: (product) => product,
  async decide(context, product, body) {
    const { change, problems } = decideProduct(product, body, await knownTo(context, body));
    return isValid(problems) ? accept(change) : refuse('VALIDATION', problemMessages(problems));
  },
  save: saveProducts,
  /** Treatments keep a deleted product, and use its ingredients when they complete. */
  async remove(context, id) {
    await deleteRow(context, 'products', id);
    return null;
  },
  /** One that needs a supply that is gone by now stays deleted: it would silently not use it. */
  async restore(context, id) {
    if (await needsDeletedItems(context.sql, context.clinicId, id)) return { code: 'STOCK_NOT_FOUND' };
    const isRestored = await restoreRow(context, 'products', id);
    return isRestored ? null : { code: 'NOT_FOUND', details: { product_id: id } };
  },
};

/** The columns of products as CSV. */
export const productColumns = {
  id: 'id',
  name: 'text',
  description: 'text',
  price: 'amount',
  category: 'category',
  barcode: 'text',
  is_available: 'flag',
  needs_preparation: 'flag',
  is_favourite: 'flag',
  ingredients: 'ingredients',
} as const satisfies Columns;

export const importableProducts: Importable<ProductResource, ProductBody, ProductChange> = {
  action: 'products.imported',
  columns: productColumns,
  required: ['name', 'price'],
  schema: productBodySchema,
  // Products need no lock: all writes to the catalogue share one.
  open: async ({ sql, clinicId }, categories) => {
    const items = await allResources<StockResource>(sql, clinicId, 'stock');
    const known = { categoryIds: categories.ids, stockIds: new Set(items.map(({ id }) => id)) };
    return {
      things: await allResources<ProductResource>(sql, clinicId, 'products', { pictures: 'all' }),
      decide: (product, body) => {
        const { change, problems } = decideProduct(product, body, known);
        return { change, before: draftOf(product), after: change.draft, problems };
      },
    };
  },
  named: (product) => product,
  save: saveProducts,
};
