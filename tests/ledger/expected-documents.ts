/** What a refund agrees and what a document states (decisions 030 and 042), from what its device knows. Money is cents. */
import { discountOfLines } from './discounts.ts';
import { isRepeated, standingInvoices } from './documents.ts';
import { euros, shares, sum, sumOf } from './integers.ts';
import { sharesOf } from './line-prices.ts';
import { between, grossOf, plus, shared } from './taxes.ts';
import type { ByTax, TaxPart } from './taxes.ts';
import { earnedByTax, treatmentOf } from './treatment.ts';
import type { Treatment } from './treatment.ts';
import type { Entry, PayloadOf } from './wire.ts';

export interface Expected {
  total: number;
  /** Empty without a tax profile. */
  taxes: TaxPart[];
  lineIds: string[];
  discount: number;
  charge: number;
}

/** How a document is to be: with amounts by tax, as a clinic with a tax profile issues it, or without. */
export interface Profile {
  isTaxed: boolean;
}

const expected = (before: ByTax, after: ByTax, { isTaxed }: Profile): Expected => ({
  total: grossOf(after) - grossOf(before),
  taxes: isTaxed ? between(before, after) : [],
  lineIds: [],
  discount: 0,
  charge: 0,
});

const unbilledLines = ({ lines, documents }: Treatment): string[] => {
  const billed = new Set(documents.flatMap(({ lineIds }) => lineIds));
  return lines.flatMap(({ lineId }) => (billed.has(lineId) ? [] : lineId));
};

/** Returns the invoice that bills all that is left; null if nothing is. Services without a price are invoiced, too. */
export function invoiceOfRest(known: Treatment, profile: Profile): Expected | null {
  const lineIds = unbilledLines(known);
  if (known.owed < known.invoiced || (lineIds.length === 0 && known.owed === known.invoiced)) return null;
  const billed = known.documents.flatMap((document) => document.lineIds);
  return {
    ...expected(known.invoicedByTax, earnedByTax(known), profile),
    lineIds,
    discount: discountOfLines(known, billed, lineIds),
    // The service charge stands on the first invoice of services.
    charge: billed.length === 0 && lineIds.length > 0 ? known.charge : 0,
  };
}

/** The most of a treatment that may have simplified invoices, in cents. */
const mostSimplified = 400_00;

/** True where the law wants a recipient: a treatment above the limit, or above it what no invoice has billed. */
export function asksForRecipient(known: Treatment, profile: Profile): boolean {
  const isBilled = known.status === 'cancelled' || invoiceOfRest(known, profile) === null;
  const next = (isBilled ? known.paid : known.owed) - known.invoiced;
  return profile.isTaxed && Math.max(known.owed, next) > mostSimplified;
}

/**
 * Returns the invoice that a payment issues; null if it issues none. A payment that leaves a balance is an advance, which has
 * an invoice only under a tax profile. Where the law wants a recipient, none is issued without one.
 */
export function invoiceOfPayment(
  known: Treatment,
  { amount, isFull }: { amount: number; isFull: boolean },
  profile: Profile,
): Expected | null {
  if (!isFull && asksForRecipient(known, profile)) return null;
  if (amount >= known.balance) return invoiceOfRest(known, profile);
  const advance = known.paid + amount - known.invoiced;
  if (!profile.isTaxed || advance <= 0) return null;
  const whole = earnedByTax(known);
  const left = plus(whole, known.invoicedByTax, -1);
  const weights = [...left.values()].some((minor) => minor > 0) ? left : whole;
  const after = known.owed - known.invoiced === advance ? whole : plus(known.invoicedByTax, shared(advance, weights));
  return expected(known.invoicedByTax, after, profile);
}

export interface RefundPart {
  lineId: string;
  amount: number;
}

/** What a refund agrees, as an operation states it. */
export type RefundTerms = Pick<PayloadOf<'order.refund'>, 'reduction' | 'lines' | 'allowances' | 'still_owed'>;

export interface Refund {
  amount: number;
  lines?: readonly RefundPart[];
  isStillOwed?: boolean;
}

/** Returns by how much a refund lowers what the treatment costs: it gives back a surplus first. */
export function reductionOf(known: Treatment, { amount, lines = [], isStillOwed = false }: Refund): number {
  const named = sumOf(lines, (line) => line.amount);
  const surplus = Math.max(0, known.paid - known.owed);
  return isStillOwed ? 0 : named + Math.max(0, amount - named - surplus);
}

