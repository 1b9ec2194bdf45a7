/** Stock items: how forms and imports change them. */
import { isValid, problemMessages } from '#domain/problems.ts';
import type { Problems } from '#domain/problems.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import { blankStock } from '#domain/stock/blank-drafts.ts';
import { stockProblems } from '#domain/stock/drafts.ts';
import type { StockDraft } from '#domain/stock/drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { isoOf } from '#domain/instant.ts';
import { refreshAlerts, writeLedger } from '../ledger/service.ts';
import type { LedgerEntry } from '../ledger/service.ts';
import { holdUploads } from '../uploads/service.ts';
import type { CatalogueNoun } from './catalogue-service.ts';
import { deleteRow, documentsOf, newIds, restoreRow } from './catalogue-store.ts';
import type { Columns } from './csv-cells.ts';
import type { Importable } from './csv-import.ts';
import { allItems, insertItems, itemRow, lockItems, productsUsing, readUses, updateItems } from './items-store.ts';
import type { ItemContent, ItemUses, StockItem } from './items-store.ts';
import { itemBodySchema } from './schemas.ts';
import type { ItemBody } from './schemas.ts';
import { withChanges } from '#server/partial-update.ts';
import type { WriteContext } from '#server/context.ts';

const unstocked = { quantity: 0, reserved_quantity: 0, low_stock_threshold: 0, tracks_lots: false } as const;

/** The fields that a form edits. */
const draftOf = (document: StockResource): StockDraft => withChanges(blankStock, document);

const fieldsOf = (item: StockItem | null): StockDraft => (item ? draftOf(item.document) : blankStock);

/**
 * Applies a body to an item, or to a blank one, and returns the change with its problems. Of an existing item only
 * changed fields are validated: an item below zero can still be renamed.
 *
 * A quantity is a count only if it differs from the one that the form showed (SYNC-10). The reservation by hand changes
 * by the difference that the form made, because treatments may have reserved or released in the meantime.
 *
 * An item that is not stocked has no quantity, reservation or threshold. The form always sends them, so they are accepted and not
 * stored.
 *
 * Another unit is possible only with a count in it, because the old quantity is one of other things, and only while no lot,
 * reservation or service counts in the old one. While a sent order waits for the item, its unit stays and it stays
 * stocked: the delivery would be recorded in another unit, or nowhere.
 *
 * @param uses what depends on the item; null of a new one
 */
export function decideItem(
  item: StockItem | null,
  body: ItemBody,
  { categoryIds, uses }: { categoryIds: ReadonlySet<number>; uses: ItemUses | null },
): { change: ItemChange; problems: Problems<keyof StockDraft> } {
  const before = fieldsOf(item);
  const isStocked = body.is_stocked ?? before.is_stocked;
  const isOtherUnit = item !== null && before.is_stocked && body.unit !== undefined && body.unit !== before.unit;
  // A quantity in another unit is a count even if the number is the same, unless a table only repeats the number.
  const shown = body.expected_quantity ?? (isOtherUnit ? undefined : before.quantity);
  const counted = isStocked ? edited(body.quantity, shown) : null;
  const shownReserved = body.expected_reserved_quantity ?? before.reserved_quantity;
  const reserved = isStocked ? edited(body.reserved_quantity, shownReserved) : null;
  const draft = {
    ...withChanges(before, body),
    ...(isStocked
      ? { quantity: counted ?? before.quantity, reserved_quantity: reserved ?? before.reserved_quantity }
      : unstocked),
  };
  const heldMilli =
    (item?.heldMilli ?? 0) + (reserved === null ? 0 : milliFromWire(reserved) - milliFromWire(shownReserved));
  const found = stockProblems(draft);
  if (draft.category_id !== null && !categoryIds.has(draft.category_id)) found.category_id = 'CATEGORY_UNKNOWN';
  const ends = item !== null && before.is_stocked && !isStocked;
  if (isOtherUnit && isStocked && uses?.countsInUnit) found.unit ??= 'UNIT_IN_USE';
  if (isOtherUnit && isStocked && before.quantity !== 0 && counted === null) found.unit ??= 'UNIT_NEEDS_COUNT';
  if (uses && uses.orders.length > 0) {
    if (ends) found.is_stocked ??= 'ITEM_ON_ORDER';
    else if (isOtherUnit) found.unit ??= 'ITEM_ON_ORDER';
  }
  if (heldMilli < 0) found.reserved_quantity ??= 'RESERVED_BELOW_PROMISED';
  const concerned = Object.entries(found).filter(
    ([field]) => !item || draft[field as keyof StockDraft] !== before[field as keyof StockDraft],
  );
  const restocked = body.last_restocked_at;
  const change = {
    item,
    draft,
    heldMilli,
    countMilli: counted === null ? null : milliFromWire(counted),
    lastRestockedAt:
      restocked === undefined ? (item?.document.last_restocked_at ?? null) : restocked && isoOf(Date.parse(restocked)),
  };
  return { change, problems: Object.fromEntries(concerned) };
}

/** Returns a number that the form changed; null otherwise. */
const edited = (said: number | undefined, shown: number | undefined): number | null =>
  said === undefined || said === shown ? null : said;

export interface ItemChange extends ItemContent {
  /** Null for a new item. */
  item: StockItem | null;
  /** The counted quantity; null without a count. */
  countMilli: number | null;
}

/**
 * Saves items, counts included. Existing items must be locked.
 *
 * @returns the ids in the given order
 */
