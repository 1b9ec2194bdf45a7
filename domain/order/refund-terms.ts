/** What a refund agrees: what it gives back for which services, and by how much it lowers what the treatment costs. */
import { minorFromWire, minorToWire } from '../money.ts';
import { shareOut } from '../tax/tax.ts';
import { linePrices, shareByLine } from './line-prices.ts';
import type { LinePrice, PricedOrder } from './line-prices.ts';
import type { RefundedLinePayload, RefundPayload } from './operations.ts';
import type { OrderLine, Payment } from './order.ts';
import { totals } from './totals.ts';

/** A service of a refund, and what is given back for it. */
export interface GivenLine {
  line: OrderLine;
  amountMinor: number;
}

export interface RefundTerms {
  /** Empty for a refund of the treatment as a whole. */
  lines: GivenLine[];
  /** How what the reduction exceeds the lines by is spread over all services. */
  allowances: GivenLine[];
  /** By how much the refund lowers what the treatment costs. */
  reductionMinor: number;
}

export interface RefundWish {
  amountMinor: number;
  /** The refunded services; absent for a refund of the treatment as a whole. */
  lineIds?: readonly string[] | undefined;
  /** What is given back for some of these services. By default each gets a part in proportion to what it earns. */
  statedMinor?: ReadonlyMap<string, number> | undefined;
  /** True for money that was taken by mistake: the treatment is still to be paid. */
  isStillOwed?: boolean | undefined;
}

/**
 * Returns the terms of a refund. Services get what is stated, or a part of the rest in proportion to what they earn, at most
 * that. What the refund exceeds them by gives back a surplus first, and lowers what the treatment costs by the rest.
 */
export function refundTerms(
  order: PricedOrder,
  { amountMinor, lineIds = [], statedMinor = new Map(), isStillOwed = false }: RefundWish,
): RefundTerms {
  if (isStillOwed) return { lines: [], allowances: [], reductionMinor: 0 };
  const chosen = chosenPrices(order, lineIds);
  const stated = (lineId: string): number => statedMinor.get(lineId) ?? 0;
  const weights = chosen.map(({ line, earnedMinor }) => (statedMinor.has(line.lineId) ? 0 : Math.max(0, earnedMinor)));
  const restMinor = amountMinor - chosen.reduce((sum, { line }) => sum + stated(line.lineId), 0);
  const earnedMinor = weights.reduce((sum, minor) => sum + minor, 0);
  const shares = shareOut(Math.max(0, Math.min(restMinor, earnedMinor)), weights);
  const lines = chosen
    .map(({ line }, at) => ({ line, amountMinor: stated(line.lineId) + shares[at]! }))
    .filter((given) => given.amountMinor > 0);
  const linesMinor = lines.reduce((sum, given) => sum + given.amountMinor, 0);
  const { owedMinor, paidMinor } = totals(order);
  const surplusMinor = Math.max(0, paidMinor - owedMinor);
  return withAllowances(order, lines, linesMinor + Math.max(0, amountMinor - linesMinor - surplusMinor));
}

/** Returns terms with this reduction, which is spread over the services in proportion to what the lines leave of them. */
function withAllowances(order: PricedOrder, lines: GivenLine[], reductionMinor: number): RefundTerms {
  const allowanceMinor = reductionMinor - lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (allowanceMinor <= 0) return { lines, allowances: [], reductionMinor };
  const given = new Map(lines.map(({ line, amountMinor }) => [line.lineId, amountMinor]));
  const left = linePrices(order).map(({ line, earnedMinor }) =>
    Math.max(0, earnedMinor - (given.get(line.lineId) ?? 0)),
  );
  const leftMinor = left.reduce((sum, minor) => sum + minor, 0);
  const parts = shareByLine(Math.min(allowanceMinor, leftMinor), order.lines, left);
  const allowances = order.lines
    .map((line, at) => ({ line, amountMinor: parts[at]! }))
    .filter(({ amountMinor }) => amountMinor > 0);
  return { lines, allowances, reductionMinor };
}

/** Returns terms with a stated reduction, which holds within the bounds that the terms leave. */
export function withReduction(
  order: PricedOrder,
  terms: RefundTerms,
  { amountMinor, reductionMinor }: { amountMinor: number; reductionMinor: number | undefined },
): RefundTerms {
  if (reductionMinor === undefined) return terms;
  const linesMinor = terms.lines.reduce((sum, given) => sum + given.amountMinor, 0);
  return withAllowances(order, terms.lines, Math.min(amountMinor, Math.max(linesMinor, reductionMinor)));
}

/** Returns the terms as an operation states them. */
export const termsToWire = ({
  lines,
  allowances,
  reductionMinor,
}: RefundTerms): Pick<RefundPayload, 'lines' | 'allowances' | 'reduction'> => ({
  ...(lines.length > 0 && { lines: lines.map(givenToWire) }),
  ...(allowances.length > 0 && { allowances: allowances.map(givenToWire) }),
  reduction: minorToWire(reductionMinor),
});

const givenToWire = ({ line, amountMinor }: GivenLine) => ({ line_id: line.lineId, amount: minorToWire(amountMinor) });

/** Returns the terms as the facts of a payment. */
export const termsAsFacts = ({
  lines,
  allowances,
  reductionMinor,
}: RefundTerms): Pick<Payment, 'refundedLines' | 'allowances' | 'reductionMinor'> => ({
  refundedLines: lines.map(givenAsFact),
  allowances: allowances.map(givenAsFact),
  reductionMinor,
});

const givenAsFact = ({ line, amountMinor }: GivenLine) => ({ lineId: line.lineId, amountMinor });

/** Returns the prices of these services, as far as they stand. */
export const chosenPrices = (order: PricedOrder, lineIds: readonly string[]): LinePrice[] =>
  linePrices(order).filter(({ line }) => lineIds.includes(line.lineId));

/** Returns a refund of another amount. Its reduction is at most the amount, and its services get their parts of that. */
export function withAmount(refund: RefundPayload, amountMinor: number): RefundPayload {
  const { lines = [], allowances = [], reduction, ...rest } = refund;
  const reductionMinor = Math.min(minorFromWire(reduction), amountMinor);
  const given = atMost(reductionMinor, lines);
  const allowed = atMost(reductionMinor - sumOf(given), allowances);
  return {
    ...rest,
    amount: minorToWire(amountMinor),
    reduction: minorToWire(reductionMinor),
    ...(given.length > 0 && { lines: given }),
    ...(allowed.length > 0 && { allowances: allowed }),
  };
}

const sumOf = (parts: readonly RefundedLinePayload[]): number =>
  parts.reduce((sum, { amount }) => sum + minorFromWire(amount), 0);

/** Returns the parts that add up to at most an amount, in proportion to what they were. */
function atMost(amountMinor: number, parts: readonly RefundedLinePayload[]): RefundedLinePayload[] {
  const shares = shareOut(
    Math.min(amountMinor, sumOf(parts)),
    parts.map(({ amount }) => minorFromWire(amount)),
  );
  return parts
    .map(({ line_id }, at) => ({ line_id, amount: minorToWire(shares[at]!) }))
    .filter(({ amount }) => amount > 0);
}
