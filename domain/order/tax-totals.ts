/**
 * The tax of a treatment's documents. The documents of one treatment add up: a document's amounts are the tax totals of all that
 * is invoiced with it, less the tax totals of all that was invoiced before. So no cent is lost between an
 * advance, the final invoice, services added later and refunds, and a full refund leaves nothing of any base.
 *
 * Amounts are minor units with tax in them, by the key of their tax (`taxKey`). A line without tax is exempt.
 */
import { compareText } from '../compare-text.ts';
import { defaultTaxCode } from '../tax/codes.ts';
import { categoryOfKey, shareOut, taxedPart } from '../tax/tax.ts';
import type { TaxTotal } from '../tax/tax.ts';
import { countedCorrections } from './corrections.ts';
import type { CancelWithCorrection } from './corrections.ts';
import { linePrices } from './line-prices.ts';
import type { PricedOrder } from './line-prices.ts';
import type { Cancel, Invoice, Order } from './order.ts';
import { termsAsFacts } from './refund-terms.ts';
import type { RefundTerms } from './refund-terms.ts';
import { statedAmounts } from '../tax/document.ts';
import { totals as orderTotals } from './totals.ts';

export type GrossByTax = ReadonlyMap<string, number>;

type Invoiced = Pick<Order, 'invoices' | 'payments' | 'cancels'>;

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);

export const grossOf = (gross: GrossByTax): number => sum(gross.values());

type Part = [key: string, minor: number];

/** Adds up amounts by tax. */
export function collected(parts: readonly Readonly<Part>[]): Map<string, number> {
  const gross = new Map<string, number>();
  for (const [key, minor] of parts) gross.set(key, (gross.get(key) ?? 0) + minor);
  return gross;
}

/** Returns what is owed, by tax: what the lines earn. */
export function owedGross(order: PricedOrder): GrossByTax {
  if (order.lines.length === 0) return new Map([[defaultTaxCode, order.chargeMinor - order.discountMinor]]);
  return collected(linePrices(order).map(({ line, earnedMinor }) => [line.tax ?? defaultTaxCode, earnedMinor]));
}

/** Returns the invoices that count: of an exchange the one that took the other's place. */
export function standingInvoices(order: Pick<Order, 'invoices'>): Invoice[] {
  const replaced = new Set(order.invoices.flatMap(({ replaces }) => replaces?.number ?? []));
  const repeated = new Set(repeatedExchanges(order));
  return order.invoices.filter((invoice) => !replaced.has(invoice.invoice_number) && !repeated.has(invoice));
}

/** Returns the exchanges of an invoice that another device has exchanged before; the server annuls them. */
export function repeatedExchanges({ invoices }: Pick<Order, 'invoices'>): Invoice[] {
  return invoices.filter(
    (invoice) =>
      invoice.replaces &&
      invoices.some(
        (other) => other.replaces?.number === invoice.replaces!.number && compareIssued(other, invoice) < 0,
      ),
  );
}

/** Compares invoices by their time, and of one instant by their numbers. */
export const compareIssued = (a: Invoice, b: Invoice): number =>
  compareText(a.issued_at, b.issued_at) || compareText(a.invoice_number, b.invoice_number);

/** Returns what is invoiced: all invoices less all credit notes. */
export function invoicedGross(order: Invoiced): GrossByTax {
  const gross = beforeCancels(order);
  const corrections = countedCorrections(order, gross).flatMap(({ correction }) =>
    statedAmounts(correction.creditNote),
  );
  return corrections.length === 0 ? gross : collected([...gross, ...corrections]);
}

export const invoicedMinor = (order: Invoiced): number => grossOf(invoicedGross(order));

/** Returns the cancels whose corrections count, the one that takes back most first. */
export const countedCancels = (order: Invoiced): CancelWithCorrection[] =>
  order.cancels.some(({ correction }) => correction && !correction.isAnnulled)
    ? countedCorrections(order, beforeCancels(order))
    : [];

/** Returns the cancels whose corrections the server annuls: they take back what is settled otherwise. */
export function overruledCorrections(order: Invoiced): Cancel[] {
  const counted = new Set(countedCancels(order).map(({ opId }) => opId));
  return order.cancels.filter(({ opId, correction }) => correction && !correction.isAnnulled && !counted.has(opId));
}

