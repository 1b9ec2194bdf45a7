/**
 * Purchase orders and deliveries. Callers hold the order's lock and a transaction; the domain makes every decision
 * before anything is written. A delivery enters the stock ledger at its own cost; the item's `cost_per_unit` is the
 * counter's price and stays unchanged.
 */
import { businessDay } from '#domain/business-day.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { PurchaseOrderResource, PurchaseSuggestion } from '#domain/stock/resources.ts';
import { purchaseProblems } from '#domain/stock/drafts.ts';
import type { PurchaseDraft } from '#domain/stock/drafts.ts';
import {
  decideCancelPurchase,
  decideChange,
  decideDeliveries,
  decideSend,
  purchaseDraftOf,
  purchaseOrderResource,
  suggestedMilli,
} from '#domain/stock/purchasing.ts';
import type { Delivery, PurchaseLine, PurchaseOrder } from '#domain/stock/purchasing.ts';
import type { PurchaseOrderStatus } from '#domain/stock/vocabulary.ts';
import type { Author } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import { lockAggregates } from '#server/operations/store.ts';
import { withChanges } from '#server/partial-update.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { writeLedger } from '../ledger/service.ts';
import type { LedgerEntry } from '../ledger/service.ts';
import {
  agreeOnItems,
  insertPurchaseOrder,
  listLowItems,
  loadOrderable,
  loadPurchaseOrder,
  lockUnorderable,
  orderOfDeliveryNote,
  replacePurchaseOrder,
  saveDeliveryNote,
  saveReceived,
  saveStatus,
} from './store.ts';
import type { LowItem, PurchaseContent } from './store.ts';

export { openOrdersOf } from './store.ts';

export async function createPurchaseOrder(
  sql: Sql,
  author: Author,
  draft: PurchaseDraft,
): Promise<Result<PurchaseOrderResource>> {
  const content = await complete(sql, author.clinicId, draft);
  if (!content.ok) return content;
  const id = await insertPurchaseOrder(sql, author, content.value);
  return done(sql, author, id, { action: 'create' });
}

/** The fields of a change; missing ones stay unchanged. */
type PurchaseChanges = { [Field in keyof PurchaseDraft]?: PurchaseDraft[Field] | undefined };

export async function changePurchaseOrder(
  sql: Sql,
  author: Author,
  id: number,
  changes: PurchaseChanges,
): Promise<Result<PurchaseOrderResource>> {
  const order = await loadPurchaseOrder(sql, author.clinicId, id);
  if (!order) return refuse('PURCHASE_ORDER_NOT_FOUND');
  const agreed = decideChange(order);
  if (!agreed.ok) return agreed;
  const draft = withChanges(purchaseDraftOf(purchaseOrderResource(order)), changes);
  const content = await complete(sql, author.clinicId, draft);
  if (!content.ok) return content;
  await replacePurchaseOrder(sql, author.clinicId, id, { ...content.value, atMs: author.atMs });
  return done(sql, author, id, { action: 'change' });
}

/** Sends a draft. From then on the order says what was agreed, whatever becomes of its items. */
export const sendPurchaseOrder = (sql: Sql, author: Author, id: number) =>
  move(sql, author, id, {
    action: 'send',
    agree: async (order) => {
      const decided = decideSend(order);
      if (!decided.ok) return decided;
      const gone = await goneItem(sql, author.clinicId, order.lines);
      if (gone) return gone;
      await agreeOnItems(sql, author.clinicId, id);
      return decided;
    },
  });
export const cancelPurchaseOrder = (sql: Sql, author: Author, id: number) =>
  move(sql, author, id, { action: 'cancel', agree: (order) => Promise.resolve(decideCancelPurchase(order)) });

/** Refuses lines whose item was deleted or is not stocked any more: their delivery would go nowhere. */
async function goneItem(sql: Sql, clinicId: number, lines: readonly PurchaseLine[]) {
  const ids = lines.map(({ stockId }) => stockId);
  const gone = await lockUnorderable(sql, clinicId, ids);
  const line = lines.find(({ stockId }) => gone.has(stockId));
  return line && refuse('PURCHASE_ITEM_GONE', { name: line.name });
}

/** What arrived together, as its receiver booked it. */
export interface Booking {
  deliveries: readonly (Delivery & { notes: string })[];
  /** The vendor's number of the delivery; empty where it has none, or nobody said. */
  note: string;
  /** True if the receiver says that it is another delivery under the same number. */
  isAnother: boolean;
}