export async function saveItems(context: WriteContext, changes: readonly ItemChange[]): Promise<number[]> {
  const { sql, clinicId, atMs } = context;
  const created = await newIds(sql, 'stock', changes.filter(({ item }) => !item).length);
  const ids = changes.map(({ item }) => item?.document.id ?? created.shift()!);
  const rows = changes.map((change, index) => ({
    ...itemRow(change),
    clinic_id: clinicId,
    id: ids[index]!,
    updated_at: isoOf(atMs),
  }));
  await holdUploads(
    sql,
    clinicId,
    rows.map(({ image_url }) => image_url),
  );
  await insertItems(
    sql,
    rows.filter((_, index) => !changes[index]!.item),
  );
  await updateItems(
    sql,
    clinicId,
    rows.filter((_, index) => changes[index]!.item),
  );
  const counts = changes.flatMap(({ countMilli }, index) =>
    countMilli === null ? [] : [countEntry(context, ids[index]!, countMilli)],
  );
  await writeLedger(sql, clinicId, atMs, { entries: counts, reservations: new Map() });
  await refreshAlerts(sql, clinicId, atMs, ids);
  return ids;
}

function countEntry({ session, atMs, newId }: WriteContext, stockId: number, quantityMilli: number): LedgerEntry {
  return {
    stockId,
    type: 'manual_adjustment',
    movement: { type: 'count', quantityMilli, effectiveAtMs: atMs },
    referenceType: 'adjustment',
    referenceId: null,
    notes: '',
    userId: session.userId,
    deviceId: session.deviceId,
    opId: newId(),
    lineId: null,
  };
}

/** The orders that a refusal names: as many as somebody reads. */
const listed = ({ orders }: ItemUses): string => orders.slice(0, 5).join(', ');

/** Returns the id of the category, as a set, if it exists. */
export async function liveCategories(
  { sql, clinicId }: Pick<WriteContext, 'sql' | 'clinicId'>,
  id: number | null | undefined,
): Promise<Set<number>> {
  if (id === null || id === undefined) return new Set();
  const found = await documentsOf<{ id: number }>(sql, clinicId, 'categories', [id]);
  return new Set(found.map((category) => category.id));
}

/** Stock items: the opening quantity of a new one is the first count of its ledger. */
export const stockItems: CatalogueNoun<StockResource, StockDraft, ItemBody, StockItem, ItemChange> = {
  name: 'stock',
  table: 'stock',
  blank: blankStock,
  audited: ['quantity', 'cost_per_unit'],
  missing: (id) => ({ code: 'STOCK_NOT_FOUND', details: { stock_id: id } }),
  read: async ({ sql, clinicId }, id) => (await lockItems(sql, clinicId, [id])).get(id),
  resourceOf: ({ document }) => document,
  async decide(context, item, body) {
    const uses = item && (await readUses(context.sql, context.clinicId, [item.document.id]))(item.document.id);
    const categoryIds = await liveCategories(context, body.category_id);
    const { change, problems } = decideItem(item, body, { categoryIds, uses });
    if (Object.values(problems).includes('ITEM_ON_ORDER')) return refuse('STOCK_ON_ORDER', { orders: listed(uses!) });
    return isValid(problems) ? accept(change) : refuse('VALIDATION', problemMessages(problems));
  },
  save: saveItems,
  /**
   * The ledger and past treatments of a deleted item stay. An ingredient of a product cannot be deleted, because the
   * product would silently stop using it; the refusal names the products. Nor can one for which a sent order waits.
   */
  async remove(context, id) {
    const { sql, clinicId, atMs } = context;
    const products = await productsUsing(sql, clinicId, id);
    if (products.length > 0) return { code: 'STOCK_IN_USE', details: { products: products.join(', ') } };
    const uses = (await readUses(sql, clinicId, [id]))(id);
    if (uses.orders.length > 0) return { code: 'STOCK_ON_ORDER', details: { orders: listed(uses) } };
    await deleteRow(context, 'stock', id);
    await refreshAlerts(sql, clinicId, atMs, [id]);
    return null;
  },
  async restore(context, id) {
    const { sql, clinicId, atMs } = context;
    if (!(await restoreRow(context, 'stock', id))) return { code: 'STOCK_NOT_FOUND', details: { stock_id: id } };
    await refreshAlerts(sql, clinicId, atMs, [id]);
    return null;
  },
};

/** The columns of stock items as CSV. */
export const itemColumns = {
  id: 'id',
  name: 'text',
  unit: 'text',
  category: 'category',
  supplier: 'text',
  supplier_contact: 'text',
  quantity: 'quantity',
  expected_quantity: 'quantity',
  low_stock_threshold: 'quantity',
  cost_per_unit: 'amount',
  barcode: 'text',
  is_available: 'flag',
  is_stocked: 'flag',
  needs_preparation: 'flag',
  is_favourite: 'flag',
  tracks_lots: 'flag',
} as const satisfies Columns;

export const importableItems: Importable<StockItem, ItemBody, ItemChange> = {
  action: 'stock.imported',
  columns: itemColumns,
  required: ['name', 'supplier', 'supplier_contact'],
  schema: itemBodySchema,
  open: async ({ sql, clinicId }, categories, mode) => {
    const items = mode === 'lock' ? await lockItems(sql, clinicId, 'all') : await allItems(sql, clinicId);
    const usesOf = await readUses(sql, clinicId, 'all');
    return {
      things: [...items.values()],
      decide: (item, body) => {
        const uses = item && usesOf(item.document.id);
        const { change, problems } = decideItem(item, body, { categoryIds: categories.ids, uses });
        return { change, before: fieldsOf(item), after: change.draft, problems };
      },
    };
  },
  named: ({ document }) => document,
  save: saveItems,
};
