/**
 * The desk: calls of the API by somebody who knows all. The server completes these requests, so each operation that it makes of
 * one, and each document, must be what the ledger expects.
 */
import { cents, euros, proportion, sumOf } from '../integers.ts';
import {
  asksForRecipient,
  cancelNote,
  creditNote,
  exchangeOf,
  invoiceOfPayment,
  invoiceOfRest,
  proposedLines,
  refundTerms,
} from '../expected-documents.ts';
import type { Expected, RefundTerms } from '../expected-documents.ts';
import { documentsIn } from '../documents.ts';
import type { Document } from '../documents.ts';
import { treatmentOf } from '../treatment.ts';
import type { Treatment } from '../treatment.ts';
import type { Entry, WireLine } from '../wire.ts';
import { recipient } from './clinic.ts';
import type { LedgerClinic } from './clinic.ts';
import { comparePrinted } from './compare-printed.ts';
import { sorted } from './differences.ts';
import { wireLine } from './worker.ts';
import type { GivenBack, Ordered, Payment, Plan, Worker } from './worker.ts';

export class Desk implements Worker {
  /** What was not as the ledger expects. */
  readonly faults: string[] = [];

  constructor(private readonly clinic: LedgerClinic) {}

  newest(count: number): string[] {
    return this.clinic.newest(count);
  }

  treatment(id: string): Treatment {
    return treatmentOf(this.clinic.entriesOf(id));
  }

  private expect(what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.faults.push(`${what} is ${is}, expected ${should}`);
  }

  private expectDocument(known: Treatment, entry: Entry, expected: Expected | null): void {
    const [document] = documentsIn([entry]);
    const what = `the document of ${entry.kind} ${document?.number ?? entry.opId} of ${known.number}`;
    this.expect(what, document ? amounts(document) : null, expected && amounts(expected));
    if (document) this.faults.push(...comparePrinted(document, entry, known));
  }

  /** Each line has the price and the tax of its service. */
  private expectLines(entry: Entry, items: readonly WireLine[], ordered: readonly Ordered[]): void {
    const { isTaxed } = this.clinic;
    const expected = ordered.map(({ service: { id, name, price, tax }, quantity }) => [
      id,
      name,
      price,
      quantity,
      isTaxed ? tax : null,
    ]);
    const actual = items.map(({ product_id, name, unit_price, quantity, tax }) => [
      product_id,
      name,
      unit_price,
      quantity,
      tax ?? null,
    ]);
    this.expect(`the lines of ${entry.kind} ${entry.opId}`, actual, expected);
  }

  private requested = (ordered: readonly Ordered[]) =>
    ordered.map(({ service: { id }, quantity }) => ({ product_id: id, quantity }));

  /** Lines as another system states them in full, with their tax or without. */
  private agreed = (ordered: readonly Ordered[], withTax: boolean) =>
    ordered.map(({ service, quantity }) =>
      wireLine(service, quantity, this.clinic.newId(), withTax && this.clinic.isTaxed),
    );

  private count = 0;

  async create(ordered: readonly Ordered[], { discount, charge, type, customer }: Plan): Promise<void> {
    const worth = sumOf(ordered, ({ service, quantity }) =>
      proportion(Math.round(quantity * 1000), cents(service.price), 1000),
    );
    this.count += 1;
    const isAgreed = this.count % 3 === 0;
    const number = `T-X1-${String(this.count).padStart(6, '0')}`;
    const entry = await this.clinic.write('POST', '/orders', {
      items: isAgreed ? this.agreed(ordered, this.count % 2 === 0) : this.requested(ordered),
      ...(isAgreed && { number, currency: this.clinic.currency, total: euros(worth - discount + charge) }),
      order_type: type,
      discount: euros(discount),
      discount_reason: 'agreed',
      service_charge: euros(charge),
      ...(customer !== '' && { customer_name: customer }),
    });
    if (entry.kind !== 'order.create') return;
    this.expectLines(entry, entry.payload.items, ordered);
    this.expect(`the total of ${entry.payload.number}`, cents(entry.payload.total), worth - discount + charge);
  }