/**
 * Returns how a refund spreads what it takes off the treatment as a whole: over all services, in proportion to what they earn
 * after its lines.
 */
export function allowancesOf(known: Treatment, refund: Refund): RefundPart[] {
  const { lines = [] } = refund;
  const namedFor = (lineId: string) => sumOf(lines, (line) => (line.lineId === lineId ? line.amount : 0));
  const weights = known.lines.map(({ lineId, earned }) => Math.max(0, earned - namedFor(lineId)));
  const allowance = reductionOf(known, refund) - sumOf(lines, ({ amount }) => amount);
  const parts = sharesOf(Math.max(0, Math.min(allowance, sum(weights))), known.lines, weights);
  return known.lines.map(({ lineId }, place) => ({ lineId, amount: parts[place]! })).filter(({ amount }) => amount > 0);
}

/** Returns the terms of a refund as an operation states them. */
export function refundTerms(known: Treatment, refund: Refund): RefundTerms {
  const { lines = [], isStillOwed } = refund;
  const allowances = allowancesOf(known, refund);
  const wire = (parts: readonly RefundPart[]) =>
    parts.map(({ lineId, amount }) => ({ line_id: lineId, amount: euros(amount) }));
  return {
    reduction: euros(reductionOf(known, refund)),
    ...(lines.length > 0 && { lines: wire(lines) }),
    ...(allowances.length > 0 && { allowances: wire(allowances) }),
    ...(isStillOwed && { still_owed: true }),
  };
}

/** Returns what is given back for each of the chosen lines; of a smaller amount each gets its part in proportion. */
export function proposedLines(
  known: Treatment,
  lineIds: readonly string[],
  amount = Number.POSITIVE_INFINITY,
): RefundPart[] {
  const chosen = known.lines.filter(({ lineId }) => lineIds.includes(lineId));
  const earned = sumOf(chosen, (line) => line.earned);
  const parts = shares(
    Math.max(0, Math.min(earned, known.paid, amount)),
    chosen.map((line) => line.earned),
  );
  return chosen.map(({ lineId }, index) => ({ lineId, amount: parts[index]! })).filter(({ amount: part }) => part > 0);
}

/**
 * Returns the credit note of a refund. Money that no invoice has billed needs none. Of the rest, the reduction is taken by tax
 * as the lines earn less, and what goes beyond in proportion to what is invoiced.
 *
 * @param refunded the entries that are known, and the refund
 */
export function creditNote(known: Treatment, refund: Entry, { amount }: Refund, profile: Profile): Expected {
  const before = known.invoicedByTax;
  const toCorrect = Math.min(known.invoiced, amount - Math.max(0, known.paid - known.invoiced));
  if (toCorrect <= 0) return expected(before, before, profile);
  // What takes back all leaves nothing of any tax, whatever tablets that did not know of each other took back before.
  if (toCorrect === known.invoiced) return expected(before, new Map(), profile);
  const lessEarned = plus(earnedByTax(known), earnedByTax(treatmentOf([...known.entries, refund])), -1);
  const takeable: ByTax = new Map(
    [...lessEarned].map(([tax, minor]) => [tax, Math.min(minor, Math.max(0, before.get(tax) ?? 0))]),
  );
  const ofReduction = shared(Math.min(toCorrect, grossOf(takeable)), takeable);
  const afterReduction = plus(before, ofReduction, -1);
  const beyond = shared(toCorrect - grossOf(ofReduction), afterReduction);
  return expected(before, plus(afterReduction, beyond, -1), profile);
}

/** Returns the credit note of a cancel: it takes back all that is invoiced; null if nothing is. */
export function cancelNote(known: Treatment, profile: Profile): Expected | null {
  const isInvoiced = [...known.invoicedByTax.values()].some((minor) => minor !== 0);
  if (!profile.isTaxed || !isInvoiced) return null;
  return expected(known.invoicedByTax, new Map(), profile);
}

/** Returns the full invoice in the place of a simplified one, which states its amounts again. */
export function exchangeOf(known: Treatment, number: string): Expected | null {
  const replaced = standingInvoices(known.documents).find((document) => document.number === number);
  if (replaced?.type !== 'F2' || known.invoiced <= 0 || isRepeated(replaced, known.documents)) return null;
  const { total, taxes, lineIds, discount, charge } = replaced;
  return { total, taxes, lineIds: [...lineIds], discount, charge };
}
