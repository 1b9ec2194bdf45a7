/**
 * Cash drawers and their Z reports. A payment belongs to the drawer that was open when it took effect: that of its own device,
 * or else the one opened first. Money is cents.
 */
import { cents, groups, sum, sumOf } from './integers.ts';
import type { Document } from './documents.ts';
import { addedTaxes } from './taxes.ts';
import type { TaxPart } from './taxes.ts';
import type { Movement, Treatment } from './treatment.ts';
import { methods, ofKind } from './wire.ts';
import type { Entry, Method } from './wire.ts';

export interface Drawer {
  id: string;
  deviceId: number;
  currency: string;
  float: number;
  openedMs: number;
  /** Infinity while it is open. */
  closedMs: number;
  counted: Record<Method, number> | null;
  moved: { amount: number; atMs: number }[];
}

export interface ZReport {
  expected: Record<Method, number>;
  difference: Record<Method, number> | null;
  /** The number of treatments, and their payments. */
  sales: { count: number; amount: number };
  /** Negative. */
  refunds: { count: number; amount: number };
  /** Counts treatments. A cancel takes off what its treatment's invoices had. */
  discounts: { count: number; amount: number };
  /** By the series of each device. */
  invoices: InvoiceRange[];
  taxes: TaxPart[];
  /** What was taken in other currencies than the drawer's, which no sum above counts. */
  others: { currency: string; amount: number }[];
}

export interface InvoiceRange {
  first: string;
  last: string;
  count: number;
}

const perMethod = (of: (method: Method) => number): Record<Method, number> =>
  Object.fromEntries(methods.map((method) => [method, of(method)])) as Record<Method, number>;

export function drawersOf(entries: readonly Entry[]): Drawer[] {
  return ofKind(entries, 'drawer.open')
    .map(({ payload: { drawer_id: id, float, currency }, deviceId, atMs }): Drawer => {
      const close = ofKind(entries, 'drawer.close').find(({ payload }) => payload.drawer_id === id);
      return {
        id,
        deviceId,
        currency,
        float: cents(float),
        openedMs: atMs,
        closedMs: close?.atMs ?? Number.POSITIVE_INFINITY,
        counted: close ? perMethod((method) => cents(close.payload.counted[method])) : null,
        moved: ofKind(entries, 'drawer.move')
          .filter(({ payload }) => payload.drawer_id === id)
          .map((entry) => ({
            amount: (entry.payload.direction === 'in' ? 1 : -1) * cents(entry.payload.amount),
            atMs: entry.atMs,
          })),
      };
    })
    .sort((a, b) => a.openedMs - b.openedMs || (a.id < b.id ? -1 : 1));
}

type Origin = { deviceId: number; atMs: number };

/** Returns the drawer of something that happened; undefined while none was open. */
export function drawerOf(drawers: readonly Drawer[], { deviceId, atMs }: Origin): Drawer | undefined {
  const open = drawers.filter(({ openedMs, closedMs }) => openedMs <= atMs && atMs < closedMs);
  return open.find((drawer) => drawer.deviceId === deviceId) ?? open[0];
}

/** A document, and when and where it was issued: with its operation, or at its own time if no money moved with it. */
interface Issued extends Origin {
  document: Document;
}

const issuedAs = (documents: readonly Document[]): Issued[] =>
  documents.map((document) => {
    const { deviceId, atMs, issuedAt, isOfPayment } = document;
    return { document, deviceId, atMs: isOfPayment ? atMs : Date.parse(issuedAt) };
  });

/** Returns the Z report of a drawer. @param drawers all of the clinic */
export function zReport(drawer: Drawer, drawers: readonly Drawer[], all: readonly Treatment[]): ZReport {
  const treatments = all.filter(({ currency }) => currency === drawer.currency);
  const foreign = groups(
    all.filter(({ currency }) => currency !== drawer.currency),
    ({ currency }) => currency,
  );
  const isIn = (origin: Origin) => drawerOf(drawers, origin) === drawer;
  const moved = treatments.flatMap(({ id, movements }) =>
    movements.filter(isIn).map((movement): Movement & { orderId: string } => ({ ...movement, orderId: id })),
  );
  const byHand = drawer.moved.filter(({ atMs }) => atMs <= drawer.closedMs);
  const expected = perMethod(
    (method) =>
      sumOf(moved, (movement) => (movement.method === method ? movement.amount : 0)) +
      (method === 'cash' ? drawer.float + sumOf(byHand, ({ amount }) => amount) : 0),
  );
  const sales = moved.filter(({ amount }) => amount >= 0);
  const refunds = moved.filter(({ amount }) => amount < 0);
  const documents = treatments.flatMap(({ reported }) => issuedAs(reported)).filter(isIn);
  const discounts = treatments
    .map(({ documents: every, discounts: effects }) =>
      sumOf(issuedAs(every).filter(isIn), ({ document: { opId } }) => effects.get(opId) ?? 0),
    )
    .filter((discount) => discount !== 0);
  return {
    expected,
    difference: drawer.counted && perMethod((method) => drawer.counted![method] - expected[method]),
    sales: { count: new Set(sales.map(({ orderId }) => orderId)).size, amount: sumOf(sales, ({ amount }) => amount) },
    refunds: { count: refunds.length, amount: sumOf(refunds, ({ amount }) => amount) },
    discounts: { count: discounts.length, amount: sum(discounts) },
    invoices: rangesOf(all.flatMap(({ documents: every }) => issuedAs(every).filter(isIn))),
    taxes: addedTaxes(documents.flatMap(({ document }) => document.taxes)),
    others: [...foreign].flatMap(([currency, own]) => {
      const taken = own.flatMap(({ movements }) => movements.filter(isIn));
      return taken.length > 0 ? [{ currency, amount: sumOf(taken, ({ amount }) => amount) }] : [];
    }),
  };
}

/** Returns the first and the last number of each series. A number ends with its count, under a code of its device. */
function rangesOf(issued: readonly Issued[]): InvoiceRange[] {
  const numbers = issued.flatMap(({ document: { of, number } }) => (of === 'invoice' ? number : []));
  const series = groups(numbers.toSorted(), (number) => number.slice(0, number.lastIndexOf('-')));
  return [...series.values()].map((own) => ({ first: own[0]!, last: own.at(-1)!, count: own.length }));
}
