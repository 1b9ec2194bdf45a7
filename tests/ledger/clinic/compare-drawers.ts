/** Compares the Z report of every drawer. */
import { drawersOf, zReport } from '../drawers.ts';
import type { ZReport } from '../drawers.ts';
import { cents } from '../integers.ts';
import { stated } from '../taxes.ts';
import type { TaxPart } from '../taxes.ts';
import type { Treatment } from '../treatment.ts';
import { methods } from '../wire.ts';
import type { Method, TaxTotal } from '../wire.ts';
import type { LedgerClinic } from './clinic.ts';
import { differences } from './differences.ts';

interface SumReply {
  count: number;
  amount: number;
}
interface DrawerReply {
  id: string;
  report: {
    expected: Record<Method, number>;
    difference: Record<Method, number> | null;
    sales: SumReply;
    refunds: SumReply;
    discounts: SumReply;
    taxes?: TaxTotal[];
  };
}

const inCents = (amounts: Record<Method, number> | null): number[] | null =>
  amounts && methods.map((method) => cents(amounts[method]));
const sumInCents = ({ count, amount }: SumReply) => ({ count, amount: cents(amount) });

/** Amounts by tax as texts, without what comes to nothing. */
export const taxTexts = (taxes: readonly TaxPart[]): string[] =>
  taxes
    .filter(({ gross, base }) => gross !== 0 || base !== 0)
    .map(({ tax, gross, base, amount }) => `${tax}: ${gross} = ${base} + ${amount}`)
    .toSorted();

const listed = ({ expected, difference, taxes, ...rest }: ZReport) => ({
  expected: methods.map((method) => expected[method]),
  difference: difference && methods.map((method) => difference[method]),
  ...rest,
  taxes: taxTexts(taxes),
});

export async function compareDrawers(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  const drawers = drawersOf(clinic.accepted);
  const { data } = await clinic.ask<DrawerReply[]>('GET', '/drawers?per_page=200');
  const replyOf = new Map(data.map((drawer) => [drawer.id, drawer.report]));
  const faults = drawers.flatMap((drawer) => {
    const report = replyOf.get(drawer.id);
    if (!report) return `drawer ${drawer.id} is missing`;
    const shown = {
      expected: inCents(report.expected),
      difference: inCents(report.difference),
      sales: sumInCents(report.sales),
      refunds: sumInCents(report.refunds),
      discounts: sumInCents(report.discounts),
      taxes: taxTexts(stated(report.taxes ?? [])),
    };
    return differences(`the Z report of ${drawer.id}`, shown, listed(zReport(drawer, drawers, treatments)));
  });
  return data.length === drawers.length
    ? faults
    : [...faults, `there are ${data.length} drawers, expected ${drawers.length}`];
}
