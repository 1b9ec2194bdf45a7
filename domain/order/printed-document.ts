/**
 * Printed documents as rows of text. The rows are stored with the document, so reprints, other tablets and the server show the
 * same text, even after a later version of the app changed the layout.
 */
import { startOfDay } from '../business-day.ts';
import { codeRows } from '../fiscal/printed-code.ts';
import { currencyLabel, formatMinor, minorFromWire } from '../money.ts';
import { discountsByLine } from './line-prices.ts';
import { lineTotal } from './order.ts';
import { lineRows } from './printed-lines.ts';
import type { LineLabels, PrintedLine } from './printed-lines.ts';
import { totals } from './totals.ts';
import { aboutRows, recipientRows, taxTotalRows } from './printed-tax.ts';
import type { TaxLabels } from './printed-tax.ts';
import type { TaxDocument, TaxDocumentFields } from '../tax/document.ts';
import type { InvoicePayload, InvoiceSums, Order, OrderLine, Payment } from './order.ts';
import type { GivenLine } from './refund-terms.ts';
import type { PaymentMethod } from './vocabulary.ts';
import { printedDates, unbroken } from '../printed-dates.ts';
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';
import type { ClinicSettings } from '../settings/settings.ts';

/** The labels in the user's language. */
export interface DocumentLabels {
  invoice: string;
  receipt: string;
  creditNote: string;
  number: string;
  creditNoteNumber: string;
  /** The label of the invoice that a credit note refers to. */
  forInvoice: string;
  treatment: string;
  issued: string;
  treatmentDate: string;
  customer: string;
  room: string;
  cashier: string;
  subtotal: string;
  discount: string;
  serviceCharge: string;
  /** What refunds have taken off. */
  reduction: string;
  total: string;
  paid: string;
  balance: string;
  tendered: string;
  change: string;
  reference: string;
  refunded: string;
  reason: string;
  methods: Record<PaymentMethod, string>;
  columns: LineLabels;
  tax: TaxLabels;
}

export interface DocumentContext {
  settings: ClinicSettings;
  language: 'en' | 'sp';
  labels: DocumentLabels;
  cashierName: string;
}

export interface InvoiceContent {
  order: Order;
  invoice: Omit<InvoicePayload, 'printed'>;
  /** The billed lines. */
  lines: readonly OrderLine[];
  /** The payments since the last invoice, ending with the clearing one. */
  payments: readonly Payment[];
}

export function invoiceRows(
  context: DocumentContext,
  { order, invoice, lines, payments }: InvoiceContent,
): PrintedRow[] {
  const { settings, labels } = context;
  const write = writer(context, invoice.currency);
  const last = payments.at(-1);
  const { subtotal, discount_amount: discount } = invoice;
  const discounts = discountsByLine(order, lines, minorFromWire(discount));
  return [
    ...codeRows(settings, {
      number: invoice.invoice_number,
      issuedAtMs: Date.parse(invoice.issued_at),
      tax: invoice,
    }),
    ...write.head(invoice.document_type ? labels.tax.titles[invoice.document_type] : labels.invoice),
    ...write.facts([
      pair(labels.number, invoice.invoice_number),
      pair(labels.issued, write.moment(Date.parse(invoice.issued_at))),
    ]),
    ...write.about(order, invoice),
    rule,
    ...write.lines(
      lines.map((line, at) => ({ line, amountMinor: lineTotal(line), discountMinor: discounts[at]! })),
      invoice,
      lines.length === 0 ? [{ name: labels.tax.onAccount, amountMinor: minorFromWire(subtotal) }] : [],
    ),
    rule,
    ...write.sums(invoice),
    ...write.taxTotals(invoice),
    ...inPart('payments', [...payments.flatMap(write.payment), ...(last ? write.handedOver(last) : [])]),
    ...inPart('notes', [...text('text', invoice.notes ?? ''), ...write.taxNote]),
    ...write.footer,
  ];
}

/** Returns the rows of the unnumbered receipt for a payment that leaves a balance or has no new lines to bill. */
export function receiptRows(
  context: DocumentContext,
  { order, payment }: { order: Order; payment: Payment },
): PrintedRow[] {
  const { labels } = context;
  const write = writer(context, order.currency);
  const { totalMinor, reductionMinor, paidMinor, balanceMinor } = totals(order);
  return [
    ...write.head(labels.receipt),
    ...write.facts([pair(labels.issued, write.moment(payment.atMs))]),
    ...write.about(order),
    rule,
    ...inPart('payments', [...write.payment(payment), ...write.handedOver(payment)]),
    rule,
    ...inPart('sums', [
      pair(labels.total, write.minor(totalMinor)),
      ...when(reductionMinor !== 0, pair(labels.reduction, write.minor(-reductionMinor))),
      pair(labels.paid, write.minor(paidMinor)),
      total(labels.balance, write.minor(balanceMinor)),
    ]),
    ...write.footer,
  ];
}

