/** The tax part of the documents of a clinic with a tax profile (RD 1619/2012): type, amounts by tax, issuer, recipient. */
import { businessDay } from '../business-day.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { TaxTotal } from '../tax/tax.ts';
import { taxTotalToWire } from '../tax/wire.ts';
import type { Invoice, Order } from './order.ts';
import type { Series } from './numbers.ts';
import type { Issuer, NamedDocument, Recipient, TaxDocument } from '../tax/document.ts';
import { creditOf, leftOfInvoices } from './credited.ts';
import { afterAdvance, documentTotals, grossOf, invoicedGross, isInvoiced, owedGross } from './tax-totals.ts';
import type { PendingRefund } from './tax-totals.ts';

const issuerOf = ({ legal_name, tax_id, address, postal_code, city }: ClinicSettings): Issuer => ({
  legal_name,
  tax_id,
  address,
  postal_code,
  city,
});

const namedDocument = (
  { invoice_number, issued_at }: Invoice,
  { time_zone }: Pick<ClinicSettings, 'time_zone'>,
): NamedDocument => ({ number: invoice_number, issued_on: businessDay(Date.parse(issued_at), time_zone) });

export interface TaxedInvoice {
  order: Order;
  issuedAtMs: number;
  /** The money taken before the services are billed; absent when the invoice bills what is left. */
  advanceMinor?: number | undefined;
  /** True of an advance that was taken before its invoice. */
  isLate?: boolean | undefined;
  /** Makes it a full invoice. */
  recipient?: Recipient | undefined;
}

/** Returns the tax part of an invoice; null without a tax profile. */
export function invoiceTax(
  settings: ClinicSettings,
  { order, issuedAtMs, advanceMinor, isLate = false, recipient }: TaxedInvoice,
): TaxDocument | null {
  if (settings.tax_profile === 'none') return null;
  const after = advanceMinor === undefined ? owedGross(order) : afterAdvance(order, advanceMinor);
  const issuedOn = businessDay(issuedAtMs, settings.time_zone);
  const takenMs = isLate ? lastPaidMs(order, issuedAtMs) : issuedAtMs;
  const operationOn = businessDay(advanceMinor === undefined ? order.createdAtMs : takenMs, settings.time_zone);
  return {
    document_type: recipient ? 'F1' : 'F2',
    tax_totals: documentTotals(invoicedGross(order), after).map(taxTotalToWire),
    issuer: issuerOf(settings),
    ...(recipient && { recipient }),
    ...(operationOn < issuedOn && { operation_on: operationOn }),
  };
}

/** Returns when the money of an advance that is invoiced late was taken. */
const lastPaidMs = ({ payments }: Order, issuedAtMs: number): number =>
  payments.findLast(({ amountMinor, atMs }) => amountMinor > 0 && atMs <= issuedAtMs)?.atMs ?? issuedAtMs;

const isFull = ({ document_type: type }: Pick<Invoice, 'document_type'>): boolean => type === 'F1' || type === 'F3';

/** Returns the series of a refund's credit note: of its own where it corrects a full invoice. */
export const creditNoteSeries = (order: Order, refund: PendingRefund): Series =>
  noteSeries(creditOf(order, refund).invoices);

const noteSeries = (corrected: readonly Invoice[]): Series =>
  corrected.some(isFull) ? 'full_credit_note' : 'credit_note';

/** Returns the tax part of a credit note; null without a tax profile, and where there is no valid invoice to correct. */
export function creditNoteTax(
  settings: ClinicSettings,
  { order, refund }: { order: Order; refund: PendingRefund },
): TaxDocument | null {
  if (settings.tax_profile === 'none') return null;
  const { invoices, before, after } = creditOf(order, refund);
  if (grossOf(before) <= 0) return null;
  return correcting(settings, invoices, { full: 'R1', totals: documentTotals(before, after) });
}

/** Returns the series of a cancel's credit note; null where nothing is invoiced and the cancel has none. */
export const cancelSeries = (order: Order): Series | null =>
  isInvoiced(order) ? noteSeries(openInvoices(order)) : null;

/** Returns the tax part of the credit note of a cancel: it takes back all that is invoiced. Null where no invoice states tax. */
export function cancelTax(settings: ClinicSettings, order: Order): TaxDocument | null {
  const isTaxed = settings.tax_profile !== 'none' || order.invoices.some(({ tax_totals }) => tax_totals !== undefined);
  if (!isTaxed) return null;
  const before = invoicedGross(order);
  const nothing = new Map([...before.keys()].map((key) => [key, 0]));
  return correcting(settings, openInvoices(order), { full: 'R4', totals: documentTotals(before, nothing) });
}

/** Returns the invoices of which something is left; all that count where nothing is left of any. */
function openInvoices(order: Order): Invoice[] {
  const left = [...leftOfInvoices(order)];
  const open = left.filter(([, amounts]) => [...amounts.values()].some((minor) => minor !== 0));
  return (open.length > 0 ? open : left).map(([invoice]) => invoice);
}

function correcting(
  settings: ClinicSettings,
  corrected: readonly Invoice[],
  { full: fullType, totals }: { full: 'R1' | 'R4'; totals: readonly TaxTotal[] },
): TaxDocument {
  const full = corrected.find(isFull);
  return {
    document_type: full ? fullType : 'R5',
    tax_totals: totals.map(taxTotalToWire),
    issuer: issuerOf(settings),
    ...(full?.recipient && { recipient: full.recipient }),
    corrects: corrected.map((invoice) => namedDocument(invoice, settings)),
  };
}

/** Returns the tax part of the full invoice that takes the place of a simplified one. Its amounts stay as they are. */
export function exchangeTax(
  settings: ClinicSettings,
  { invoice, recipient, issuedAtMs }: { invoice: Invoice; recipient: Recipient; issuedAtMs: number },
): TaxDocument {
  const before = new Map<string, number>();
  const replaces = namedDocument(invoice, settings);
  const operationOn = invoice.operation_on ?? replaces.issued_on;
  return {
    document_type: 'F3',
    tax_totals:
      invoice.tax_totals ??
      documentTotals(before, invoicedGross({ invoices: [invoice], payments: [], cancels: [] })).map(taxTotalToWire),
    issuer: issuerOf(settings),
    recipient,
    replaces,
    ...(operationOn < businessDay(issuedAtMs, settings.time_zone) && { operation_on: operationOn }),
  };
}
