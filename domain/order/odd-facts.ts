/**
 * Finds what is odd in the facts of a treatment: prices that are not the catalogue's, sums that do not add up, another
 * currency, and much change. Such a fact is recorded as it came, and a manager is told who, where and how much.
 */
import { denominations } from '../drawer/denominations.ts';
import { oldPriceMs } from '../limits.ts';
import { currencies, minorFromWire, minorToWire } from '../money.ts';
import type { Currency } from '../money.ts';
import { taxTotalFromWire } from '../tax/wire.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import { subtotalOf } from './operations.ts';
import type { CreatePayload, LinePayload, PayPayload } from './operations.ts';
import { subtotal } from './order.ts';
import type { InvoicePayload, Order } from './order.ts';
import { mostSimplifiedMinor } from './tax-document.ts';

export interface OddFact {
  kind: 'price_differs' | 'sum_differs' | 'currency_differs' | 'change_high' | 'simplified_too_large';
  details: Record<string, string | number>;
}

/** The price of a service, and when another took its place; null while it holds. */
export interface KnownPrice {
  priceMinor: number;
  untilMs: number | null;
}

/** Returns the prices that a service has and had. */
export type PricesOf = (line: Pick<LinePayload, 'stock_id' | 'product_id'>) => readonly KnownPrice[];

/**
 * Names the first line that was sold at a price which its service did not have when the tablet last read the catalogue.
 * A tablet that was offline while a price changed sells at the old one, so former prices stay right for a while.
 */
export function oddPrices(
  items: readonly LinePayload[],
  { currency, atMs, pricesOf }: { currency: string; atMs: number; pricesOf: PricesOf },
): OddFact[] {
  const wrong = items.find((line) => {
    const agreedMinor = minorFromWire(line.unit_price);
    return !pricesOf(line).some(
      ({ priceMinor, untilMs }) => priceMinor === agreedMinor && (untilMs === null || untilMs >= atMs - oldPriceMs),
    );
  });
  if (!wrong) return [];
  const current = pricesOf(wrong).find(({ untilMs }) => untilMs === null);
  const expected = current && { expected: minorToWire(current.priceMinor) };
  return [{ kind: 'price_differs', details: { name: wrong.name, stated: wrong.unit_price, ...expected, currency } }];
}

const oddSum = (stated: number, expectedMinor: number, currency: string): OddFact[] =>
  minorFromWire(stated) === expectedMinor
    ? []
    : [{ kind: 'sum_differs', details: { stated, expected: minorToWire(expectedMinor), currency } }];

const oddCurrency = (currency: string, expected: string): OddFact[] =>
  currency === expected ? [] : [{ kind: 'currency_differs', details: { currency } }];

/** @param currency the clinic's */
export function oddTreatment(payload: CreatePayload, currency: string): OddFact[] {
  const { items, discount, service_charge, total } = payload;
  const expectedMinor = subtotalOf(items) - minorFromWire(discount) + minorFromWire(service_charge);
  return [...oddSum(total, expectedMinor, payload.currency), ...oddCurrency(payload.currency, currency)];
}

/** @param order the treatment with this payment */
export function oddPayment({ invoice, ...payment }: PayPayload, order: Order): OddFact[] {
  const { payment_method, amount, tendered, change } = payment;
  const givenMinor = minorFromWire(amount) + minorFromWire(change);
  const sums = [...oddSum(tendered, givenMinor, order.currency), ...(invoice ? oddInvoice(invoice, order) : [])];
  const isHigh = minorFromWire(change) > (payment_method === 'cash' ? largestChange(order.currency) : 0);
  return [
    ...sums.slice(0, 1),
    ...(invoice ? oddCurrency(invoice.currency, order.currency) : []),
    ...(isHigh ? [{ kind: 'change_high' as const, details: { change, currency: order.currency } }] : []),
  ];
}

/**
 * An invoice bills lines of the treatment; the discount and the charge stand on the first one of a device. A device that
 * took services away knows a smaller discount than one that had not heard of it.
 */
/** @param order the treatment with this invoice */
export function oddInvoice(invoice: InvoicePayload, order: Order): OddFact[] {
  if (invoice.tax_totals) return oddTax(invoice, invoice.tax_totals);
  const { lines, chargeMinor, changes, agreedDiscountMinor } = order;
  const statedMinor = minorFromWire(invoice.discount_amount);
  const isShare = changes.length > 0 && statedMinor <= agreedDiscountMinor;
  const discountMinor = isShare ? statedMinor : order.discountMinor;
  const billed = new Set(invoice.line_ids);
  const subtotalMinor = subtotal(lines.filter(({ lineId }) => billed.has(lineId)));
  const stated = [invoice.subtotal, invoice.discount_amount, invoice.service_charge_amount, invoice.total_amount];
  const first = [subtotalMinor, discountMinor, chargeMinor, subtotalMinor - discountMinor + chargeMinor];
  const later = [subtotalMinor, 0, 0, subtotalMinor];
  if ([first, later].some((sums) => sums.every((minor, index) => minor === minorFromWire(stated[index]!)))) return [];
  const expected = minorToWire(first[3]!);
  return [{ kind: 'sum_differs', details: { stated: invoice.total_amount, expected, currency: invoice.currency } }];
}

/** Names a simplified invoice whose record the tax agency rejects for its amount. It is out, so it is recorded all the same. */
export const oddSimplified = (invoice: InvoicePayload | null | undefined): OddFact[] =>
  invoice?.document_type === 'F2' && minorFromWire(invoice.total_amount) > mostSimplifiedMinor
    ? [
        {
          kind: 'simplified_too_large',
          details: { number: invoice.invoice_number, stated: invoice.total_amount, currency: invoice.currency },
        },
      ]
    : [];

/** By a tax profile an invoice bills what others have not, so only its own sums can be told to be right. */
function oddTax({ total_amount, currency }: InvoicePayload, totals: readonly TaxTotalPayload[]): OddFact[] {
  const minorOf = totals.map(taxTotalFromWire);
  const grossMinor = minorOf.reduce((sum, total) => sum + total.grossMinor, 0);
  const unlike = minorOf.find(({ baseMinor, taxMinor, grossMinor: gross }) => baseMinor + taxMinor !== gross);
  if (unlike) return oddSum(minorToWire(unlike.grossMinor), unlike.baseMinor + unlike.taxMinor, currency);
  return oddSum(total_amount, grossMinor, currency);
}

/**
 * Twice the largest note. Whoever hands over more than one note too many gets it back at once; the change of a payment
 * is less than that.
 */
function largestChange(currency: string): number {
  const known = (currencies as readonly string[]).includes(currency) ? denominations[currency as Currency] : [];
  return 2 * (known[0] ?? 0);
}
