/**
 * The Z report: what a drawer should hold and what was counted. One function, run by the server over its rows and by the
 * tablet over its own, so both print the same figures. Nothing of it is stored: what arrives late is in it from then on.
 */
import { parseNumber } from '../order/numbers.ts';
import type { Order } from '../order/order.ts';
import { minorFromWire } from '../money.ts';
import { paymentMethods } from '../order/vocabulary.ts';
import type { PaymentMethod } from '../order/vocabulary.ts';
import { drawerForPayment, isLate } from './drawer.ts';
import type { ByMethod, Drawer, DrawerMovement, PaymentOrigin } from './drawer.ts';

/** A payment as a drawer knows it; a refund is negative. */
export interface DrawerPayment extends PaymentOrigin {
  orderId: string;
  method: PaymentMethod;
  amountMinor: number;
  /** The invoice that it issued, and the discount that stands on it. */
  invoiceNumber: string | null;
  discountMinor: number;
}

/**
 * A device that may have worked into a drawer, and what it last told the server of itself. The id is null for the server's own
 * word, on a tablet that has not heard it.
 */
export interface DrawerDevice {
  id: number | null;
  code: string;
  name: string;
  lastSeenAtMs: number | null;
  /** When it last reported that nothing waited on it. */
  clearedAtMs: number | null;
  /** How much waited at its last report. */
  waiting: number;
}

/** Whose work may still be missing, and since when nothing was heard of it. The device is null where it is the server. */
export interface AwaitedDevice {
  deviceId: number | null;
  code: string;
  name: string;
  sinceMs: number | null;
  waiting: number;
}

export interface Sum {
  count: number;
  amountMinor: number;
}

export interface ReportedMovement extends DrawerMovement {
  isLate: boolean;
}

/** The invoices that one device issued: its first and last number. */
export interface InvoiceRange {
  first: string;
  last: string;
  count: number;
}

export interface DrawerReport {
  expected: ByMethod;
  /** Null until the drawer is closed. */
  counted: ByMethod | null;
  /** Counted less expected. */
  difference: ByMethod | null;
  /** How many treatments were paid, and the money that was taken. */
  sales: Sum;
  /** Negative. */
  refunds: Sum;
  discounts: Sum;
  movements: ReportedMovement[];
  invoices: InvoiceRange[];
  /** Closed and nothing awaited. */
  isFinal: boolean;
  awaits: AwaitedDevice[];
}

export const sumOf = (amounts: ByMethod): number => paymentMethods.reduce((sum, method) => sum + amounts[method], 0);

const perMethod = (amount: (method: PaymentMethod) => number): ByMethod => ({
  cash: amount('cash'),
  card: amount('card'),
  insurance: amount('insurance'),
  others: amount('others'),
});

/**
 * Cash should be the float, what was paid and moved in, less what was given back and taken out; any other method, what was
 * paid by it less what was given back. Movements after the close are listed and change nothing.
 *
 * @param payments those that belong to the drawer, see `paymentsInto`
 * @param devices that may have worked into it
 */
export function drawerReport(
  drawer: Drawer,
  payments: readonly DrawerPayment[],
  devices: readonly DrawerDevice[],
): DrawerReport {
  const reported = drawer.movements
    .map((movement) => ({ ...movement, isLate: isLate(drawer, movement) }))
    .sort((a, b) => a.atMs - b.atMs);
  const movedMinor = reported
    .filter((movement) => !movement.isLate)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const taken = (method: PaymentMethod) =>
    payments.reduce((sum, payment) => (payment.method === method ? sum + payment.amountMinor : sum), 0);
  const expected = perMethod((method) => taken(method) + (method === 'cash' ? drawer.floatMinor + movedMinor : 0));
  const counted = drawer.close?.counted ?? null;
  const sales = payments.filter(({ amountMinor }) => amountMinor >= 0);
  const refunds = payments.filter(({ amountMinor }) => amountMinor < 0);
  const discounted = payments.filter(({ discountMinor }) => discountMinor !== 0);
  const awaits = awaited(drawer, devices);
  return {
    expected,
    counted,
    difference: counted && perMethod((method) => counted[method] - expected[method]),
    sales: { count: new Set(sales.map(({ orderId }) => orderId)).size, amountMinor: total(sales) },
    refunds: { count: refunds.length, amountMinor: total(refunds) },
    discounts: {
      count: discounted.length,
      amountMinor: discounted.reduce((sum, { discountMinor }) => sum + discountMinor, 0),
    },
    movements: reported,
    invoices: invoiceRanges(payments),
    isFinal: drawer.close !== null && awaits.length === 0,
    awaits,
  };
}

const total = (payments: readonly DrawerPayment[]): number =>
  payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Those of the payments that belong to one drawer among all that stood open in its time. */
export function paymentsInto<P extends PaymentOrigin>(
  drawer: Drawer,
  drawers: readonly Drawer[],
  payments: readonly P[],
): P[] {
  return payments.filter((payment) => drawerForPayment(payment, drawers)?.id === drawer.id);
}

/** The payments of a treatment as drawers know them. */
export function drawerPayments({
  id,
  payments,
  invoices,
}: Pick<Order, 'id' | 'payments' | 'invoices'>): DrawerPayment[] {
  return payments.map(({ opId, method, amountMinor, atMs, deviceId }) => {
    const invoice = invoices.find(({ op_id }) => op_id === opId);
    return {
      orderId: id,
      method,
      amountMinor,
      atMs,
      deviceId,
      invoiceNumber: invoice?.invoice_number ?? null,
      discountMinor: minorFromWire(invoice?.discount_amount ?? 0),
    };
  });
}

/**
 * A device that reported after the close that nothing waited has told all that belongs into the drawer: what it does later
 * is of a later time. Whatever it holds then, this drawer awaits it no more.
 */
function awaited({ close }: Drawer, devices: readonly DrawerDevice[]): AwaitedDevice[] {
  if (!close) return [];
  return devices
    .filter(({ clearedAtMs }) => clearedAtMs === null || clearedAtMs < close.atMs)
    .map(({ id, code, name, lastSeenAtMs, waiting }) => ({ deviceId: id, code, name, sinceMs: lastSeenAtMs, waiting }));
}

/** One for each device's series, in the order of the codes; a number of no series stands for itself. */
function invoiceRanges(payments: readonly DrawerPayment[]): InvoiceRange[] {
  const bySeries = new Map<string, string[]>();
  for (const { invoiceNumber } of payments) {
    if (invoiceNumber === null) continue;
    const series = parseNumber('invoice', invoiceNumber)?.code ?? invoiceNumber;
    bySeries.set(series, [...(bySeries.get(series) ?? []), invoiceNumber]);
  }
  const inOrder = [...bySeries].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([, numbers]) => {
    const sorted = numbers.sort((a, b) => countOf(a) - countOf(b));
    return { first: sorted[0]!, last: sorted.at(-1)!, count: sorted.length };
  });
}

const countOf = (number: string): number => parseNumber('invoice', number)?.count ?? 0;
