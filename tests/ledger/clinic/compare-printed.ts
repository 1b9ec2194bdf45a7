/** Compares what documents and Z reports print with what they must say. */
import type { Document } from '../documents.ts';
import { cents, sumOf } from '../integers.ts';
import type { Treatment } from '../treatment.ts';
import { printed } from '../visit.ts';
import type { Drawer, ZReport } from '../drawers.ts';
import { methods, ofKind } from '../wire.ts';
import type { Entry, Method, PrintedRow } from '../wire.ts';
import { sorted } from './differences.ts';

const textOf = ({ left = '', right = '' }: PrintedRow): string => `${left} ${right}`.trim();

/**
 * Returns the faults of a document.
 *
 * @param entry the operation that issued it
 * @param known the treatment before it
 */
export function comparePrinted(document: Document, entry: Entry, known: Treatment): string[] {
  const money = (minor: number) => printed(minor, known.currency);
  const { number, printed: rows, taxes, total } = document;
  const faults: string[] = [];
  const expect = (what: string, is: unknown, should: unknown) => {
    const [shown, expected] = [JSON.stringify(is), JSON.stringify(should)];
    if (shown !== expected) faults.push(`${number} prints ${what} ${shown}, expected ${expected}`);
  };
  const given = entry.kind === 'order.refund' ? ofRefund(document, cents(entry.payload.amount)) : total;
  expect('the total', rows.find(({ style }) => style === 'total')?.right, money(given));
  const services = rows.filter(({ style }) => style === 'item').map(textOf);
  expect('the services', sorted(services), sorted(servicesOf(document, entry, known, given)));
  if (document.of === 'invoice') {
    const amountAt = (label: string) => rows.find(({ left }) => left === label)?.right;
    expect('the discount', amountAt('Discount'), document.discount ? money(-document.discount) : undefined);
    expect('the charge', amountAt('Service charge'), document.charge ? money(document.charge) : undefined);
  }
  const rights = rows.map(({ right }) => right);
  for (const { tax, base, amount } of taxes)
    for (const expected of /^\d/.test(tax) ? [base, amount] : [base])
      if (!rights.includes(money(expected))) faults.push(`${number} does not print ${money(expected)} of ${tax}`);
  return faults;
}

/** Under a tax profile a credit note states differences, below zero. */
const ofRefund = ({ type }: Document, minor: number): number => (type === null ? minor : 0 - minor);

/**
 * Returns the services of an invoice with their prices, and those of a credit note with what is given back for each, or with
 * all that it takes back.
 */
function servicesOf(document: Document, entry: Entry, known: Treatment, given: number): string[] {
  const { allLines, currency } = known;
  const { of, lineIds, total } = document;
  const row = (lineId: string, minor: number) =>
    `${allLines.find((line) => line.lineId === lineId)!.name} ${printed(minor, currency)}`;
  if (of !== 'invoice') {
    const refunded = ofKind([entry], 'order.refund').flatMap(({ payload: { lines = [] } }) => lines);
    if (refunded.length === 0) return [`${billedIn(known)} ${printed(given, currency)}`];
    return refunded.map(({ line_id, amount }) => row(line_id, ofRefund(document, cents(amount))));
  }
  if (lineIds.length === 0) return [`${onAccount} ${printed(total, currency)}`];
  return lineIds.map((lineId) => row(lineId, allLines.find((line) => line.lineId === lineId)!.worth));
}

const onAccount = 'On account of the treatment';

/** Returns the names of all services that the invoices of a treatment bill. */
function billedIn({ allLines, documents }: Treatment): string {
  const billed = new Set(documents.filter(({ of }) => of === 'invoice').flatMap(({ lineIds }) => lineIds));
  const names = allLines.filter(({ lineId }) => billed.has(lineId)).map(({ name }) => name);
  return [...new Set(names)].join(', ') || onAccount;
}

const methodLabels: Record<Method, string> = { cash: 'Cash', card: 'Card', insurance: 'Insurance', others: 'Others' };

/** Returns what a printed Z report does not say. */
export function comparePrintedReport(rows: readonly PrintedRow[], drawer: Drawer, report: ZReport): string[] {
  const money = (minor: number) => printed(minor, drawer.currency);
  const counted = (label: string, { count, amount }: ZReport['sales']) =>
    count > 0 ? [`${label} (${count}) ${money(amount)}`] : [];
  const { expected, difference, sales, refunds, discounts, invoices, taxes } = report;
  const shown = rows.map(textOf);
  const head = [
    `Sales (${sales.count}) ${money(sales.amount)}`,
    ...counted('Refunds', refunds),
    ...counted('Discounts', { ...discounts, amount: 0 - discounts.amount }),
    ...invoices.map(({ first, last, count }) => `Invoices (${count}) ${first === last ? first : `${first} – ${last}`}`),
    `Float ${money(drawer.float)}`,
    ...(difference ? [`Difference ${money(sumOf(methods, (method) => difference[method]))}`] : []),
  ];
  const ofMethods = methods.flatMap((method) => {
    const place = shown.indexOf(methodLabels[method]);
    if (place < 0) return expected[method] === 0 ? [] : [methodLabels[method]];
    const should = `Expected ${money(expected[method])}`;
    return shown[place + 1] === should ? [] : [`${methodLabels[method]} ${should}`];
  });
  const ofTaxes = taxes.flatMap(({ tax, base, amount }) => (/^\d/.test(tax) ? [base, amount] : [base])).map(money);
  const rights = rows.map(({ right }) => right);
  const missing = [
    ...head.filter((text) => !shown.includes(text)),
    ...ofMethods,
    ...ofTaxes.filter((text) => !rights.includes(text)),
  ];
  return missing.map((text) => `the printed Z report of ${drawer.id} does not say ${text}`);
}
