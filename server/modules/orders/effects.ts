/** Effects of a changed treatment on other tables: usage of supplies, reservations, concerns. */
import { flagAmounts, refundedTwice } from '#domain/order/flags.ts';
import type { FlagAmount } from '#domain/order/flags.ts';
import { allLines } from '#domain/order/order.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { Order, OrderLine } from '#domain/order/order.ts';
import { standingInvoices } from '#domain/order/tax-totals.ts';
import { divideRounded, minorToWire } from '#domain/money.ts';
import type { LedgerEntry } from '../ledger/service.ts';
import type { Concern } from '../attention/service.ts';
import type { Completion, OrderChange } from './changes-store.ts';
import type { Ingredients } from './usage-store.ts';

interface Use {
  stockId: number;
  quantityMilli: number;
}

function usesOf(line: OrderLine, ingredients: Ingredients): Use[] {
  if (line.stockId !== null) return [{ stockId: line.stockId, quantityMilli: line.quantityMilli }];
  return (ingredients.get(line.productId!) ?? []).map(({ stockId, quantityMilli }) => ({
    stockId,
    quantityMilli: divideRounded(quantityMilli * line.quantityMilli, 1000),
  }));
}

/**
 * Returns, by line, the operation that used its supplies: the first one after which the treatment was completed with
 * this line in it (SYNC-10).
 *
 * @param usedBefore the ids of the lines whose supplies were used before these changes
 */
export function usageOf(changes: readonly OrderChange[], usedBefore: ReadonlySet<string>): Map<string, Completion> {
  const usage = new Map<string, Completion>();
  for (const completion of changes.flatMap(({ completions }) => completions)) {
    for (const { lineId } of completion.lines)
      if (!usedBefore.has(lineId) && !usage.has(lineId)) usage.set(lineId, completion);
  }
  return usage;
}

/** Returns what an open treatment reserves: the supplies of its lines that are not used yet. */
function reserved(order: Order | null, used: ReadonlySet<string>, ingredients: Ingredients): Use[] {
  if (!order || statusOf(order) !== 'confirmed') return [];
  return order.lines.filter(({ lineId }) => !used.has(lineId)).flatMap((line) => usesOf(line, ingredients));
}

/** Returns by how much the reservation of each item changes; items without a change are left out. */
export function reservationChanges(
  changes: readonly OrderChange[],
  used: { before: ReadonlySet<string>; after: ReadonlySet<string> },
  ingredients: Ingredients,
): Map<number, number> {
  const byItem = new Map<number, number>();
  const add =
    (sign: 1 | -1) =>
    ({ stockId, quantityMilli }: Use) =>
      byItem.set(stockId, (byItem.get(stockId) ?? 0) + sign * quantityMilli);
  for (const { before, after } of changes) {
    reserved(before, used.before, ingredients).forEach(add(-1));
    reserved(after, used.after, ingredients).forEach(add(1));
  }
  return new Map([...byItem].filter(([, change]) => change !== 0));
}

/** Returns the ledger entries of the used supplies, each by the operation that used them and at its time. */
export function usageEntries(
  order: Order,
  usage: ReadonlyMap<string, Completion>,
  ingredients: Ingredients,
): LedgerEntry[] {
  return allLines(order).flatMap((line) => {
    const completion = usage.get(line.lineId);
    if (!completion) return [];
    return usesOf(line, ingredients).map(({ stockId, quantityMilli }) => ({
      stockId,
      type: 'usage' as const,
      movement: { type: 'delta' as const, changeMilli: -quantityMilli, effectiveAtMs: completion.atMs },
      referenceType: 'order' as const,
      referenceId: order.id,
      notes: order.number,
      userId: completion.actorId,
      deviceId: completion.deviceId,
      opId: completion.opId,
      lineId: line.lineId,
    }));
  });
}

export interface ConcernChanges {
  raised: Concern[];
  /** Conditions that still hold, with other amounts. */
  changed: Concern[];
  cleared: { orderId: string; kind: Concern['kind'] }[];
}

export function concernChanges(changes: readonly OrderChange[]): ConcernChanges {
  const result: ConcernChanges = { raised: [], changed: [], cleared: [] };
  for (const { before, after } of changes) {
    const had = new Map((before ? flagAmounts(before) : []).map((flag) => [flag.kind, flag]));
    for (const flag of flagAmounts(after)) {
      const { kind, isRaised, surplusMinor } = flag;
      const old = had.get(kind);
      if (isRaised) {
        const concern = { kind, opId: null, opKind: null, orderId: after.id, details: concernDetails(after, flag) };
        if (!old?.isRaised) result.raised.push(concern);
        else if (old.surplusMinor !== surplusMinor) result.changed.push(concern);
      } else if (old?.isRaised) result.cleared.push({ orderId: after.id, kind });
    }
  }
  return result;
}

function concernDetails(order: Order, { kind, surplusMinor }: FlagAmount): Concern['details'] {
  const invoices = standingInvoices(order).map(({ invoice_number }) => invoice_number);
  const services = refundedTwice(order).map(({ name }) => name);
  return {
    number: order.number,
    paid: minorToWire(totals(order).paidMinor),
    surplus: minorToWire(surplusMinor),
    currency: order.currency,
    ...(kind === 'over_invoiced' && { invoices: invoices.join(', ') }),
    ...(kind === 'refunded_twice' && { services: services.join(', ') }),
  };
}