  async addServices({ id }: Treatment, ordered: readonly Ordered[]): Promise<void> {
    const entry = await this.clinic.write('PATCH', `/orders/${id}`, { items: this.requested(ordered) });
    if (entry.kind === 'order.add_services') this.expectLines(entry, entry.payload.items, ordered);
  }

  async change({ id }: Treatment, lineId: string, quantity: number | null): Promise<void> {
    const body =
      quantity === null ? { removed_line_ids: [lineId] } : { replaced_items: [{ replaces: lineId, quantity }] };
    await this.clinic.write('POST', `/orders/${id}/changes`, body);
  }

  async pay(known: Treatment, { tendered, method, isFull }: Payment): Promise<void> {
    const entry = await this.clinic.write('POST', `/payments/orders/${known.id}/pay`, {
      payment_method: method,
      amount: euros(tendered),
      ...(isFull && this.clinic.isTaxed && { recipient }),
    });
    if (entry.kind !== 'order.pay') return;
    const amount = Math.min(tendered, known.balance);
    const { payload } = entry;
    this.expect(`the payment of ${known.number}`, [payload.amount, payload.tendered, payload.change].map(cents), [
      amount,
      tendered,
      tendered - amount,
    ]);
    this.expectDocument(known, entry, invoiceOfPayment(known, { amount, isFull }, this.clinic));
  }

  async bill(known: Treatment, isFull: boolean): Promise<void> {
    const expected = invoiceOfRest(known, this.clinic);
    if (!expected || known.status === 'cancelled') return;
    if (!isFull && asksForRecipient(known, this.clinic)) return;
    const entry = await this.clinic.write('POST', `/orders/${known.id}/invoices`, isFull ? { recipient } : {});
    this.expectDocument(known, entry, expected);
  }

  async exchange(known: Treatment, number: string): Promise<void> {
    const expected = exchangeOf(known, number);
    if (!expected) return;
    const entry = await this.clinic.write('POST', `/orders/${known.id}/invoices`, { replaces: number, recipient });
    this.expectDocument(known, entry, expected);
  }

  /** Refunds the chosen lines and leaves it to the server what each of them gets, or without lines the treatment as a whole. */
  async refund(known: Treatment, { amount, lineIds, isStillOwed, method }: GivenBack): Promise<void> {
    const lines = lineIds.length > 0 ? proposedLines(known, lineIds, amount) : [];
    const entry = await this.clinic.write('POST', `/orders/${known.id}/refunds`, {
      amount: euros(amount),
      reason: 'agreed',
      payment_method: method,
      ...(lineIds.length > 0 && { lines: lineIds.map((line_id) => ({ line_id })) }),
      ...(isStillOwed && { still_owed: true }),
    });
    if (entry.kind !== 'order.refund') return;
    const { payload } = entry;
    const refund = { amount, lines, isStillOwed };
    const expected = refundTerms(known, refund);
    this.expect(`the refunded lines of ${known.number}`, partTexts(payload.lines), partTexts(expected.lines));
    this.expect(`the allowances of ${known.number}`, partTexts(payload.allowances), partTexts(expected.allowances));
    this.expect(`the reduction of a refund of ${known.number}`, payload.reduction, expected.reduction);
    this.expectDocument(known, entry, creditNote(known, entry, refund, this.clinic));
  }

  async cancel(known: Treatment): Promise<void> {
    const entry = await this.clinic.write('PUT', `/orders/${known.id}/status`, { status: 'cancelled' });
    this.expectDocument(known, entry, cancelNote(known, this.clinic));
  }
}

const partTexts = (parts: RefundTerms['lines'] = []) =>
  sorted(parts.map(({ line_id, amount }) => `${line_id} ${amount}`));

/** Returns the amounts of a document, in the order of their taxes, without what comes to nothing. */
const amounts = ({ total, discount, charge, taxes }: Pick<Document, 'total' | 'discount' | 'charge' | 'taxes'>) => ({
  total,
  discount,
  charge,
  taxes: taxes
    .filter(({ gross }) => gross !== 0)
    .map(({ tax, gross, base, amount }) => `${tax}: ${gross} = ${base} + ${amount}`)
    .sort(),
});
