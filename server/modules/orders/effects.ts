/** What follows from a treatment's change besides the treatment itself: usage of supplies, reservations, concerns. */
import { concernsOf } from '../../../domain/order/concerns.ts';
import type { OrderConcern } from '../../../domain/order/concerns.ts';
import { statusOf, totals } from '../../../domain/order/order.ts';
import type { Order, OrderLine } from '../../../domain/order/order.ts';
import { divideRounded, minorToWire } from '../../../domain/money.ts';
import type { LedgerEntry } from '../ledger/service.ts';
import type { Concern } from '../attention/service.ts';
import type { OrderChange } from './store.ts';

/** By product: the supplies that one unit uses, in thousandths. */
export type Ingredients = ReadonlyMap<number, readonly { stockId: number; quantityMilli: number }[]>;

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

/** An open treatment promises what its lines will use. */
function reserved(order: Order | null, ingredients: Ingredients): Use[] {
  if (!order || statusOf(order) !== 'confirmed') return [];
  return order.lines.flatMap((line) => usesOf(line, ingredients));
}

/** By item, how the promises of open treatments change. Items whose promises stay the same are left out. */
export function reservationChanges(changes: readonly OrderChange[], ingredients: Ingredients): Map<number, number> {
  const byItem = new Map<number, number>();
  const add = (sign: 1 | -1) => ({ stockId, quantityMilli }: Use) => byItem.set(stockId, (byItem.get(stockId) ?? 0) + sign * quantityMilli);
  for (const { before, after } of changes) {
    reserved(before, ingredients).forEach(add(-1));
    reserved(after, ingredients).forEach(add(1));
  }
  return new Map([...byItem].filter(([, change]) => change !== 0));
}

/** Ledger entries for lines that were just used up: at the time of the payment that completed the treatment. */
export function usageEntries(order: Order, usedLineIds: ReadonlySet<string>, ingredients: Ingredients): LedgerEntry[] {
  const completedBy = order.payments.at(-1);
  if (!completedBy) return [];
  return order.lines
    .filter((line) => usedLineIds.has(line.lineId))
    .flatMap((line) =>
      usesOf(line, ingredients).map(({ stockId, quantityMilli }) => ({
        stockId,
        type: 'usage' as const,
        movement: { type: 'delta' as const, changeMilli: -quantityMilli, effectiveAtMs: completedBy.atMs },
        referenceType: 'order' as const,
        referenceId: order.id,
        notes: order.number,
        userId: completedBy.actorId,
        deviceId: completedBy.deviceId,
        opId: completedBy.opId,
        lineId: line.lineId,
      })),
    );
}

export interface ConcernChanges {
  raised: Concern[];
  /** They stand as before, but for other amounts. */
  changed: Concern[];
  cleared: { orderId: string; kind: Concern['kind'] }[];
}

export function concernChanges(changes: readonly OrderChange[]): ConcernChanges {
  const result: ConcernChanges = { raised: [], changed: [], cleared: [] };
  for (const { before, after } of changes) {
    const had = new Set(before ? concernsOf(before) : []);
    const has = new Set(concernsOf(after));
    for (const kind of has) {
      const concern = { kind, opId: null, opKind: null, orderId: after.id, details: concernDetails(after, kind) };
      if (!had.has(kind)) result.raised.push(concern);
      else if (totals(before!).balanceMinor !== totals(after).balanceMinor) result.changed.push(concern);
    }
    for (const kind of had) if (!has.has(kind)) result.cleared.push({ orderId: after.id, kind });
  }
  return result;
}

function concernDetails(order: Order, kind: OrderConcern): Concern['details'] {
  const { paidMinor, balanceMinor } = totals(order);
  const surplusMinor = kind === 'over_refunded' ? -paidMinor : Math.max(0, -balanceMinor);
  return { number: order.number, paid: minorToWire(paidMinor), surplus: minorToWire(surplusMinor), currency: order.currency };
}
