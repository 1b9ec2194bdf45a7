/** When and where the discount of a treatment takes effect (decision 042). Money is cents. */
import type { Document } from './documents.ts';
import { sumOf } from './integers.ts';
import { discountOn } from './standing.ts';
import type { Line } from './standing.ts';

export interface Discounted {
  agreedDiscount: number;
  allLines: readonly Line[];
}

/** Returns what of the discount comes with lines that an invoice bills. @param billed the lines that were billed before */
export function discountOfLines(
  { agreedDiscount, allLines }: Discounted,
  billed: readonly string[],
  lineIds: readonly string[],
): number {
  const on = (ids: readonly string[]) => discountOn(agreedDiscount, allLines, ({ lineId }) => ids.includes(lineId));
  return on([...billed, ...lineIds]) - on(billed);
}

/**
 * Returns what each document adds to the discounts of its drawer. The part of a service takes effect with the first invoice that
 * bills it. The credit note of a cancel takes all of it off again; of several that count, the one that takes back most.
 *
 * @param annulled the operations whose credit note counts nowhere
 */
export function discountsOf(
  order: Discounted,
  documents: readonly Document[],
  annulled: ReadonlySet<string>,
): Map<string, number> {
  const effects = new Map<string, number>();
  const invoices = documents
    .filter(({ of }) => of === 'invoice')
    .sort((a, b) => (a.issuedAt === b.issuedAt ? before(a.number, b.number) : before(a.issuedAt, b.issuedAt)));
  for (const [index, { opId, lineIds }] of invoices.entries()) {
    const billed = invoices.slice(0, index).flatMap((earlier) => earlier.lineIds);
    effects.set(opId, discountOfLines(order, billed, lineIds));
  }
  const [cancel] = documents
    .filter(({ of, opId }) => of === 'cancel' && !annulled.has(opId))
    .sort((a, b) => a.total - b.total || a.atMs - b.atMs || before(a.number, b.number));
  if (cancel) effects.set(cancel.opId, 0 - sumOf([...effects.values()], (effect) => effect));
  return effects;
}

const before = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
