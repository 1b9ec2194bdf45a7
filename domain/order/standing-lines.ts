/**
 * Decides which lines of a changed treatment stand (SYNC-11). Changes are facts like payments: two tablets may change the
 * same line, or one takes it away while the other takes the money for it. So the lines that count are derived from all
 * facts and do not depend on the order of their arrival:
 *
 * - a line on an invoice stands, whatever a change says: the patient has paid for it;
 * - a line that was taken away does not stand, and what replaces it does. Where several changes take the same line, the
 *   one whose line was invoiced applies, or else the last one (`fact-order.ts`).
 *
 * A discount was agreed for the services of the plan. When some of them are taken away, their part of it goes with them.
 */
import { compareText } from '../compare-text.ts';
import { comparePlaces } from '../fact-order.ts';
import { divideRounded } from '../money.ts';
import { allLines, billedLineIds, subtotal } from './order.ts';
import type { Change, Invoice, Order, OrderLine } from './order.ts';

interface LineFacts {
  lines: readonly OrderLine[];
  changes: readonly Change[];
  invoices: readonly Invoice[];
}

/** A change that takes a line away. */
interface Claim {
  /** The place of the change among all changes. */
  rank: number;
  /** The line that takes its place. */
  by: OrderLine | null;
}

/** Returns the treatment with the lines and the discount that follow from its facts. */
export function withStandingLines(order: Order): Order {
  if (order.changes.length === 0) return order;
  const all = allLines(order).sort(inPlace);
  const { changes, invoices } = order;
  const standing = standingIds({ lines: all, changes, invoices });
  const lines = all.filter(({ lineId }) => standing.has(lineId));
  const removedLines = all.filter(({ lineId }) => !standing.has(lineId));
  return { ...order, lines, removedLines, discountMinor: discountOn({ ...order, lines, removedLines }, standing) };
}

/** Returns the lines that were taken away and stand because an invoice bills them. */
export function overruledRemovals(order: Order): OrderLine[] {
  const { lines, changes, invoices } = order;
  if (changes.length === 0) return [];
  const billed = billedLineIds(invoices);
  const taken = new Set([
    ...changes.flatMap(({ removedIds }) => removedIds),
    ...allLines(order).flatMap(({ replaces }) => replaces ?? []),
  ]);
  return lines.filter(({ lineId }) => taken.has(lineId) && billed.has(lineId));
}

const inPlace = (a: OrderLine, b: OrderLine): number =>
  a.position - b.position || (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : 0);

function standingIds({ lines, changes, invoices }: LineFacts): Set<string> {
  const byId = new Map(lines.map((line) => [line.lineId, line]));
  const claims = claimsOf(lines, changes);
  const billed = billedLineIds(invoices);
  const paidBranches = ancestorsOf(billed, byId);
  const standing = new Set(lines.map(({ lineId }) => lineId).filter((id) => billed.has(id)));
  for (const first of lines) {
    if (first.replaces !== null && byId.has(first.replaces)) continue;
    const seen = new Set<OrderLine>();
    let line: OrderLine | null = first;
    while (line && !billed.has(line.lineId) && !seen.has(line)) {
      seen.add(line);
      const own: Claim[] = claims.get(line.lineId) ?? [];
      if (own.length === 0) standing.add(line.lineId);
      line = own.reduce<Claim | null>((best, each) => later(best, each, paidBranches), null)?.by ?? null;
    }
  }
  return standing;
}

function claimsOf(lines: readonly OrderLine[], changes: readonly Change[]): Map<string, Claim[]> {
  const claims = new Map<string, Claim[]>();
  const add = (lineId: string, claim: Claim) => claims.set(lineId, [...(claims.get(lineId) ?? []), claim]);
  const inOrder = changes.toSorted(comparePlaces);
  const ranks = new Map(inOrder.map(({ opId }, rank) => [opId, rank]));
  inOrder.forEach(({ removedIds }, rank) => removedIds.forEach((id) => add(id, { rank, by: null })));
  for (const by of lines) if (by.replaces !== null) add(by.replaces, { rank: ranks.get(by.opId) ?? -1, by });
  return claims;
}

/** Returns these lines and all that they replaced, directly or not. */
function ancestorsOf(ids: ReadonlySet<string>, byId: ReadonlyMap<string, OrderLine>): Set<string> {
  const found = new Set<string>();
  for (const id of ids) {
    for (let at: string | null = id; at !== null && !found.has(at); at = byId.get(at)?.replaces ?? null) found.add(at);
  }
  return found;
}

function later(best: Claim | null, claim: Claim, paidBranches: ReadonlySet<string>): Claim {
  if (!best) return claim;
  const isPaid = ({ by }: Claim) => (by !== null && paidBranches.has(by.lineId) ? 1 : 0);
  const difference =
    isPaid(claim) - isPaid(best) ||
    claim.rank - best.rank ||
    compareText(claim.by?.lineId ?? '', best.by?.lineId ?? '');
  return difference > 0 ? claim : best;
}

/** Returns the lines that stand and belong to the plan: they came with the treatment, or in the place of one that did. */
export function plannedLines(order: Pick<Order, 'opId' | 'lines' | 'removedLines'>): OrderLine[] {
  const firsts = firstLines(order);
  return order.lines.filter((line) => firsts.get(line)!.opId === order.opId);
}

/** Returns, by line that stands, the one at the beginning of the replacements that led to it. */
function firstLines(order: Pick<Order, 'lines' | 'removedLines'>): Map<OrderLine, OrderLine> {
  const byId = new Map(allLines(order).map((line) => [line.lineId, line]));
  return new Map(order.lines.map((line) => [line, firstOf(line, byId)]));
}

/** What a discount was agreed for. */
export type DiscountedOrder = Pick<Order, 'opId' | 'agreedDiscountMinor' | 'lines' | 'removedLines'>;

/** Returns the part of the agreed discount that belongs to the services of the plan among these lines, to the cent. */
function discountOn(order: DiscountedOrder, lineIds: ReadonlySet<string>): number {
  const all = allLines(order);
  const byId = new Map(all.map((line) => [line.lineId, line]));
  const planned = all.filter((line) => firstOf(line, byId).opId === order.opId);
  const agreedMinor = subtotal(planned.filter((line) => line.opId === order.opId));
  const partMinor = subtotal(planned.filter(({ lineId }) => lineIds.has(lineId)));
  if (partMinor >= agreedMinor) return order.agreedDiscountMinor;
  return divideRounded(order.agreedDiscountMinor * partMinor, agreedMinor);
}

/** Returns what of the discount comes with lines that are about to be billed: what belongs to all billed ones after less before. */
export const discountWith = (order: DiscountedOrder, billed: ReadonlySet<string>, lineIds: readonly string[]): number =>
  discountOn(order, new Set([...billed, ...lineIds])) - discountOn(order, billed);

/** Returns the line at the beginning of the replacements that led to this one. */
function firstOf(line: OrderLine, byId: ReadonlyMap<string, OrderLine>): OrderLine {
  const seen = new Set<string>();
  let first = line;
  while (first.replaces !== null && byId.has(first.replaces) && !seen.has(first.lineId)) {
    seen.add(first.lineId);
    first = byId.get(first.replaces)!;
  }
  return first;
}