export interface CreditNoteContent {
  number: string;
  issuedAtMs: number;
  /** The treatment before the refund. */
  order: Order;
  amountMinor: number;
  /** Null on the credit note of a cancel, which gives nothing back. */
  method: PaymentMethod | null;
  reason: string;
  /** The refunded services, and what is given back for each; empty for a refund of the treatment as a whole. */
  lines: GivenLine[];
  /** Null without a tax profile. */
  tax?: TaxDocument | null | undefined;
}

/** Returns the rows of a refund's credit note. The credit note names the invoices that billed the refunded lines. */
export function creditNoteRows(
  context: DocumentContext,
  { number, issuedAtMs, order, amountMinor, method, reason, lines, tax = null }: CreditNoteContent,
): PrintedRow[] {
  const { settings, labels } = context;
  const write = writer(context, order.currency);
  // A tax profile makes it a document of differences, all of which have the same sign.
  const given = (minor: number) => (tax ? 0 - minor : minor);
  const about = new Set(lines.map(({ line }) => line.lineId));
  const invoices = order.invoices.filter(({ line_ids }) => about.size === 0 || line_ids.some((id) => about.has(id)));
  return [
    ...(tax ? codeRows(settings, { number, issuedAtMs, tax }) : []),
    ...write.head(tax ? labels.tax.titles[tax.document_type] : labels.creditNote),
    ...write.facts([
      pair(labels.creditNoteNumber, number),
      pair(labels.issued, write.moment(issuedAtMs)),
      ...(tax ? [] : invoices.map(({ invoice_number }) => pair(labels.forInvoice, invoice_number))),
    ]),
    ...write.about(order, tax ?? {}),
    rule,
    ...write.lines(
      lines.map(({ line, amountMinor: givenMinor }) => ({ line, amountMinor: given(givenMinor), discountMinor: 0 })),
      tax ?? {},
    ),
    ...(reason === '' ? [] : inPart('notes', text('text', `${labels.reason}: ${reason}`))),
    ...when(lines.length > 0 || reason !== '', rule),
    ...inPart('sums', [
      method ? total(labels.refunded, write.minor(given(amountMinor))) : total(labels.total, write.minor(-amountMinor)),
    ]),
    ...(tax ? write.taxTotals(tax) : []),
    ...(method ? inPart('payments', [pair(labels.methods[method], write.minor(given(amountMinor)))]) : []),
    ...inPart('notes', write.taxNote),
    ...write.footer,
  ];
}

export const rule: PrintedRow = { style: 'rule' };

/** The wire's limit for a text of a row: the longest name and the longest address of a recipient fit, which the law wants whole. */
const maxText = 500;

// A lone surrogate must not remain at the cut: the server refuses such text.
const clip = (value: string, max: number): string =>
  value.length > max ? `${value.slice(0, max - 1).replace(/\p{Cs}$/u, '')}…` : value;
export const pair = (left: string, right: string): PrintedRow => ({
  style: 'pair',
  left: clip(left, maxText),
  right: clip(right, maxText),
});
export const total = (left: string, right: string): PrintedRow => ({ style: 'total', left, right });
const clipped = (row: PrintedRow): PrintedRow => ({
  ...row,
  ...(row.left !== undefined && { left: clip(row.left, maxText) }),
  ...(row.cells && { cells: row.cells.map((cell) => clip(cell, maxText)) }),
});
const isSameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
const when = (condition: boolean, row: PrintedRow): PrintedRow[] => (condition ? [row] : []);

export function text(style: 'title' | 'text' | 'small', lines: string): PrintedRow[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ style, left: clip(line, maxText) }));
}

