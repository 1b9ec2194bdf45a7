/** Composes collective invoices (`collective.ts`), and says how a payer's money settles their treatments. */
import { businessDay } from '../business-day.ts';
import { isoOf } from '../instant.ts';
import { maxMinor } from '../limits.ts';
import { minorFromWire, minorToWire } from '../money.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { Recipient } from '../tax/document.ts';
import { addedTotals, byCategory, shareOut } from '../tax/tax.ts';
import { taxTotalFromWire, taxTotalToWire } from '../tax/wire.ts';
import { decideInvoice, nextInvoiceMinor } from './billing.ts';
import type { CollectiveInvoice, CollectivePart } from './collective.ts';
import { issuesNothing } from './compose-documents.ts';
import type { IssueContext } from './compose-documents.ts';
import type { Series } from './numbers.ts';
import { issueInvoice } from './issue-documents.ts';
import type { OrderInvoicePayload } from './operations.ts';
import type { InvoicePayload, InvoiceSums, Order, OrderLine } from './order.ts';
import { collectivePartRows, collectiveRows } from './printed-collective.ts';
import { isRetentionPercentage, retentionOf } from './retention.ts';
import { statusOf, totals } from './totals.ts';

/** A collective invoice with the invoices of its treatments. */
export interface IssuedCollective {
  document: CollectiveInvoice;
  parts: OrderInvoicePayload[];
}

export interface RequestedCollective {
  recipient: Recipient;
  /** What the payer withholds (IRPF), as a percentage of the base. */
  retentionPercentage?: number | undefined;
}

/** An invoice that needs the next number of its series. */
export interface ComposedCollective {
  series: Series;
  payload: (number: string) => IssuedCollective;
}

/** Composes the invoice of treatments to a payer, or says which of them cannot be on it. */
export function composeCollective(
  context: IssueContext,
  orders: readonly Order[],
  request: RequestedCollective,
): Result<ComposedCollective> {
  const { settings } = context;
  const { retentionPercentage: percentage } = request;
  if (settings.tax_profile === 'none') return refuse('TAX_PROFILE_REQUIRED');
  if (issuesNothing(context)) return refuse('VERIFACTU_REQUIRED');
  if (percentage !== undefined && !isRetentionPercentage(percentage)) return refuse('RETENTION_INVALID');
  const months = new Set(orders.map((order) => dayOf(order, settings).slice(0, 7)));
  if (months.size > 1 || orders.some(({ currency }) => currency !== settings.currency))
    return refuse('COLLECTIVE_MIXED');
  const billed: { order: Order; lines: OrderLine[] }[] = [];
  for (const order of [...orders].sort((a, b) => a.createdAtMs - b.createdAtMs || (a.number < b.number ? -1 : 1))) {
    const decision = decideInvoice(settings, order);
    if (!decision.ok) return refuse(decision.refusal.code, { number: order.number });
    // Money beyond the price belongs to the person who paid it.
    if (decision.value.advanceMinor !== undefined) return refuse('NOTHING_TO_INVOICE', { number: order.number });
    billed.push({ order, lines: decision.value.lines });
  }
  // A record and a payment state no more.
  if (orders.reduce((sum, order) => sum + nextInvoiceMinor(order), 0) > maxMinor) return refuse('AMOUNT_TOO_LARGE');
  return accept({ series: 'full_invoice', payload: (number) => issued(context, { number, billed, request }) });
}

const dayOf = ({ createdAtMs }: Order, { time_zone }: ClinicSettings): string => businessDay(createdAtMs, time_zone);

function issued(
  context: IssueContext,
  {
    number,
    billed,
    request: { recipient, retentionPercentage },
  }: {
    number: string;
    billed: readonly { order: Order; lines: readonly OrderLine[] }[];
    request: RequestedCollective;
  },
): IssuedCollective {
  const { settings, atMs, newId, language } = context;
  const parts = billed.map(({ order, lines }): CollectivePart => {
    const issue = { invoiceId: newId(), number, issuedAtMs: atMs, order, lines, payment: null, recipient };
    return { order, lines, day: dayOf(order, settings), invoice: issueInvoice(context, issue) };
  });
  const invoices = parts.map(({ invoice }) => invoice);
  const added = addedTotals(invoices.flatMap(({ tax_totals = [] }) => tax_totals.map(taxTotalFromWire)));
  const tax_totals = added.toSorted((a, b) => byCategory(a.category, b.category)).map(taxTotalToWire);
  const lastDay = parts.at(-1)!.day;
  const document: Omit<CollectiveInvoice, 'printed'> = {
    invoice_id: newId(),
    invoice_number: number,
    issued_at: isoOf(atMs),
    currency: settings.currency,
    total_amount: addedUp(invoices, 'total_amount'),
    language,
    document_type: 'F1',
    tax_totals,
    issuer: invoices[0]!.issuer!,
    recipient,
    // Several services have several days; the record takes one, the last.
    ...(lastDay < businessDay(atMs, settings.time_zone) && { operation_on: lastDay }),
    ...(retentionPercentage !== undefined && { retention: retentionOf(tax_totals, retentionPercentage) }),
    treatments: parts.map(({ order, day, invoice }) => ({
      order_id: order.id,
      number: order.number,
      day,
      total_amount: invoice.total_amount,
    })),
  };
  return {
    document: { ...document, printed: collectiveRows(context, { document, parts, sums: sumsOf(invoices) }) },
    parts: parts.map((part) => ({
      order_id: part.order.id,
      invoice: {
        ...part.invoice,
        part_of: document.invoice_id,
        printed: collectivePartRows(context, part),
      },
    })),
  };
}

const addedUp = (invoices: readonly InvoicePayload[], field: keyof InvoiceSums): number =>
  minorToWire(invoices.reduce((sum, invoice) => sum + minorFromWire(invoice[field] ?? 0), 0));

const sumsOf = (invoices: readonly InvoicePayload[]): InvoiceSums => ({
  subtotal: addedUp(invoices, 'subtotal'),
  discount_amount: addedUp(invoices, 'discount_amount'),
  service_charge_amount: addedUp(invoices, 'service_charge_amount'),
  reduction_amount: addedUp(invoices, 'reduction_amount'),
  total_amount: addedUp(invoices, 'total_amount'),
});

/** What a treatment gets. Both together are what it owes of the invoice. */
export interface Settlement {
  order: Order;
  /** What the payer pays to the clinic. */
  paidMinor: number;
  /** What the payer pays to the tax agency, in the name of the clinic. */
  withheldMinor: number;
}

/** Returns what is due of each treatment; those that owe nothing are left out. What is withheld is spread in proportion to their parts. */
export function settlementsOf(
  { treatments, retention }: Pick<CollectiveInvoice, 'treatments' | 'retention'>,
  orders: ReadonlyMap<string, Order>,
): Settlement[] {
  const parts = treatments.map(({ total_amount }) => minorFromWire(total_amount));
  const withheld = shareOut(minorFromWire(retention?.amount ?? 0), parts);
  return treatments.flatMap(({ order_id }, at) => {
    const order = orders.get(order_id);
    const owes = order && statusOf(order) !== 'cancelled';
    const dueMinor = owes ? Math.min(totals(order).balanceMinor, parts[at]!) : 0;
    if (!order || dueMinor <= 0) return [];
    const withheldMinor = Math.min(withheld[at]!, dueMinor);
    return { order, paidMinor: dueMinor - withheldMinor, withheldMinor };
  });
}
