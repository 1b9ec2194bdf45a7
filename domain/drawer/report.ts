/**
 * The Z report: the expected and the counted money of a drawer. Server and tablet run the same function over their rows. The
 * report is not stored, so payments that arrive late are included from then on.
 */
import type { NamedHead } from '../fiscal/verify.ts';
import { groupBy } from '../group-by.ts';
import { parseNumber } from '../order/numbers.ts';
import { addedTotals, byCategory } from '../tax/tax.ts';
import type { TaxTotal } from '../tax/tax.ts';
import { taxTotalFromWire } from '../tax/wire.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import { paymentMethods } from '../order/vocabulary.ts';
import type { PaymentMethod } from '../order/vocabulary.ts';
import { drawerFinder, isLate } from './drawer.ts';
import type { ByMethod, Drawer, DrawerMovement, DrawerTime, PaymentOrigin } from './drawer.ts';

/** A payment into a drawer, negative for a refund, or a document that no payment issued (`drawer-payments.ts`). */
export interface DrawerPayment extends PaymentOrigin {
  orderId: string;
  /** That of the treatment. */
  currency: string;
  method: PaymentMethod;
  amountMinor: number;
  /** The invoice that the payment issued. */
  invoiceNumber: string | null;
  /** What it adds to the discounts of the drawer; negative for a cancel. */
  discountMinor: number;
  /** The amounts by tax of the invoice or the credit note; none without a tax profile, and on an exchange. */
  taxTotals?: readonly TaxTotalPayload[] | null | undefined;
  /** True for the invoice of an unpaid treatment, an exchange, and the credit note of a cancel: the amount is 0. */
  withoutMoney?: boolean | undefined;
  /** True of a treatment's part of a collective invoice, which shares its number with others. */
  isPart?: true | undefined;
}

/**
 * A device that may have taken payments into a drawer, with its last report to the server. The id is null for the server
 * itself, on a tablet that the server has not yet informed of the close.
 */
export interface DrawerDevice {
  id: number | null;
  code: string;
  name: string;
  lastSeenAtMs: number | null;
  /** When the device last reported an empty outbox. */
  clearedAtMs: number | null;
  /** The number of waiting operations in the device's last report. */
  waiting: number;
  /** The last of its fiscal records that the server has; absent before the first. */
  head?: NamedHead | undefined;
}

/** A device whose payments may still be missing, and its last contact. The device is null for the server. */
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

/** What was taken in another currency than the drawer's. */
export interface OtherTakings {
  currency: string;
  sales: Sum;
  refunds: Sum;
  /** Payments less refunds. */
  taken: ByMethod;
}

/** The invoices that one device issued. */
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
  /** Counts treatments, not payments. */
  sales: Sum;
  /** Negative. */
  refunds: Sum;
  /** Counts treatments. Negative where more is taken off by cancels than given. */
  discounts: Sum;
  movements: ReportedMovement[];
  invoices: InvoiceRange[];
  /** The amounts by tax of these invoices, less the credit notes; absent without a tax profile. */
  taxes?: TaxTotal[] | undefined;
  /** What the sums above leave out, by currency; absent when nothing was taken in another currency. */
  others?: OtherTakings[] | undefined;
  /** True when the drawer is closed and no device is awaited. */
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
 * Returns the report of a drawer. The expected cash is the float plus payments, refunds and movements; of other methods, the
 * sum of payments and refunds. Movements after the close are listed but do not count. All sums are in the drawer's
 * currency; what was taken in another one is stated apart.
 *
 * @param payments the drawer's payments (see `paymentsInto`)
 * @param devices the devices that may have taken payments into the drawer
 */
export function drawerReport(
  drawer: Drawer,
  payments: readonly DrawerPayment[],
  devices: readonly DrawerDevice[],
): DrawerReport {
  const { [drawer.currency]: own = [], ...foreign } = Object.fromEntries(groupBy(payments, ({ currency }) => currency));
  const others = Object.entries(foreign).map(([currency, some]) => otherTakings(currency, some));
  const reported = drawer.movements
    .map((movement) => ({ ...movement, isLate: isLate(drawer, movement) }))
    .sort((a, b) => a.atMs - b.atMs);
  const movedMinor = reported
    .filter((movement) => !movement.isLate)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const taken = takenByMethod(own);
  const expected = perMethod((method) => taken[method] + (method === 'cash' ? drawer.floatMinor + movedMinor : 0));
  const counted = drawer.close?.counted ?? null;
  const awaits = awaited(drawer, devices);
  const stated = own.flatMap(({ taxTotals }) => (taxTotals ?? []).map(taxTotalFromWire));
  const taxes = addedTotals(stated).sort((a, b) => byCategory(a.category, b.category));
  return {
    expected,
    counted,
    difference: counted && perMethod((method) => counted[method] - expected[method]),
    ...salesAndRefunds(own),
    discounts: discountsOf(own),
    movements: reported,
    invoices: invoiceRanges(payments),
    ...(taxes.length > 0 && { taxes }),
    ...(others.length > 0 && { others: others.sort((a, b) => (a.currency < b.currency ? -1 : 1)) }),
    isFinal: drawer.close !== null && awaits.length === 0,
    awaits,
  };
}

