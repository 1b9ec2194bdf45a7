/**
 * The definitions of the totals in the dashboard, the analytics, the exports and the day-end summary.
 *
 * Money counts on the business day on which it moved. **Gross** is the sum of a day's payments, **refunds** the sum of
 * its refunds as a positive amount, and **revenue** is gross less refunds. The **service charge** is the part of the
 * revenue that is charge: a payment covers treatment and charge in proportion to the agreed total (see `chargeWithin`),
 * and a refund returns both. **Net** is revenue less service charge. A later event never changes the money of a past day; only a
 * payment or refund that arrives late does, on its own day.
 *
 * Treatments count on the business day of their creation, by their current status. **Orders** excludes cancelled
 * treatments, and so do **discounts**; **completed** and **cancelled** count the treatments of that status. The products
 * and the **average** count completed treatments only: what is not paid yet is no revenue. The average adds up what
 * treatments cost after refunds, and the products what their lines earn, so a refund that lowers the cost lowers both, also
 * for a past day.
 *
 * A report is in the clinic's current currency, in counts and in sums. What is in another currency is stated apart, by
 * currency, and never added: **others**.
 *
 * Money is minor units, quantities are thousandths.
 */
import { divideRounded } from '../money.ts';
import type { OrderType, PaymentMethod } from '../order/vocabulary.ts';

export interface TypeTotals {
  type: OrderType;
  /** Treatments of the day that are not cancelled. */
  orders: number;
  /** The revenue of the day's payments and refunds. */
  revenueMinor: number;
}

export interface MethodTotals {
  method: PaymentMethod;
  /** Payments and refunds. */
  count: number;
  revenueMinor: number;
}

/** Totals of one hour of the clinic's clock. The hour that is repeated when clocks go back counts as one. */
export interface HourTotals {
  hour: number;
  orders: number;
  grossMinor: number;
  refundsMinor: number;
  chargeMinor: number;
}

/** A product under its name at the time of the sale. */
export interface ProductTotals {
  /** Distinguishes products of the same name. */
  item: string;
  name: string;
  quantityMilli: number;
  /** The sum of what its lines earn: with their share of discount and charge, and without what refunds gave back. */
  revenueMinor: number;
}

/** What treatments in another currency than the report's came to. */
export interface OtherTotals {
  currency: string;
  /** Treatments that are not cancelled. */
  orders: number;
  grossMinor: number;
  refundsMinor: number;
}

/** The totals of the treatments of one currency. */
export interface CurrencyTotals {
  orders: number;
  completed: number;
  /** The sum of what is owed for the completed treatments. */
  completedMinor: number;
  cancelled: number;
  /** The number of treatments with a discount, and the sum of the discounts. */
  discounts: number;
  discountMinor: number;
  grossMinor: number;
  /** The number of refunds, and their sum. */
  refunds: number;
  refundsMinor: number;
  chargeMinor: number;
  byType: TypeTotals[];
  byMethod: MethodTotals[];
  byHour: HourTotals[];
  products: ProductTotals[];
}

export interface ReportTotals extends CurrencyTotals {
  /** In the order of their codes. */
  others: OtherTotals[];
}

/** The totals of one business day. Reports of any period sum them up. */
export interface DailyTotals extends ReportTotals {
  day: string;
}

/** The totals of one business day in each currency that it has. */
export interface CountedDay {
  day: string;
  totals: (CurrencyTotals & { currency: string })[];
}

/** Returns the totals of a day as a report in one currency states them. */
export function dayIn(reported: string, { day, totals }: CountedDay): DailyTotals {
  const own = totals.find(({ currency }) => currency === reported);
  const others = totals
    .filter((each) => each !== own)
    .map(({ currency, orders, grossMinor, refundsMinor }) => ({ currency, orders, grossMinor, refundsMinor }));
  return { day, ...(own ?? sumDays([])), others: inOrder(others) };
}

const inOrder = (others: readonly OtherTotals[]): OtherTotals[] =>
  others.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

const sums = [
  'orders',
  'completed',
  'completedMinor',
  'cancelled',
  'discounts',
  'discountMinor',
  'grossMinor',
  'refunds',
  'refundsMinor',
  'chargeMinor',
] as const;

/** Sums up the totals of several days. */
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
    others: inOrder(
      foldParts(
        days.flatMap(({ others }) => others),
        ({ currency }) => currency,
        addOthers,
      ),
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

const addOthers = (a: OtherTotals, b: OtherTotals): OtherTotals => ({
  currency: a.currency,
  orders: a.orders + b.orders,
  grossMinor: a.grossMinor + b.grossMinor,
  refundsMinor: a.refundsMinor + b.refundsMinor,
});

const addProducts = (a: ProductTotals, b: ProductTotals): ProductTotals => ({
  ...a,
  quantityMilli: a.quantityMilli + b.quantityMilli,
  revenueMinor: a.revenueMinor + b.revenueMinor,
});

/** Adds up the parts of the same key. */
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

/** True when a clinic worked: it took in a treatment or a payment. A refund alone opens no day. */
export const isOpenDay = ({ orders, grossMinor }: Pick<ReportTotals, 'orders' | 'grossMinor'>): boolean =>
  orders > 0 || grossMinor > 0;

export const netOf = (figures: Pick<ReportTotals, 'grossMinor' | 'refundsMinor' | 'chargeMinor'>): number =>
  revenueOf(figures) - figures.chargeMinor;

/** Returns what is owed for a completed treatment on average, rounded to the cent; 0 without completed treatments. */
export const averageOrder = ({ completed, completedMinor }: ReportTotals): number =>
  completed === 0 ? 0 : divideRounded(completedMinor, completed);

/**
 * Returns the part of a treatment's paid amount that is service charge. The charge within one payment is the
 * difference that the payment makes, so the parts of all payments add up to the charge, and to 0 after a full refund.
 *
 * @param paidMinor the net amount paid so far; an overpayment contains no further charge
 */
export function chargeWithin(
  paidMinor: number,
  { totalMinor, chargeMinor }: { totalMinor: number; chargeMinor: number },
): number {
  if (totalMinor <= 0) return 0;
  const settledMinor = Math.max(0, Math.min(paidMinor, totalMinor));
  // The product can exceed the integers that a double holds exactly.
  return Number((2n * BigInt(settledMinor) * BigInt(chargeMinor) + BigInt(totalMinor)) / (2n * BigInt(totalMinor)));
}

/**
 * Returns the change as a percentage with one decimal, rounded half away from zero. A change from 0 is none, but new:
 * null.
 */
export function changeOf(nowMinor: number, beforeMinor: number): number | null {
  if (beforeMinor === 0) return nowMinor === 0 ? 0 : null;
  return divideRounded((nowMinor - beforeMinor) * 1000, Math.abs(beforeMinor)) / 10;
}
