/** What the documents of a treatment have in common: their labels, and what writes their rows. */
import { startOfDay } from '../business-day.ts';
import { currencyLabel, formatMinor, minorFromWire } from '../money.ts';
import { lineRows } from './printed-lines.ts';
import type { LineLabels, PrintedLine } from './printed-lines.ts';
import { aboutRows, recipientRows, taxTotalRows } from './printed-tax.ts';
import type { TaxLabels } from './printed-tax.ts';
import type { TaxDocumentFields } from '../tax/document.ts';
import type { InvoiceSums, Order, Payment } from './order.ts';
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
export const when = (condition: boolean, row: PrintedRow): PrintedRow[] => (condition ? [row] : []);

export function text(style: 'title' | 'text' | 'small', lines: string): PrintedRow[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ style, left: clip(line, maxText) }));
}

/** Returns what writes the rows of a document. */
export function writer(context: DocumentContext, currency: string) {
  const { settings, language, labels } = context;
  const label = currencyLabel(currency);
  const { times, days } = printedDates(language, settings.time_zone);
  const minor = (amountMinor: number) => formatMinor(amountMinor, label);
  const wire = (amount: number) => minor(minorFromWire(amount));
  const dayAt = (atMs: number) => unbroken(days.format(atMs));
  const day = (on: string) => dayAt(startOfDay(on, settings.time_zone));
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
      ...practiceRows(settings, labels.tax),
      rule,
      ...inPart('title', text('title', title)),
    ],
    facts: (rows: PrintedRow[]): PrintedRow[] => inPart('facts', rows),
    footer: inPart('footer', text('text', settings.receipt_footer)),

    /** Returns what the tax profile asks to say of a document besides its number: other documents, days, whom it is for. */
    named,

    /** Returns what the document is about and whom it is for: a recipient is not named again as the customer. */
    about: (order: Order, document: TaxDocumentFields = {}): PrintedRow[] => [
      ...named(document),
      ...treatmentRows(context, { dayAt }, order, document),
    ],
    lines: (
      lines: PrintedLine[],
      { document_type: type }: TaxDocumentFields = {},
      further: { name: string; amountMinor: number }[] = [],
    ): PrintedRow[] =>
      lineRows({ columns: labels.columns, tax: labels.tax, minor }, lines, {
        further,
        isFull: type !== undefined && type !== 'F2' && type !== 'R5',
      }).map(clipped),
    sums: (invoice: InvoiceSums): PrintedRow[] => sumRows(labels, { minor, wire }, invoice),
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

/** Returns who issues the document. */
function practiceRows(settings: ClinicSettings, { taxId }: TaxLabels): PrintedRow[] {
  const issuer =
    settings.tax_profile === 'none'
      ? [settings.tax_number, settings.address]
      : [
          // The practice's own name is above it.
          ...(isSameName(settings.legal_name, settings.practice_name) ? [] : [settings.legal_name]),
          `${taxId} ${settings.tax_id}`,
          settings.address,
          // Many clinics have typed it into the address before they chose the profile.
          ...(settings.address.includes(settings.postal_code) ? [] : [`${settings.postal_code} ${settings.city}`]),
        ];
  return [
    ...inPart('practice', [
      ...text('title', settings.practice_name),
      ...text('small', [...issuer, settings.phone, settings.email].join('\n')),
    ]),
    ...inPart('footer', text('text', settings.receipt_header)),
  ];
}

/** Returns which treatment the document is about, and whose it is unless a recipient says so. */
function treatmentRows(
  { labels, cashierName }: DocumentContext,
  { dayAt }: { dayAt: (atMs: number) => string },
  order: Order,
  { recipient, operation_on }: TaxDocumentFields,
): PrintedRow[] {
  const isNamed = order.customerName === '' || isSameName(order.customerName, recipient?.name ?? '');
  return [
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
}

/** Returns how the services lead to the total. */
function sumRows(
  labels: DocumentLabels,
  { minor, wire }: { minor: (amountMinor: number) => string; wire: (amount: number) => string },
  invoice: InvoiceSums,
): PrintedRow[] {
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
}
