/**
 * What each service of a treatment costs: the only place where discount, charge and refunds meet lines. Amounts are minor
 * units. Nothing depends on the order in which facts arrive: lines are taken in the order of their ids, and refunds add up.
 *
 * - `charge - discount` was agreed for the services of the plan, so those that were added later take no part.
 * - A line gets back what refunds name for it, at most what it is charged.
 *   What they name for a service that the treatment never had is an allowance.
 * - What refunds take off the treatment as a whole is an allowance. Each refund states how it is spread over the services
 *   that the treatment had then (`refund-terms.ts`). What is more than these have left is taken off the others.
 */
import { compareText } from '../compare-text.ts';
import { shareOut } from '../tax/tax.ts';
import { allLines, lineTotal } from './order.ts';
import type { Order, OrderLine, Payment, RefundedLine } from './order.ts';
import { plannedLines } from './standing-lines.ts';

export interface LinePrice {
  line: OrderLine;
  /** Its line total, and its part of charge and discount. */
  chargedMinor: number;
  /** What refunds name for it; above `chargedMinor` when two devices have given it back. */
  namedMinor: number;
  givenMinor: number;
  /** Its part of what was taken off the treatment as a whole. */
  allowanceMinor: number;
  /** What is left of it: the sum of all lines is what is owed. */
  earnedMinor: number;
}

type RefundFacts = Pick<Payment, 'amountMinor' | 'refundedLines' | 'allowances' | 'reductionMinor' | 'isStillOwed'>;

/** What prices follow from. */
export interface PricedOrder extends Pick<Order, 'opId' | 'lines' | 'removedLines' | 'discountMinor' | 'chargeMinor'> {
  payments: readonly RefundFacts[];
}

export function linePrices(order: PricedOrder): LinePrice[] {
  const charged = chargedAmounts(order);
  const refunds = order.payments.filter(({ reductionMinor }) => reductionMinor > 0);
  if (refunds.length === 0)
    return order.lines.map((line, at) => priceOf(line, { chargedMinor: charged[at]!, namedMinor: 0 }));
  const { named, wanted, poolMinor } = statedOf(order, refunds);
  const given = charged.map((chargedMinor, at) => Math.min(named[at]!, Math.max(0, chargedMinor)));
  const left = charged.map((chargedMinor, at) => Math.max(0, chargedMinor) - given[at]!);
  const allowanceMinor = Math.min(poolMinor, Math.max(0, sum(charged) - sum(given)));
  const allowances = allowancesOf(order.lines, allowanceMinor, wanted, left);
  return order.lines.map((line, at) =>
    priceOf(line, {
      chargedMinor: charged[at]!,
      namedMinor: named[at]!,
      givenMinor: given[at]!,
      allowanceMinor: allowances[at]!,
    }),
  );
}

/** Returns by how much refunds lower what the treatment costs. */
export const reductionOf = (order: PricedOrder): number =>
  order.payments.some(({ reductionMinor }) => reductionMinor > 0)
    ? linePrices(order).reduce((total, { givenMinor, allowanceMinor }) => total + givenMinor + allowanceMinor, 0)
    : 0;

/** Returns by how much refunds name more for a service than it is charged. */
export const overNamedMinor = ({ chargedMinor, namedMinor }: LinePrice): number =>
  Math.max(0, namedMinor - Math.max(0, chargedMinor));

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

const priceOf = (
  line: OrderLine,
  {
    chargedMinor,
    namedMinor,
    givenMinor = 0,
    allowanceMinor = 0,
  }: Pick<LinePrice, 'chargedMinor' | 'namedMinor'> & Partial<LinePrice>,
): LinePrice => ({
  line,
  chargedMinor,
  namedMinor,
  givenMinor,
  allowanceMinor,
  earnedMinor: chargedMinor - givenMinor - allowanceMinor,
});

function chargedAmounts(order: PricedOrder): number[] {
  const agreedMinor = order.chargeMinor - order.discountMinor;
  const worth = order.lines.map(lineTotal);
  if (agreedMinor === 0) return worth;
  const shares = shareByLine(agreedMinor, order.lines, weightsOf(order, worth));
  return worth.map((minor, at) => minor + shares[at]!);
}

