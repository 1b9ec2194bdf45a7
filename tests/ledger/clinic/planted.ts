/**
 * Faults that programs like this one have had. Each is planted into one function of the product, and the ledger must find it.
 * A replacement gets the real function as its first argument.
 */
import type { Replacement } from '#tests/support/replaceable.ts';

export interface PlantedFault {
  name: string;
  /** Whether it is planted while people work, or afterwards, while somebody reads. */
  while: 'working' | 'reading';
  functions: Record<string, Replacement>;
  /** What the ledger says of it. */
  caughtBy: RegExp;
}

/** Replaces a part of one query. */
const inQuery = (from: string, to: string): Record<string, Replacement> => ({
  rowsOf: (real, sql, name: string, text: string, values: unknown[]) =>
    real(sql, text.includes(from) ? `planted ${to}` : name, text.replace(from, to), values) as unknown,
});

const untold = (flag: string): Record<string, Replacement> => ({
  flagAmounts: (real, order) =>
    (real(order) as { kind: string; isRaised: boolean }[]).map((each) => ({
      ...each,
      isRaised: each.isRaised && each.kind !== flag,
    })),
});

interface Invoice {
  op_id: string;
  discount_amount: number;
  document_type?: string;
}

/** Has a Z report take the discount of these documents from what they state. */
const statedDiscount = (isOf: (document: Invoice) => boolean): Record<string, Replacement> => ({
  discountEffects: (real, order: { invoices: Invoice[] }) => {
    const effects = new Map(real(order) as Map<string, number>);
    for (const invoice of order.invoices.filter(isOf))
      effects.set(invoice.op_id, Math.round(invoice.discount_amount * 100));
    return effects;
  },
});

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'a refund shares the discount out over all services',
    while: 'working',
    functions: {
      refundTerms: (real, order: { opId: string; lines: object[] }, wish) =>
        real(
          { ...order, lines: order.lines.map((line) => ({ ...line, opId: order.opId, replaces: null })) },
          wish,
        ) as unknown,
    },
    caughtBy: /^the refunded lines of /,
  },
  {
    name: 'nobody is told that a service was refunded twice',
    while: 'working',
    functions: untold('refunded_twice'),
    caughtBy: /^flags of the row of .* expected .*refunded_twice/,
  },
  {
    name: 'a refund raises the balance',
    while: 'reading',
    functions: {
      totals: (real, order) => {
        const totals = real(order) as { totalMinor: number; paidMinor: number };
        return { ...totals, balanceMinor: totals.totalMinor - totals.paidMinor };
      },
    },
    caughtBy: /^balance of /,
  },
  {
    name: 'a Z report counts the discount of an exchange again',
    while: 'reading',
    functions: statedDiscount(({ document_type }) => document_type === 'F3'),
    caughtBy: /^discounts of the Z report /,
  },
  {
    name: 'a Z report counts the discount of every invoice that states it',
    while: 'reading',
    functions: statedDiscount(({ document_type }) => document_type !== 'F3'),
    caughtBy: /^discounts of the Z report /,
  },
  {
    name: 'the top five leave discounts out',
    while: 'reading',
    functions: inQuery('sum(l.earned_minor)', 'sum(l.total_minor)'),
    caughtBy: /^products of the analytics /,
  },
  {
    name: 'nobody is told that money was not invoiced',
    while: 'working',
    functions: untold('under_invoiced'),
    caughtBy: /^flags of the row of .* expected .*under_invoiced/,
  },
  {
    name: 'the sums of a sales report include cancelled treatments',
    while: 'reading',
    functions: {
      reportSummary: (real, groups: object[], currency) =>
        real(
          groups.map((group) => ({ ...group, isCancelled: false })),
          currency,
        ) as unknown,
    },
    caughtBy: /^sums of the preview /,
  },
  {
    name: 'a line of the API loses its tax',
    while: 'working',
    functions: { lineTax: () => 'E1' },
    caughtBy: /^the lines of order\.(create|add_services) /,
  },
  {
    name: 'a base is rounded by itself, and not by difference',
    while: 'working',
    functions: {
      taxedPart: (real, category, before: number, after: number) => real(category, 0, after - before) as unknown,
    },
    caughtBy: /^the document of /,
  },
  {
    name: 'the completed amount ignores reductions',
    while: 'reading',
    functions: inQuery('total_minor - reduction_minor as owed_minor', 'total_minor as owed_minor'),
    caughtBy: /^average of the analytics /,
  },
];
