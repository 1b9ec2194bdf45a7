/**
 * Finds what is odd in the facts of a treatment: prices and taxes that are not the catalogue's, sums that do not add up,
 * another currency, and much change. Such a fact is recorded as it came, and a manager learns who, where and how much.
 */
import { denominations } from '../denominations.ts';
import { oldPriceMs } from '../limits.ts';
import { currencies, minorFromWire, minorToWire } from '../money.ts';
import type { Currency } from '../money.ts';
import { numberFormat } from '../number-format.ts';
import { defaultTaxCode } from '../tax/codes.ts';
import type { TaxCode } from '../tax/codes.ts';
import { lineTax } from '../tax/profile.ts';
import type { TaxSettings } from '../tax/profile.ts';
import { categoryOfKey, taxKey } from '../tax/tax.ts';
import { categoryFromWire, taxTotalFromWire } from '../tax/wire.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import { agreedDiscount } from './operations.ts';
import { subtotal, subtotalOf } from './order.ts';
import type { CreatePayload, LinePayload, PayPayload } from './operations.ts';
import type { InvoicePayload, Order } from './order.ts';
import { isSimplifiedTooLarge } from '../tax/document.ts';

export interface OddFact {
  kind:
    | 'price_differs'
    | 'tax_differs'
    | 'sum_differs'
    | 'currency_differs'
    | 'change_high'
    | 'cash_limit'
    | 'simplified_too_large';
  details: Record<string, string | number>;
}

/** The price and the tax of a service, and when others took their place; null while they hold. */
export interface KnownPrice {
  priceMinor: number;
  taxCode: TaxCode;
  untilMs: number | null;
}

const isKnownAt = ({ untilMs }: KnownPrice, atMs: number): boolean => untilMs === null || untilMs >= atMs - oldPriceMs;

/** Returns the prices that a service has and had, also when it is deleted. */
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
    return !pricesOf(line).some((known) => known.priceMinor === agreedMinor && isKnownAt(known, atMs));
  });
  if (!wrong) return [];
  const current = pricesOf(wrong).find(({ untilMs }) => untilMs === null);
  const expected = current && { expected: minorToWire(current.priceMinor) };
  return [{ kind: 'price_differs', details: { name: wrong.name, stated: wrong.unit_price, ...expected, currency } }];
}

/**
 * Names the first line that bears a tax which its service did not have when the tablet last read the catalogue and the
 * settings. A line without a tax is invoiced as exempt. Of an unknown service its price tells.
 */
export function oddTaxes(
  items: readonly LinePayload[],
  { settings, atMs, pricesOf }: { settings: TaxSettings; atMs: number; pricesOf: PricesOf },
): OddFact[] {
  if (settings.tax_profile === 'none') return [];
  const statedBy = ({ tax }: LinePayload) => (tax ? taxKey(categoryFromWire(tax)) : defaultTaxCode);
  const wrong = items.find((line) => {
    const known = pricesOf(line).filter((each) => isKnownAt(each, atMs));
    const taxes = known.flatMap(({ taxCode }) => [atMs, atMs - oldPriceMs].map((at) => lineTax(settings, taxCode, at)));
    return known.length > 0 && !taxes.includes(statedBy(line));
  });
  if (!wrong) return [];
  const current = pricesOf(wrong).find(({ untilMs }) => untilMs === null);
  const expected = current && { expected: taxText(lineTax(settings, current.taxCode, atMs)!) };
  return [{ kind: 'tax_differs', details: { name: wrong.name, stated: taxText(statedBy(wrong)), ...expected } }];
}

const rates = numberFormat();

function taxText(key: string): string {
  const category = categoryOfKey(key);
  return 'exempt' in category ? category.exempt : `${rates.format(category.rateBps / 100)} %`;
}

const oddSum = (stated: number, expectedMinor: number, currency: string): OddFact[] =>
  minorFromWire(stated) === expectedMinor
    ? []
    : [{ kind: 'sum_differs', details: { stated, expected: minorToWire(expectedMinor), currency } }];

const oddCurrency = (currency: string, expected: string): OddFact[] =>
  currency === expected ? [] : [{ kind: 'currency_differs', details: { currency } }];

/** @param currency the clinic's */
export function oddTreatment(payload: CreatePayload, currency: string): OddFact[] {
  const { items, service_charge, total } = payload;
  const expectedMinor = subtotalOf(items) - agreedDiscount(payload) + minorFromWire(service_charge);
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
 * An invoice bills lines of the treatment, less what refunds took off. A device's first invoice states the discount and the
 * charge. A device that took services away knows a smaller discount than one that had not heard of it. Others may have
 * invoiced a part before, or have taken a part back.
 *
 * @param order the treatment with this invoice
 */
export function oddInvoice(invoice: InvoicePayload, order: Order): OddFact[] {
  if (invoice.tax_totals) return oddTax(invoice, invoice.tax_totals);
  const { lines, chargeMinor, changes, agreedDiscountMinor } = order;
  const stated = {
    subtotalMinor: minorFromWire(invoice.subtotal),
    discountMinor: minorFromWire(invoice.discount_amount),
    chargeMinor: minorFromWire(invoice.service_charge_amount),
    totalMinor: minorFromWire(invoice.total_amount) + minorFromWire(invoice.reduction_amount ?? 0),
  };
  const isShare = changes.length > 0 && stated.discountMinor <= agreedDiscountMinor;
  const discountMinor = isShare ? stated.discountMinor : order.discountMinor;
  const billed = new Set(invoice.line_ids);
  const isLined = billed.size > 0;
  const subtotalMinor = isLined ? subtotal(lines.filter(({ lineId }) => billed.has(lineId))) : stated.subtotalMinor;
  const isAlone = isLined && order.invoices.length === 1 && order.payments.every(({ amountMinor }) => amountMinor >= 0);
  const sums = [
    { discountMinor, chargeMinor },
    { discountMinor: 0, chargeMinor: 0 },
  ];
  const isRight = sums.some((sum) => {
    const dueMinor = subtotalMinor - sum.discountMinor + sum.chargeMinor;
    return (
      stated.subtotalMinor === subtotalMinor &&
      stated.discountMinor === sum.discountMinor &&
      stated.chargeMinor === sum.chargeMinor &&
      (isAlone ? stated.totalMinor === dueMinor : stated.totalMinor >= 0)
    );
  });
  if (isRight) return [];
  const expected = minorToWire(subtotalMinor - discountMinor + chargeMinor);
  return [{ kind: 'sum_differs', details: { stated: invoice.total_amount, expected, currency: invoice.currency } }];
}

/** Names a simplified invoice where the law asks for a full one. It is out, so it is recorded all the same. */
export const oddSimplified = (invoice: InvoicePayload | null | undefined): OddFact[] =>
  invoice && isSimplifiedTooLarge(invoice)
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
 * Twice the largest note. A patient who hands over more than one note too many gets it back at once; the change of a payment
 * is less than that.
 */
function largestChange(currency: string): number {
  const known = (currencies as readonly string[]).includes(currency) ? denominations[currency as Currency] : [];
  return 2 * (known[0] ?? 0);
}
