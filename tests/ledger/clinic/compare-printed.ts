/** Compares the amounts that a document prints with those that it states. */
import { printed } from '../visit.ts';
import type { Document } from '../documents.ts';
import { cents } from '../integers.ts';
import type { Entry } from '../wire.ts';

/** Returns the faults. @param entry the operation that issued the document */
export function comparePrinted(document: Document, entry: Entry): string[] {
  const rights = document.printed.flatMap(({ right }) => right ?? []);
  const totals = document.printed.flatMap(({ style, right }) => (style === 'total' ? (right ?? '') : []));
  const faults: string[] = [];
  const given = entry.kind === 'order.refund' ? cents(entry.payload.amount) : document.total;
  if (totals[0] !== printed(given))
    faults.push(`${document.number} prints the total ${totals[0]}, expected ${printed(given)}`);
  for (const { tax, base, amount } of document.taxes) {
    const isExempt = !/^\d/.test(tax);
    for (const expected of isExempt ? [base] : [base, amount])
      if (!rights.includes(printed(expected)))
        faults.push(`${document.number} does not print ${printed(expected)} of ${tax}`);
  }
  return faults;
}
