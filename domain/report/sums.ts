/**
 * The sums of a sales report. Amounts of two currencies never add up: the sums are in the clinic's currency, and each other
 * currency has its own. Cancelled treatments count apart, because nothing of them was sold in the end.
 */
import { minorToWire } from '../money.ts';
import type { CurrencySums, ReportSums } from './resources.ts';

/** The counts and sums of the treatments of one currency, cancelled or not. Amounts are minor units. */
export interface SumGroup {
  currency: string;
  isCancelled: boolean;
  orders: number;
  total: number;
  paid: number;
  refunded: number;
}

/** The sums of all matches of a report. */
export interface ReportSummary extends CurrencySums {
  /** The number of all matches, cancelled ones and those in other currencies included. */
  count: number;
  /** What is in other currencies, by currency. */
  others: CurrencySums[];
}

/** Adds groups up. @param currency the clinic's */
export function reportSummary(groups: readonly SumGroup[], currency: string): ReportSummary {
  const known = [...new Set(groups.map((group) => group.currency))].filter((each) => each !== currency);
  return {
    count: groups.reduce((count, { orders }) => count + orders, 0),
    ...sumsIn(currency, groups),
    others: known.sort().map((each) => sumsIn(each, groups)),
  };
}

function sumsIn(currency: string, groups: readonly SumGroup[]): CurrencySums {
  const added = (isCancelled: boolean): ReportSums => {
    const own = groups.filter((group) => group.currency === currency && group.isCancelled === isCancelled);
    const sum = (of: 'orders' | 'total' | 'paid' | 'refunded') => own.reduce((total, group) => total + group[of], 0);
    return {
      count: sum('orders'),
      total: minorToWire(sum('total')),
      paid: minorToWire(sum('paid')),
      refunded: minorToWire(sum('refunded')),
    };
  };
  return { currency, sums: added(false), cancelled: added(true) };
}

/** One row of sums, as screen, PDF and workbook show it. */
export interface SumRow extends ReportSums {
  kind: 'total' | 'cancelled' | 'totalIn' | 'cancelledIn';
  currency: string;
}

/** Returns the sums that have treatments, in the clinic's currency first; without any treatment, one sum of 0. */
export function sumRows({ others, ...own }: CurrencySums & { others: readonly CurrencySums[] }): SumRow[] {
  const rows = (
    { currency, sums, cancelled }: CurrencySums,
    [total, cancelledKind]: readonly [SumRow['kind'], SumRow['kind']],
  ): SumRow[] => [
    { kind: total, currency, ...sums },
    { kind: cancelledKind, currency, ...cancelled },
  ];
  const all = [
    ...rows(own, ['total', 'cancelled']),
    ...others.flatMap((other) => rows(other, ['totalIn', 'cancelledIn'])),
  ];
  const filled = all.filter(({ count }) => count > 0);
  return filled.length > 0 ? filled : all.slice(0, 1);
}
