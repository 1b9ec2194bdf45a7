/** Quantities changed by hand over REST: adjusted, reserved, and used for a treatment. */
import { errorCatalogue } from '#domain/protocol/errors.ts';
import { stockAggregate } from '#domain/stock/operations.ts';
import type { AdjustStockPayload } from '#domain/stock/operations.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { problemCatalogue } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { writeLedger } from '../ledger/service.ts';
import type { OperationRegistry } from '#server/operations/registry.ts';
import { applyTogether } from '#server/operations/rest-entry.ts';
import { documentsOf } from './catalogue-store.ts';
import { changeReserved, lockItems, treatmentNumber } from './items-store.ts';
import type { BulkUpdate, NamedSupply } from './schemas.ts';
import { audit } from '../audit/service.ts';
import type { WriteContext } from '#server/context.ts';

/** Adjusts many items, or none: the details of a refusal name each wrong row. Returns the items as stored. */
export async function adjustTogether(
  registry: OperationRegistry,
  context: WriteContext,
  updates: readonly BulkUpdate[],
): Promise<Result<StockResource[]>> {
  const { sql, clinicId } = context;
  const ids = [...new Set(updates.map(({ stock_id }) => stock_id))];
  const items = await documentsOf<StockResource>(sql, clinicId, 'stock', ids);
  const known = new Map(items.map((item) => [item.id, item]));
  const faults = updates.flatMap((update, index) => {
    const fault = faultOf(update, known);
    return fault ? [[`updates.${index}`, fault] as const] : [];
  });
  if (faults.length > 0) return refuse('VALIDATION', Object.fromEntries(faults.slice(0, 20)));
  const payloads = updates.map(({ stock_id, action, amount, notes }): AdjustStockPayload => ({
    stock_id,
    action,
    amount,
    notes,
  }));
  await applyTogether(
    registry,
    context,
    payloads.map((payload) => ({ kind: 'stock.adjust', aggregate: stockAggregate(payload.stock_id), payload })),
  );
  return accept(await inOrder(context, ids));
}

function faultOf({ stock_id, action, amount }: BulkUpdate, known: ReadonlyMap<number, StockResource>): string | null {
  if (amount < 0) return problemCatalogue.QUANTITY_NEGATIVE;
  if (action !== 'set' && amount === 0) return problemCatalogue.QUANTITY_NOT_POSITIVE;
  const item = known.get(stock_id);
  if (!item) return errorCatalogue.STOCK_NOT_FOUND.message;
  return item.is_stocked ? null : errorCatalogue.STOCK_NOT_STOCKED.message;
}

/** Sums the quantities by item: a list may name an item twice. */
function sums(supplies: readonly NamedSupply[]): Map<number, number> {
  const byItem = new Map<number, number>();
  for (const { stock_id, quantity } of supplies)
    byItem.set(stock_id, (byItem.get(stock_id) ?? 0) + milliFromWire(quantity));
  return byItem;
}

/**
 * Reserves supplies by hand, or releases them; reservations of open treatments are separate. More than was reserved by
 * hand cannot be released. Returns the items as stored.
 */
export async function holdItems(
  context: WriteContext,
  supplies: readonly NamedSupply[],
  direction: 1 | -1,
): Promise<Result<StockResource[]>> {
  const { sql, clinicId, atMs } = context;
  const byItem = sums(supplies);
  const items = await lockItems(sql, clinicId, [...byItem.keys()]);
  for (const [stockId, changeMilli] of byItem) {
    const item = items.get(stockId);
    if (!item) return refuse('STOCK_NOT_FOUND', { stock_id: stockId });
    if (!item.document.is_stocked) return refuse('STOCK_NOT_STOCKED', { stock_id: stockId });
    if (item.heldMilli + direction * changeMilli < 0)
      return refuse('HELD_TOO_LITTLE', { stock_id: stockId, held: milliToWire(item.heldMilli) });
  }
  const changes = [...byItem].map(([id, milli]) => ({ id, change: direction * milli }));
  await changeReserved(sql, clinicId, changes, atMs);
  const details = Object.fromEntries([...byItem].map(([id, milli]) => [`stock:${id}`, milliToWire(direction * milli)]));
  await audit(context, { action: direction === 1 ? 'stock.reserved' : 'stock.unreserved', details });
  return accept(await inOrder(context, [...byItem.keys()]));
}

/**
 * Uses more supplies for a treatment than its lines do. The lines' supplies are deducted once per line when it completes
 * (SYNC-10). A service that is not stocked may be in the list and uses nothing. Returns the items as stored.
 */
export async function deductForOrder(
  context: WriteContext,
  orderId: string,
  supplies: readonly NamedSupply[],
): Promise<Result<StockResource[]>> {
  const { sql, session, clinicId, atMs, newId } = context;
  const number = await treatmentNumber(sql, clinicId, orderId);
  if (number === undefined) return refuse('ORDER_NOT_FOUND');
  const byItem = sums(supplies);
  const items = await documentsOf<StockResource>(sql, clinicId, 'stock', [...byItem.keys()]);
  const missing = [...byItem.keys()].find((stockId) => !items.some(({ id }) => id === stockId));
  if (missing !== undefined) return refuse('STOCK_NOT_FOUND', { stock_id: missing });
  const entries = [...byItem].map(([stockId, milli]) => ({
    stockId,
    type: 'usage' as const,
    movement: { type: 'delta' as const, changeMilli: -milli, effectiveAtMs: atMs },
    referenceType: 'order' as const,
    referenceId: orderId,
    notes: number,
    userId: session.userId,
    deviceId: session.deviceId,
    opId: newId(),
    lineId: null,
  }));
  await writeLedger(sql, clinicId, atMs, { entries, reservations: new Map() });
  const details = Object.fromEntries([...byItem].map(([id, milli]) => [`stock:${id}`, milliToWire(milli)]));
  await audit(context, { action: 'stock.deducted', subject: orderId, details });
  return accept(await inOrder(context, [...byItem.keys()]));
}

async function inOrder({ sql, clinicId }: WriteContext, ids: readonly number[]): Promise<StockResource[]> {
  const documents = new Map(
    (await documentsOf<StockResource>(sql, clinicId, 'stock', ids)).map((document) => [document.id, document]),
  );
  return ids.map((id) => documents.get(id)!);
}