/** Receives deliveries into stock: all of them, or none. A number that was booked before is asked back. */
export async function receiveDeliveries(
  sql: Sql,
  author: Author,
  id: number,
  { deliveries, note, isAnother }: Booking,
): Promise<Result<PurchaseOrderResource>> {
  const { clinicId, atMs } = author;
  const order = await loadPurchaseOrder(sql, clinicId, id);
  if (!order) return refuse('PURCHASE_ORDER_NOT_FOUND');
  const delivered = new Set(deliveries.map(({ lineId }) => lineId));
  const gone = await goneItem(
    sql,
    clinicId,
    order.status === 'draft' ? order.lines : order.lines.filter(({ id: lineId }) => delivered.has(lineId)),
  );
  if (gone) return gone;
  const { time_zone } = await clinicSettings(sql, clinicId);
  const agreed = decideDeliveries(order, deliveries, businessDay(atMs, time_zone));
  if (!agreed.ok) return agreed;
  if (note !== '') {
    // Two people may book one delivery on two orders of its vendor at once.
    await lockAggregates(sql, clinicId, ['purchase:delivery notes']);
    const booked = isAnother ? null : await orderOfDeliveryNote(sql, clinicId, { vendor: order.vendor, note });
    if (booked !== null) return refuse('DELIVERY_NOTE_BOOKED', { number: booked, note });
    await saveDeliveryNote(sql, clinicId, id, note);
  }
  if (order.status === 'draft') await agreeOnItems(sql, clinicId, id);
  await saveReceived(sql, clinicId, agreed.value.lines);
  await saveStatus(sql, clinicId, id, { status: agreed.value.status, atMs });
  const entries = deliveries.map((delivery) => ledgerEntry(order, delivery, author));
  await writeLedger(sql, clinicId, atMs, { entries, reservations: new Map() });
  return done(sql, author, id, { action: 'receive', details: { lines: deliveries.length } });
}

function ledgerEntry(
  order: PurchaseOrder,
  delivery: Delivery & { notes: string },
  { userId, deviceId, atMs, newId }: Author,
): LedgerEntry {
  const { stockId, tracksLots, unitCostMinor } = order.lines.find(({ id }) => id === delivery.lineId)!;
  return {
    stockId,
    type: 'purchase',
    movement: { type: 'delta', changeMilli: delivery.quantityMilli, effectiveAtMs: atMs },
    referenceType: 'purchase_order',
    referenceId: order.number,
    notes: delivery.notes,
    userId,
    deviceId,
    // A delivery may bring one line in several lots, each a movement of its own. The idempotency key prevents
    // duplicates.
    opId: newId(),
    lineId: null,
    unitCostMinor: delivery.unitCostMinor ?? unitCostMinor,
    ...(tracksLots && { lot: { number: delivery.lotNumber!.trim(), expiresOn: delivery.expiresOn! } }),
  };
}

/** Suggests items to order by supplier. Items with enough on order are left out. */
export async function suggestPurchases(sql: Sql, clinicId: number): Promise<PurchaseSuggestion[]> {
  const bySupplier = new Map<string, PurchaseSuggestion>();
  for (const item of await listLowItems(sql, clinicId)) {
    const suggested = suggestedMilli(item);
    if (suggested === 0) continue;
    const known = bySupplier.get(item.supplier) ?? { supplier: item.supplier, supplier_contact: '', items: [] };
    known.supplier_contact ||= item.supplierContact;
    known.items.push(suggestionOf(item, suggested));
    bySupplier.set(item.supplier, known);
  }
  return [...bySupplier.values()];
}

const suggestionOf = (item: LowItem, suggested: number): PurchaseSuggestion['items'][number] => ({
  stock_id: item.stockId,
  name: item.name,
  unit: item.unit,
  current: milliToWire(item.quantityMilli),
  threshold: milliToWire(item.thresholdMilli),
  on_order: milliToWire(item.onOrderMilli),
  suggested: milliToWire(suggested),
  unit_cost: minorToWire(item.unitCostMinor),
});

/** Validates a draft and fills in the items' costs. */
async function complete(sql: Sql, clinicId: number, draft: PurchaseDraft): Promise<Result<PurchaseContent>> {
  const problems = purchaseProblems(draft);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const costs = await loadOrderable(
    sql,
    clinicId,
    draft.items.map(({ stock_id }) => stock_id),
  );
  const unknown = draft.items.find(({ stock_id }) => !costs.has(stock_id));
  if (unknown) return refuse('STOCK_NOT_FOUND', { stock_id: unknown.stock_id });
  return accept({
    vendor: draft.vendor.trim(),
    vendorContact: draft.vendor_contact.trim(),
    notes: draft.notes,
    lines: draft.items.map(({ stock_id, quantity, unit_cost }) => ({
      stockId: stock_id,
      quantityMilli: milliFromWire(quantity),
      unitCostMinor: unit_cost === undefined ? costs.get(stock_id)! : minorFromWire(unit_cost),
    })),
  });
}

async function move(
  sql: Sql,
  author: Author,
  id: number,
  {
    action,
    agree,
  }: { action: 'send' | 'cancel'; agree: (order: PurchaseOrder) => Promise<Result<PurchaseOrderStatus>> },
): Promise<Result<PurchaseOrderResource>> {
  const order = await loadPurchaseOrder(sql, author.clinicId, id);
  if (!order) return refuse('PURCHASE_ORDER_NOT_FOUND');
  const agreed = await agree(order);
  if (!agreed.ok) return agreed;
  await saveStatus(sql, author.clinicId, id, { status: agreed.value, atMs: author.atMs });
  return done(sql, author, id, { action });
}

interface Deed {
  action: 'create' | 'change' | 'send' | 'cancel' | 'receive';
  details?: Record<string, number>;
}

/** Records the action in the audit log and returns the order as stored. */
async function done(
  sql: Sql,
  author: Author,
  id: number,
  { action, details }: Deed,
): Promise<Result<PurchaseOrderResource>> {
  const document = purchaseOrderResource((await loadPurchaseOrder(sql, author.clinicId, id))!);
  const { po_number, status, total } = document;
  await recordAudit(sql, author, {
    action: `purchase.${action}`,
    subject: po_number,
    details: { status, total, ...details },
    at: author.atMs,
  });
  return accept(document);
}
