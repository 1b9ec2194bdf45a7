/** Writes down the operations of one treatment as one device that knows all of them would. Amounts are euros. */
import { cents, euros } from './integers.ts';
import {
  cancelNote,
  creditNote,
  exchangeOf,
  invoiceOfPayment,
  invoiceOfRest,
  proposedLines,
  refundTerms,
} from './expected-documents.ts';
import type { Expected } from './expected-documents.ts';
import { treatmentOf } from './treatment.ts';
import type { Treatment } from './treatment.ts';
import type { Entry, Kind, PayloadOf, Tax, TaxTotal, WireDocument, WireInvoice, WireLine } from './wire.ts';

/** Returns amounts by tax as they are on the wire. */
export const onWire = ({ taxes }: Pick<Expected, 'taxes'>): TaxTotal[] =>
  taxes.map(({ tax, base, amount, gross }) => ({
    ...taxOnWire(tax),
    base: euros(base),
    tax: euros(amount),
    gross: euros(gross),
  }));

const taxOnWire = (tax: string): Tax => (/^\d/.test(tax) ? { rate: Number(tax) / 100 } : { exempt: tax });

/** Writes an amount as documents print it. */
export function printed(minor: number, currency = 'EUR'): string {
  const [whole, part] = (Math.abs(minor) / 100).toFixed(2).split('.') as [string, string];
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, '.') : whole;
  return `${labelOf(currency)} ${minor < 0 ? '-' : ''}${grouped},${part}`;
}

/** Returns what stands before an amount. */
export const labelOf = (currency: string): string => (currency === 'LKR' ? 'Rs' : currency);

interface Issue {
  at: string;
  type: string;
}

/** Returns a document with the amounts that it must have. */
export function documentFrom(expected: Expected, { at, type }: Issue): WireDocument {
  const { total, taxes } = expected;
  return {
    issued_at: at,
    total_amount: euros(total),
    printed: [{ style: 'total', left: 'Total', right: printed(total) }],
    ...(taxes.length > 0 && { document_type: type, tax_totals: onWire(expected) }),
  };
}

export interface InvoiceIssue extends Issue {
  id: string;
  number: string;
  known: Treatment;
}

/** Returns an invoice with the amounts that it must have. */
export function invoiceFrom(expected: Expected, { id, number, known, ...issue }: InvoiceIssue): WireInvoice {
  const subtotal = known.lines.reduce(
    (all, { lineId, worth }) => all + (expected.lineIds.includes(lineId) ? worth : 0),
    0,
  );
  return {
    ...documentFrom(expected, issue),
    invoice_id: id,
    invoice_number: number,
    subtotal: euros(expected.lineIds.length > 0 ? subtotal : expected.total),
    discount_amount: euros(expected.discount),
    service_charge_amount: euros(expected.charge),
    line_ids: expected.lineIds,
  };
}

/** A line of one piece under its name. */
export const piece = (name: string, price: number, tax?: Tax, quantity = 1): WireLine => ({
  line_id: name,
  stock_id: 1,
  name,
  quantity,
  unit_price: price,
  ...(tax && { tax }),
});

export class Visit {
  entries: Entry[] = [];

  constructor(private readonly isTaxed = false) {}

  get known(): Treatment {
    return treatmentOf(this.entries);
  }

  /** Adds an operation as it is. */
  tell<K extends Kind>(kind: K, payload: Omit<PayloadOf<K>, 'order_id'>, atMs = this.entries.length * 60_000): this {
    const opId = `op-${String(this.entries.length).padStart(3, '0')}`;
    const entry = {
      opId,
      kind,
      payload: { order_id: 'T', ...payload },
      deviceId: 1,
      deviceSeq: this.entries.length + 1,
      actorId: 1,
      atMs,
    };
    this.entries.push(entry as unknown as Entry);
    return this;
  }

  create(items: WireLine[], { discount = 0, charge = 0 } = {}): this {
    return this.tell('order.create', {
      number: 'T-A1-000001',
      order_type: 'walk_in',
      items,
      currency: 'EUR',
      discount,
      service_charge: charge,
      total: 0,
    });
  }

  add(...items: WireLine[]): this {
    return this.tell('order.add_services', { items });
  }

  /** Pays, and issues the invoice that belongs to it. @param known of a tablet that has not heard of everything */
  pay(amount: number, known = this.known): this {
    const expected = invoiceOfPayment(known, { amount: cents(amount), isFull: false }, { isTaxed: this.isTaxed });
    return this.tell('order.pay', {
      payment_id: `p${this.entries.length}`,
      payment_method: 'card',
      amount,
      tendered: amount,
      change: 0,
      ...(expected && { invoice: this.invoiceFrom(expected, known) }),
    });
  }

  /** Bills all that is not invoiced. */
  invoice(): this {
    const expected = invoiceOfRest(this.known, { isTaxed: this.isTaxed })!;
    return this.tell('order.invoice', { invoice: this.invoiceFrom(expected, this.known) });
  }

  exchange(number: string): this {
    const { known } = this;
    const invoice = { ...this.invoiceFrom(exchangeOf(known, number)!, known, 'F3'), replaces: { number } };
    return this.tell('order.invoice', { invoice });
  }

  private invoiceFrom(expected: Expected, known: Treatment, type = 'F2'): WireInvoice {
    const count = this.entries.length;
    const at = new Date(count * 60_000).toISOString();
    return invoiceFrom(expected, { id: `i${count}`, number: `INV-${count}`, known, at, type });
  }

  /** Refunds chosen lines; without an amount all that they earn. */
  refundLines(lineIds: string[], amount?: number, known = this.known): this {
    const lines = proposedLines(known, lineIds, amount === undefined ? undefined : cents(amount));
    return this.refunded(known, { amount: amount === undefined ? sumOfLines(lines) : cents(amount), lines });
  }

  refund(amount: number, { isStillOwed = false } = {}): this {
    return this.refunded(this.known, { amount: cents(amount), isStillOwed });
  }

  private refunded(
    known: Treatment,
    refund: { amount: number; lines?: { lineId: string; amount: number }[]; isStillOwed?: boolean },
  ): this {
    const payload: Omit<PayloadOf<'order.refund'>, 'order_id'> = {
      refund_id: `r${this.entries.length}`,
      payment_method: 'card',
      amount: euros(refund.amount),
      credit_note_number: `R-${this.entries.length}`,
      ...refundTerms(known, refund),
    };
    this.tell('order.refund', payload);
    const note = creditNote(known, this.entries.at(-1)!, refund, { isTaxed: this.isTaxed });
    const at = new Date(this.entries.length * 60_000).toISOString();
    this.entries.pop();
    return this.tell('order.refund', { ...payload, credit_note: documentFrom(note, { at, type: 'R5' }) });
  }

  cancel(known = this.known): this {
    const note = cancelNote(known, { isTaxed: this.isTaxed });
    const at = new Date(this.entries.length * 60_000).toISOString();
    return this.tell('order.cancel', {
      ...(note && {
        credit_note_number: `R-${this.entries.length}`,
        credit_note: documentFrom(note, { at, type: 'R5' }),
      }),
    });
  }
}

const sumOfLines = (lines: readonly { amount: number }[]): number => lines.reduce((all, { amount }) => all + amount, 0);
