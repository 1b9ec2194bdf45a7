/** Works out the sums of a report from its rows. */
import type { CurrencySums, ReportSums } from '#domain/report/resources.ts';

export interface SummedRow {
  currency: string;
  isCancelled: boolean;
  total: number;
  paid: number;
  refunded: number;
}

function sumsOf(rows: readonly SummedRow[]): ReportSums {
  const sum = (of: (row: SummedRow) => number) =>
    rows.reduce((cents, row) => cents + Math.round(of(row) * 100), 0) / 100;
  return {
    count: rows.length,
    total: sum(({ total }) => total),
    paid: sum(({ paid }) => paid),
    refunded: sum(({ refunded }) => refunded),
  };
}

/** @param currency the clinic's */
export function expectedSums(rows: readonly SummedRow[], currency = 'EUR'): CurrencySums & { others: CurrencySums[] } {
  const sumsIn = (asked: string) => {
    const own = rows.filter((row) => row.currency === asked);
    return {
      currency: asked,
      sums: sumsOf(own.filter(({ isCancelled }) => !isCancelled)),
      cancelled: sumsOf(own.filter(({ isCancelled }) => isCancelled)),
    };
  };
  const others = [...new Set(rows.map((row) => row.currency))].filter((each) => each !== currency).sort();
  return { ...sumsIn(currency), others: others.map(sumsIn) };
}
