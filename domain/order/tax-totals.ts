/**
 * The tax of a treatment's documents. The documents of one treatment add up: the amounts of each are the tax totals of
 * everything that is invoiced after it, less those of everything invoiced before it. So no cent is lost between an
 * advance, the final invoice, services added later and refunds, and a full refund leaves nothing of any base.
 *
 * Amounts are minor units with tax in them, by the key of their tax (`taxKey`). A line without tax is exempt.
 */
import { minorFromWire } from '../money.ts';
import { defaultTaxCode } from '../tax/codes.ts';
import { categoryOfKey, shareOut, taxedPart, taxKey } from '../tax/tax.ts';
import type { TaxTotal } from '../tax/tax.ts';
import { taxTotalFromWire } from '../tax/wire.ts';
import { countedCorrections } from './corrections.ts';
import { lineTotal, totals as orderTotals } from './order.ts';
import type { Cancel, Invoice, Order, OrderLine } from './order.ts';
import { plannedLines } from './standing-lines.ts';
import type { TaxDocumentFields } from './tax-document.ts';

export type GrossByTax = ReadonlyMap<string, number>;

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0);

export const grossOf = (gross: GrossByTax): number => sum(gross.values());

type Part = [key: string, minor: number];

function collected(parts: readonly Readonly<Part>[]): Map<string, number> {
  const gross = new Map<string, number>();
  for (const [key, minor] of parts) gross.set(key, (gross.get(key) ?? 0) + minor);
  return gross;
}

type Treated = Pick<
  Order,
  'opId' | 'lines' | 'removedLines' | 'changes' | 'discountMinor' | 'chargeMinor' | 'invoices' | 'payments' | 'cancels'
>;

/**
 * Returns what each line costs after its part of the discount and of the charge. Both were agreed for the services of the
 * plan, so services that were added later take no part.
 */
export function chargedLines(order: Treated): { line: OrderLine; grossMinor: number }[] {
  const planned = new Set(plannedLines(order).map(({ lineId }) => lineId));
  const isPriced = order.lines.some((line) => planned.has(line.lineId) && lineTotal(line) > 0);
  const weights = order.lines.map((line) => (!isPriced || planned.has(line.lineId) ? lineTotal(line) : 0));
  const shares = shareOut(order.chargeMinor - order.discountMinor, weights);
  return order.lines.map((line, index) => ({ line, grossMinor: lineTotal(line) + shares[index]! }));
}

/** Returns what the whole treatment costs. */
export function treatmentGross(order: Treated): GrossByTax {
  if (order.lines.length === 0) return new Map([[defaultTaxCode, order.chargeMinor - order.discountMinor]]);
  return collected(chargedLines(order).map(({ line, grossMinor }) => [line.tax ?? defaultTaxCode, grossMinor]));
}

const stated = ({ tax_totals: totals = [] }: TaxDocumentFields): Part[] =>
  totals.map((total) => [taxKey(taxTotalFromWire(total).category), minorFromWire(total.gross)]);

/** Returns the invoices that count: of an exchange the one that took the other's place. */
export function standingInvoices(order: Pick<Order, 'invoices'>): Invoice[] {
  const replaced = new Set(order.invoices.flatMap(({ replaces }) => replaces?.number ?? []));
  const repeated = new Set(repeatedExchanges(order));
  return order.invoices.filter((invoice) => !replaced.has(invoice.invoice_number) && !repeated.has(invoice));
}

/** Returns the exchanges of an invoice that another device has exchanged before; the server annuls them. */
export function repeatedExchanges({ invoices }: Pick<Order, 'invoices'>): Invoice[] {
  const isBefore = (a: Invoice, b: Invoice): boolean =>
    a.issued_at === b.issued_at ? a.invoice_id < b.invoice_id : a.issued_at < b.issued_at;
  return invoices.filter(
    (invoice) =>
      invoice.replaces &&
      invoices.some((other) => other.replaces?.number === invoice.replaces!.number && isBefore(other, invoice)),
  );
}

/** Returns what stands invoiced: all invoices less all credit notes. Documents without tax were of exempt services. */
export function invoicedGross(order: Pick<Order, 'invoices' | 'payments' | 'cancels'>): GrossByTax {
  const gross = beforeCancels(order);
  for (const { correction } of countedCorrections(order, gross))
    for (const [key, minor] of stated(correction.creditNote)) gross.set(key, (gross.get(key) ?? 0) + minor);
  return gross;
}

