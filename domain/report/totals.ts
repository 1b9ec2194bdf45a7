/**
 * What each figure means. The dashboard, the analytics, the exports and the Z report all count by these definitions, so they
 * agree.
 *
 * Money counts on the business day on which it moved. **Gross** is what was paid on a day, what was given back not taken off;
 * **refunds** is what was given back on it, as a positive amount, never taken back into the day of the sale. **Revenue** is gross
 * less refunds. The **service charge** is the part of that revenue which is charge: a payment settles treatment and charge in
 * proportion (see `chargeWithin`), and a refund gives both back. **Net** is revenue less service charge. So no later event ever
 * changes the money of a day that is over; only a fact that arrives late does, on its own day.
 *
 * Treatments count on their own business day by what they are now: **orders** are those that are not cancelled, and so are those
 * whose **discounts** and items count; **completed** and **cancelled** are those of that status.
 *
 * Money is minor units, quantities are thousandths.
 */
import { divideRounded } from '../money.ts';
import type { OrderType, PaymentMethod } from '../order/vocabulary.ts';

export interface TypeTotals {
  type: OrderType;
  /** Treatments of the day that are not cancelled. */
  orders: number;
  /** Of the day's payments and refunds, by the type of their treatment. */
  revenueMinor: number;
}

export interface MethodTotals {
  method: PaymentMethod;
  /** Payments and refunds. */
  count: number;
  revenueMinor: number;
}

/** By the clinic's own clock; the hour that is repeated when clocks go back counts as one. */
export interface HourTotals {
  hour: number;
  orders: number;
  grossMinor: number;
  refundsMinor: number;
  chargeMinor: number;
}

/** One item as it was named when it was sold. */
export interface ProductTotals {
  /** What tells items of one name apart. */
  item: string;
  name: string;
  quantityMilli: number;
  /** The lines' totals, before any discount. */
  revenueMinor: number;
}

export interface ReportTotals {
  orders: number;
  completed: number;
  cancelled: number;
  /** How many treatments have a discount, and how much it is. */
  discounts: number;
  discountMinor: number;
  grossMinor: number;
  /** How often money was given back, and how much. */
  refunds: number;
  refundsMinor: number;
  chargeMinor: number;
  byType: TypeTotals[];
  byMethod: MethodTotals[];
  byHour: HourTotals[];
  products: ProductTotals[];
}

/** The figures of one business day: all that a report of any period is folded from. */
export interface DailyTotals extends ReportTotals {
  day: string;
}

const sums = [
  'orders',
  'completed',
  'cancelled',
  'discounts',
  'discountMinor',
  'grossMinor',
  'refunds',
  'refundsMinor',
  'chargeMinor',
] as const;

/** The figures of several days together. */
export function sumDays(days: readonly ReportTotals[]): ReportTotals {
  const total = (sum: (typeof sums)[number]) => days.reduce((added, day) => added + day[sum], 0);
  return {
    ...(Object.fromEntries(sums.map((sum) => [sum, total(sum)])) as Pick<ReportTotals, (typeof sums)[number]>),
    byType: foldParts(
      days.flatMap(({ byType }) => byType),
      ({ type }) => type,
      addTypes,
    ),
    byMethod: foldParts(
      days.flatMap(({ byMethod }) => byMethod),
      ({ method }) => method,
      addMethods,
    ),
    byHour: foldParts(
      days.flatMap(({ byHour }) => byHour),
      ({ hour }) => hour,
      addHours,
    ),
    products: foldParts(
      days.flatMap(({ products }) => products),
      ({ item, name }) => `${item} ${name}`,
      addProducts,
    ),
  };
}

const addTypes = (a: TypeTotals, b: TypeTotals): TypeTotals => ({
  ...a,
  orders: a.orders + b.orders,
  revenueMinor: a.revenueMinor + b.revenueMinor,
});

const addMethods = (a: MethodTotals, b: MethodTotals): MethodTotals => ({
  ...a,
  count: a.count + b.count,
  revenueMinor: a.revenueMinor + b.revenueMinor,
});

const addHours = (a: HourTotals, b: HourTotals): HourTotals => ({
  hour: a.hour,
  orders: a.orders + b.orders,
  grossMinor: a.grossMinor + b.grossMinor,
  refundsMinor: a.refundsMinor + b.refundsMinor,
  chargeMinor: a.chargeMinor + b.chargeMinor,
});

const addProducts = (a: ProductTotals, b: ProductTotals): ProductTotals => ({
  ...a,
  quantityMilli: a.quantityMilli + b.quantityMilli,
  revenueMinor: a.revenueMinor + b.revenueMinor,
});

/** One part of each key: those of the same one, added up. */
function foldParts<Part>(
  parts: readonly Part[],
  keyOf: (part: Part) => string | number,
  add: (a: Part, b: Part) => Part,
): Part[] {
  const byKey = new Map<string | number, Part>();
  for (const part of parts) {
    const known = byKey.get(keyOf(part));
    byKey.set(keyOf(part), known ? add(known, part) : part);
  }
  return [...byKey.values()];
}

export const revenueOf = ({ grossMinor, refundsMinor }: Pick<ReportTotals, 'grossMinor' | 'refundsMinor'>): number =>
  grossMinor - refundsMinor;

export const netOf = (figures: Pick<ReportTotals, 'grossMinor' | 'refundsMinor' | 'chargeMinor'>): number =>
  revenueOf(figures) - figures.chargeMinor;

/** Revenue by treatment, to the cent; 0 without treatments. */
export const averageOrder = (figures: ReportTotals): number =>
  figures.orders === 0 ? 0 : divideRounded(revenueOf(figures), figures.orders);

/**
 * How much of what has been paid for a treatment is its charge. A payment's own part is what it adds to this, so the parts of
 * all payments are together the charge, and nothing when all was given back.
 *
 * @param paidMinor what was paid so far; more than the total holds no more charge than the total
 */
export function chargeWithin(
  paidMinor: number,
  { totalMinor, chargeMinor }: { totalMinor: number; chargeMinor: number },
): number {
  if (totalMinor <= 0) return 0;
  const settledMinor = Math.max(0, Math.min(paidMinor, totalMinor));
  // Both may be large enough for their product to be beyond what a double holds.
  return Number((2n * BigInt(settledMinor) * BigInt(chargeMinor) + BigInt(totalMinor)) / (2n * BigInt(totalMinor)));
}

/**
 * The change against a figure of before, as a percentage with one decimal, half away from zero. Against nothing any gain is
 * 100 % and any loss -100 %.
 */
export function changeOf(nowMinor: number, beforeMinor: number): number {
  if (beforeMinor === 0) return Math.sign(nowMinor) * 100;
  return divideRounded((nowMinor - beforeMinor) * 1000, Math.abs(beforeMinor)) / 10;
}

/** A part of a whole as a percentage with that many decimals; 0 of a whole that is not positive. */
export function shareOf(partMinor: number, wholeMinor: number, decimals: 1 | 2): number {
  const scale = 10 ** decimals;
  return wholeMinor <= 0 ? 0 : divideRounded(partMinor * 100 * scale, wholeMinor) / scale;
}
