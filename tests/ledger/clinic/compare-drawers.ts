/** Compares the Z report of every drawer. */
import { printedReport } from '#tests/support/printed-report.ts';
import { drawersOf, zReport } from '../drawers.ts';
import type { ZReport } from '../drawers.ts';
import { cents, sumOf } from '../integers.ts';
import { stated } from '../taxes.ts';
import type { TaxPart } from '../taxes.ts';
import type { Treatment } from '../treatment.ts';
import { methods } from '../wire.ts';
import type { Method } from '../wire.ts';
import type { LedgerClinic } from './clinic.ts';
import { comparePrintedReport } from './compare-printed.ts';
import { differences, sorted } from './differences.ts';

type DrawerReply = Parameters<typeof printedReport>[0];
type SumReply = DrawerReply['report']['sales'];

const inCents = (amounts: Record<Method, number> | null): number[] | null =>
  amounts && methods.map((method) => cents(amounts[method]));
const sumInCents = ({ count, amount }: SumReply) => ({ count, amount: cents(amount) });

/** Amounts by tax as texts, without what comes to nothing. */
export const taxTexts = (taxes: readonly TaxPart[]): string[] =>
  taxes
    .filter(({ gross, base }) => gross !== 0 || base !== 0)
    .map(({ tax, gross, base, amount }) => `${tax}: ${gross} = ${base} + ${amount}`)
    .toSorted();

const rangeTexts = (ranges: ZReport['invoices']): string[] =>
  sorted(ranges.map(({ first, last, count }) => `${first} – ${last} (${count})`));

const listed = ({ expected, difference, invoices, taxes, ...rest }: ZReport) => ({
  expected: methods.map((method) => expected[method]),
  difference: difference && methods.map((method) => difference[method]),
  ...rest,
  invoices: rangeTexts(invoices),
  taxes: taxTexts(taxes),
});

export async function compareDrawers(clinic: LedgerClinic, treatments: readonly Treatment[]): Promise<string[]> {
  const drawers = drawersOf(clinic.accepted);
  const { data } = await clinic.ask<DrawerReply[]>('GET', '/drawers?per_page=200');
  const replyOf = new Map(data.map((drawer) => [drawer.id, drawer]));
  const faults = drawers.flatMap((drawer) => {
    const reply = replyOf.get(drawer.id);
    if (!reply) return `drawer ${drawer.id} is missing`;
    const { report } = reply;
    const should = zReport(drawer, drawers, treatments);
    const shown = {
      expected: inCents(report.expected),
      difference: inCents(report.difference),
      sales: sumInCents(report.sales),
      refunds: sumInCents(report.refunds),
      discounts: sumInCents(report.discounts),
      invoices: rangeTexts(report.invoices),
      taxes: taxTexts(stated(report.taxes ?? [])),
      others: (report.others ?? []).map(({ currency, taken }) => ({
        currency,
        amount: sumOf(methods, (method) => cents(taken[method])),
      })),
    };
    return [
      ...differences(`the Z report of ${drawer.id}`, shown, listed(should)),
      ...comparePrintedReport(printedReport(reply), drawer, should),
    ];
  });
  return data.length === drawers.length
    ? faults
    : [...faults, `there are ${data.length} drawers, expected ${drawers.length}`];
}