/** Returns the part that each line takes in what was agreed: a plan without prices shares it equally. */
function weightsOf(order: PricedOrder, worth: readonly number[]): readonly number[] {
  const planned = new Set(plannedLines(order));
  if (planned.size === 0) return worth;
  const ofPlan = order.lines.map((line, at) => (planned.has(line) ? worth[at]! : 0));
  return sum(ofPlan) > 0 ? ofPlan : order.lines.map((line) => (planned.has(line) ? 1 : 0));
}

/** Returns the part of a document's discount that each of its lines has: only the services of the plan take part. */
export function discountsByLine(order: PricedOrder, lines: readonly OrderLine[], discountMinor: number): number[] {
  if (discountMinor === 0) return lines.map(() => 0);
  return shareByLine(discountMinor, lines, weightsOf({ ...order, lines: [...lines] }, lines.map(lineTotal)));
}

/** Returns the places of lines in the order of their ids. */
const placesById = (lines: readonly OrderLine[]): number[] =>
  lines.map((_, at) => at).sort((a, b) => compareText(lines[a]!.lineId, lines[b]!.lineId));

/** Shares an amount out over lines in the order of their ids. */
export function shareByLine(amountMinor: number, lines: readonly OrderLine[], weights: readonly number[]): number[] {
  const places = placesById(lines);
  const shared = shareOut(
    amountMinor,
    places.map((at) => weights[at]!),
  );
  const shares: number[] = [];
  places.forEach((at, index) => (shares[at] = shared[index]!));
  return shares;
}

/** Returns what refunds name and allow for each line, and their allowances altogether. */
function statedOf(order: PricedOrder, refunds: readonly RefundFacts[]) {
  const placeOf = placesOfNamed(order);
  const perLine = (parts: readonly RefundedLine[]): number[] => {
    const amounts = order.lines.map(() => 0);
    for (const { lineId, amountMinor } of parts) {
      const at = placeOf(lineId);
      if (at !== undefined) amounts[at]! += amountMinor;
    }
    return amounts;
  };
  const known = new Set(allLines(order).map(({ lineId }) => lineId));
  const named = refunds.flatMap(({ refundedLines }) => refundedLines).filter(({ lineId }) => known.has(lineId));
  const reducedMinor = sum(refunds.map(({ reductionMinor }) => reductionMinor));
  return {
    named: perLine(named),
    wanted: perLine(refunds.flatMap(({ allowances }) => allowances)),
    poolMinor: reducedMinor - sum(named.map(({ amountMinor }) => amountMinor)),
  };
}

/** Returns a function that finds the line of a refunded service: the line itself, or else what took its place. */
function placesOfNamed(order: PricedOrder): (lineId: string) => number | undefined {
  const places = new Map(order.lines.map(({ lineId }, at) => [lineId, at]));
  const replaced = new Map(order.removedLines.map((line) => [line.lineId, line]));
  for (const at of placesById(order.lines)) {
    const seen = new Set<string>();
    for (let id = order.lines[at]!.replaces; id !== null && !seen.has(id); id = replaced.get(id)?.replaces ?? null) {
      seen.add(id);
      if (!places.has(id)) places.set(id, at);
    }
  }
  return (lineId) => places.get(lineId);
}

/**
 * Returns the allowance of each line: its wanted part as far as the line has so much left, and of the rest a part in
 * proportion to what is left.
 */
function allowancesOf(
  lines: readonly OrderLine[],
  allowanceMinor: number,
  wanted: readonly number[],
  left: readonly number[],
): number[] {
  const parts = wanted.map((minor, at) => Math.min(minor, left[at]!));
  const restMinor = allowanceMinor - sum(parts);
  if (restMinor <= 0) return restMinor === 0 ? parts : shareByLine(allowanceMinor, lines, parts);
  const free = left.map((minor, at) => minor - parts[at]!);
  const more = shareByLine(restMinor, lines, free);
  return parts.map((minor, at) => minor + more[at]!);
}