/** Returns the cancels whose corrections the server annuls: they take back what is settled otherwise. */
export function overruledCorrections(order: Pick<Order, 'invoices' | 'payments' | 'cancels'>): Cancel[] {
  if (order.cancels.every(({ correction }) => !correction || correction.isAnnulled)) return [];
  const counted = new Set(countedCorrections(order, beforeCancels(order)).map(({ opId }) => opId));
  return order.cancels.filter(({ opId, correction }) => correction && !correction.isAnnulled && !counted.has(opId));
}

function beforeCancels(order: Pick<Order, 'invoices' | 'payments'>): Map<string, number> {
  const gross = collected(
    standingInvoices(order).flatMap((invoice) =>
      invoice.tax_totals ? stated(invoice) : ([[defaultTaxCode, minorFromWire(invoice.total_amount)]] as Part[]),
    ),
  );
  const take = (key: string, minor: number) => gross.set(key, (gross.get(key) ?? 0) + minor);
  for (const { amountMinor, creditNoteNumber, creditNote } of order.payments) {
    if (creditNoteNumber === null) continue;
    if (creditNote?.tax_totals) for (const [key, minor] of stated(creditNote)) take(key, minor);
    // Without a tax profile money was also given back that no invoice had billed.
    else take(defaultTaxCode, Math.max(amountMinor, -Math.max(0, gross.get(defaultTaxCode) ?? 0)));
  }
  return gross;
}

/** True while an invoice that states its tax is not wholly corrected. */
export const isInvoiced = (order: Pick<Order, 'invoices' | 'payments' | 'cancels'>): boolean =>
  order.invoices.some(({ tax_totals }) => tax_totals !== undefined) &&
  [...invoicedGross(order).values()].some((minor) => minor !== 0);

/**
 * Returns what the next invoice of a treatment bills: with a payment of a part the advance, else all that is left.
 *
 * @param paymentMinor null for an invoice without a payment
 */
export function nextInvoiceMinor(order: Treated, paymentMinor: number | null): number {
  const invoicedMinor = grossOf(invoicedGross(order));
  const { paidMinor, balanceMinor } = orderTotals(order);
  const isPart = paymentMinor !== null && paymentMinor < balanceMinor;
  return isPart
    ? Math.max(0, paidMinor + paymentMinor - invoicedMinor)
    : grossOf(treatmentGross(order)) - invoicedMinor;
}

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
export function afterAdvance(order: Treated, amountMinor: number): GrossByTax {
  const before = invoicedGross(order);
  const whole = treatmentGross(order);
  const left = positive(plus(whole, before, -1));
  const weights = left.size > 0 ? left : whole;
  return grossOf(whole) - grossOf(before) === amountMinor ? whole : plus(before, shared(amountMinor, weights));
}

/**
 * Returns what is invoiced after a refund. It gives back money that no invoice has billed first: two devices have taken the
 * money of one invoice. Of the rest it gives back what the named services cost, and what exceeds that in proportion;
 * without named services all of it in proportion.
 */
export function afterRefund(order: Treated, refundMinor: number, lineIds: readonly string[]): GrossByTax {
  const before = invoicedGross(order);
  const unbilledMinor = Math.max(0, orderTotals(order).paidMinor - grossOf(before));
  const amountMinor = Math.max(0, refundMinor - unbilledMinor);
  if (amountMinor === 0) return before;
  if (amountMinor >= grossOf(before)) return new Map([...before.keys()].map((key) => [key, 0]));
  const named = new Set(lineIds);
  const cost = collected(
    chargedLines(order)
      .filter(({ line }) => named.has(line.lineId))
      .map(({ line, grossMinor }) => [line.tax ?? defaultTaxCode, grossMinor]),
  );
  const returnable = positive(
    new Map([...cost].map(([key, minor]) => [key, Math.min(minor, Math.max(0, before.get(key) ?? 0))])),
  );
  const forNamed = Math.min(amountMinor, grossOf(returnable));
  const given = forNamed > 0 ? shared(forNamed, returnable) : new Map<string, number>();
  const rest = amountMinor - forNamed;
  const afterNamed = plus(before, given, -1);
  return rest === 0 ? afterNamed : plus(afterNamed, shared(rest, positive(afterNamed)), -1);
}