const beforeCancels = (order: Pick<Order, 'invoices' | 'payments'>): Map<string, number> =>
  collected([
    ...standingInvoices(order).flatMap(statedAmounts),
    ...order.payments.flatMap(({ creditNote }) => (creditNote ? statedAmounts(creditNote) : [])),
  ]);

/** True while an invoice is not wholly corrected. */
export const isInvoiced = (order: Invoiced): boolean =>
  order.invoices.length > 0 && [...invoicedGross(order).values()].some((minor) => minor !== 0);

/** Returns the amounts of a document that brings what is invoiced from one state to another. */
export function documentTotals(before: GrossByTax, after: GrossByTax): TaxTotal[] {
  const keys = [...new Set([...after.keys(), ...before.keys()])];
  const totals = keys.map((key) => {
    const category = categoryOfKey(key);
    return { category, ...taxedPart(category, before.get(key) ?? 0, after.get(key) ?? 0) };
  });
  const moved = totals.filter(({ grossMinor }) => grossMinor !== 0);
  // A document of nothing still says what it is about.
  return moved.length > 0 ? moved : totals.slice(0, 1);
}

const plus = (gross: GrossByTax, more: GrossByTax, sign = 1): Map<string, number> =>
  collected([...gross, ...[...more].map(([key, minor]) => [key, sign * minor] as const)]);

const positive = (gross: GrossByTax): Map<string, number> => new Map([...gross].filter(([, minor]) => minor > 0));

/** Shares an amount out in proportion to what each tax has. */
function shared(amountMinor: number, weights: GrossByTax): Map<string, number> {
  const keys = [...weights.keys()];
  const shares = shareOut(amountMinor, [...weights.values()]);
  return new Map(keys.map((key, index) => [key, shares[index]!]));
}

/** Returns what is invoiced after an advance: it pays for what is not invoiced yet, in proportion. */
export function afterAdvance(order: Order, amountMinor: number): GrossByTax {
  const before = invoicedGross(order);
  const owed = owedGross(order);
  if (grossOf(owed) - grossOf(before) === amountMinor) return owed;
  const charged = collected(
    linePrices(order).map(({ line, chargedMinor }) => [line.tax ?? defaultTaxCode, chargedMinor]),
  );
  // Money beyond what is owed is for what the treatment cost.
  const weights = [positive(plus(owed, before, -1)), positive(owed), positive(charged), owed].find(
    ({ size }) => size > 0,
  )!;
  return plus(before, shared(amountMinor, weights));
}

/** A refund that is about to be made. */
export type PendingRefund = RefundTerms & { amountMinor: number };

/** Returns the part of a refund that invoices have billed. Money that no invoice bills goes back first: two devices have taken it. */
export function correctedMinor(order: Order, { amountMinor }: Pick<PendingRefund, 'amountMinor'>): number {
  const unbilledMinor = Math.max(0, orderTotals(order).paidMinor - invoicedMinor(order));
  return Math.max(0, amountMinor - unbilledMinor);
}

/**
 * Returns what is invoiced after a refund. What lowers the cost is taken by tax as the lines earn less, and what goes beyond in
 * proportion to what is invoiced.
 *
 * @param open what is left of the invoices that it corrects; it takes no more
 */
export function afterRefund(order: Order, refund: PendingRefund, open: GrossByTax): GrossByTax {
  const before = invoicedGross(order);
  const takenMinor = correctedMinor(order, refund);
  if (takenMinor === 0 || grossOf(before) <= 0) return before;
  if (takenMinor >= grossOf(open)) return plus(before, open, -1);
  const lowered = [...plus(owedGross(order), owedGross(withRefund(order, refund)), -1)];
  const returnable = positive(new Map(lowered.map(([key, minor]) => [key, Math.min(minor, open.get(key) ?? 0)])));
  const forLinesMinor = Math.min(takenMinor, grossOf(returnable));
  const forLines = forLinesMinor > 0 ? shared(forLinesMinor, returnable) : new Map<string, number>();
  const afterLines = plus(before, forLines, -1);
  const restMinor = takenMinor - forLinesMinor;
  return restMinor === 0 ? afterLines : plus(afterLines, shared(restMinor, positive(plus(open, forLines, -1))), -1);
}

const withRefund = (order: Order, { amountMinor, ...terms }: PendingRefund): PricedOrder => ({
  ...order,
  payments: [...order.payments, { amountMinor: -amountMinor, ...termsAsFacts(terms), isStillOwed: false }],
});