const takenByMethod = (payments: readonly DrawerPayment[]): ByMethod =>
  perMethod((method) => total(payments.filter((payment) => payment.method === method)));

function salesAndRefunds(payments: readonly DrawerPayment[]): Pick<DrawerReport, 'sales' | 'refunds'> {
  const sales = payments.filter(({ amountMinor, withoutMoney }) => amountMinor >= 0 && !withoutMoney);
  const refunds = payments.filter(({ amountMinor }) => amountMinor < 0);
  return {
    sales: { count: new Set(sales.map(({ orderId }) => orderId)).size, amountMinor: total(sales) },
    refunds: { count: refunds.length, amountMinor: total(refunds) },
  };
}

function discountsOf(payments: readonly DrawerPayment[]): Sum {
  const byTreatment = [...groupBy(payments, ({ orderId }) => orderId).values()]
    .map((own) => own.reduce((sum, { discountMinor }) => sum + discountMinor, 0))
    .filter((minor) => minor !== 0);
  return { count: byTreatment.length, amountMinor: byTreatment.reduce((sum, minor) => sum + minor, 0) };
}

const otherTakings = (currency: string, payments: readonly DrawerPayment[]): OtherTakings => ({
  currency,
  ...salesAndRefunds(payments),
  taken: takenByMethod(payments),
});

const total = (payments: readonly CashPayment[]): number =>
  payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Returns the payments of each drawer by its id, given all drawers that were open in their times. */
export function paymentsByDrawer<P extends PaymentOrigin>(
  drawers: readonly DrawerTime[],
  payments: readonly P[],
): Map<string | undefined, P[]> {
  const drawerOf = drawerFinder(drawers);
  return groupBy(payments, (payment) => drawerOf(payment)?.id);
}

/** Returns the payments that belong to a drawer, given all drawers that were open in its time. */
export const paymentsInto = <P extends PaymentOrigin>(
  drawer: Drawer,
  drawers: readonly Drawer[],
  payments: readonly P[],
): P[] => paymentsByDrawer(drawers, payments).get(drawer.id) ?? [];

/** A payment in cash; negative for a refund. */
export interface CashPayment extends PaymentOrigin {
  amountMinor: number;
}

/** Cash by the drawers that it belongs to, and the cash that was taken and given back while no drawer was open. */
export interface CashShares {
  byDrawer: Map<string, Sum>;
  outside: Sum;
}

/**
 * Divides payments among drawers. The shares and what is outside always add up to all payments.
 *
 * @param drawers all that were open at the time of one of the payments
 */
export function cashShares(drawers: readonly DrawerTime[], payments: readonly CashPayment[]): CashShares {
  const byDrawer = new Map<string, Sum>();
  let outside: Sum = { count: 0, amountMinor: 0 };
  for (const [id, own] of paymentsByDrawer(drawers, payments)) {
    const sum = { count: own.length, amountMinor: total(own) };
    if (id === undefined) outside = sum;
    else byDrawer.set(id, sum);
  }
  return { byDrawer, outside };
}

/**
 * Returns the devices that have not reported an empty outbox since the close. A device that has cannot hold a payment of this
 * drawer any more, because whatever it does later takes effect later.
 */
function awaited({ close }: Drawer, devices: readonly DrawerDevice[]): AwaitedDevice[] {
  if (!close) return [];
  return devices
    .filter(({ clearedAtMs }) => clearedAtMs === null || clearedAtMs < close.atMs)
    .map(({ id, code, name, lastSeenAtMs, waiting }) => ({ deviceId: id, code, name, sinceMs: lastSeenAtMs, waiting }));
}

/** Returns one range per device code, in the order of the codes. A number outside any series is a range by itself. */
function invoiceRanges(payments: readonly DrawerPayment[]): InvoiceRange[] {
  const bySeries = new Map<string, string[]>();
  for (const { invoiceNumber, isPart } of payments) {
    if (invoiceNumber === null) continue;
    const series = rangeOf(invoiceNumber);
    const numbers = bySeries.get(series) ?? [];
    // A collective invoice is one document, of as many parts as it has treatments.
    if (!isPart || !numbers.includes(invoiceNumber)) bySeries.set(series, [...numbers, invoiceNumber]);
  }
  const inOrder = [...bySeries].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([, numbers]) => {
    const sorted = numbers.sort((a, b) => countOf(a) - countOf(b));
    return { first: sorted[0]!, last: sorted.at(-1)!, count: sorted.length };
  });
}

const countOf = (number: string): number =>
  (parseNumber('invoice', number) ?? parseNumber('full_invoice', number))?.count ?? 0;

/** Full invoices have a range of their own, after the range of their device's simplified ones. */
function rangeOf(number: string): string {
  const full = parseNumber('full_invoice', number);
  return full ? `${full.code} F` : (parseNumber('invoice', number)?.code ?? number);
}