/** Returns what writes the rows of a document. */
export function writer({ settings, language, labels, cashierName }: DocumentContext, currency: string) {
  const label = currencyLabel(currency);
  const { times, days } = printedDates(language, settings.time_zone);
  const minor = (amountMinor: number) => formatMinor(amountMinor, label);
  const wire = (amount: number) => minor(minorFromWire(amount));
  const dayAt = (atMs: number) => unbroken(days.format(atMs));
  const day = (on: string) => dayAt(startOfDay(on, settings.time_zone));
  const issuer =
    settings.tax_profile === 'none'
      ? [settings.tax_number, settings.address]
      : [
          // The practice's own name is above it.
          ...(isSameName(settings.legal_name, settings.practice_name) ? [] : [settings.legal_name]),
          `${labels.tax.taxId} ${settings.tax_id}`,
          settings.address,
          // Many clinics have typed it into the address before they chose the profile.
          ...(settings.address.includes(settings.postal_code) ? [] : [`${settings.postal_code} ${settings.city}`]),
        ];
  const named = (document: TaxDocumentFields): PrintedRow[] => [
    ...aboutRows(labels.tax, { day, pair }, document),
    ...recipientRows(labels.tax, { pair }, document),
  ];
  return {
    minor,
    wire,
    day,
    moment: (atMs: number) => times.format(atMs),

    /** A clinic with a tax profile states the tax itself. */
    taxNote: settings.tax_profile === 'none' ? text('small', settings.tax_note) : [],

    head: (title: string): PrintedRow[] => [
      ...inPart('practice', [
        ...text('title', settings.practice_name),
        ...text('small', [...issuer, settings.phone, settings.email].join('\n')),
      ]),
      ...inPart('footer', text('text', settings.receipt_header)),
      rule,
      ...inPart('title', text('title', title)),
    ],
    facts: (rows: PrintedRow[]): PrintedRow[] => inPart('facts', rows),
    footer: inPart('footer', text('text', settings.receipt_footer)),

    /** Returns what the tax profile asks to say of a document besides its number: other documents, days, whom it is for. */
    named,

    /** Returns what the document is about and whom it is for: a recipient is not named again as the customer. */
    about: (order: Order, document: TaxDocumentFields = {}): PrintedRow[] => {
      const { recipient, operation_on } = document;
      const isNamed = order.customerName === '' || isSameName(order.customerName, recipient?.name ?? '');
      return [
        ...named(document),
        ...inPart('facts', [
          pair(labels.treatment, order.number),
          ...when(!operation_on, pair(labels.treatmentDate, dayAt(order.createdAtMs))),
        ]),
        ...inPart(recipient ? 'facts' : 'recipient', when(!isNamed, pair(labels.customer, order.customerName))),
        ...inPart('facts', [
          ...when(order.roomNumber !== '', pair(labels.room, order.roomNumber)),
          ...when(cashierName !== '', pair(labels.cashier, cashierName)),
        ]),
      ];
    },
    lines: (
      lines: PrintedLine[],
      { document_type: type }: TaxDocumentFields = {},
      further: { name: string; amountMinor: number }[] = [],
    ): PrintedRow[] =>
      lineRows({ columns: labels.columns, tax: labels.tax, minor }, lines, {
        further,
        isFull: type !== undefined && type !== 'F2' && type !== 'R5',
      }).map(clipped),
    sums: (invoice: InvoiceSums): PrintedRow[] => {
      const { subtotal, discount_amount: discount, service_charge_amount: charge, total_amount: totalAmount } = invoice;
      const { reduction_amount: reduction = 0 } = invoice;
      const chargedMinor = minorFromWire(subtotal) - minorFromWire(discount) + minorFromWire(charge);
      const earlierMinor = chargedMinor - minorFromWire(reduction) - minorFromWire(totalAmount);
      return inPart('sums', [
        pair(labels.subtotal, wire(subtotal)),
        ...when(discount !== 0, pair(labels.discount, wire(-discount))),
        ...when(charge !== 0, pair(labels.serviceCharge, wire(charge))),
        ...when(reduction !== 0, pair(labels.reduction, wire(-reduction))),
        ...when(earlierMinor > 0, pair(labels.tax.alreadyInvoiced, minor(-earlierMinor))),
        ...when(earlierMinor < 0, pair(labels.tax.invoicedAgain, minor(-earlierMinor))),
        total(labels.total, wire(totalAmount)),
      ]);
    },
    taxTotals: ({ tax_totals = [] }: TaxDocumentFields): PrintedRow[] =>
      taxTotalRows(labels.tax, { minor, pair }, tax_totals),
    payment: ({ method, amountMinor, reference }: Payment): PrintedRow[] => [
      pair(labels.methods[method], minor(amountMinor)),
      ...when(reference !== '', { style: 'small', left: `${labels.reference}: ${reference}` }),
    ],
    handedOver: ({ tenderedMinor, changeMinor }: Payment): PrintedRow[] =>
      changeMinor > 0 ? [pair(labels.tendered, minor(tenderedMinor)), pair(labels.change, minor(changeMinor))] : [],
  };
}
