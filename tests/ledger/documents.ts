/** The documents of a treatment, as their operations state them, and what is invoiced by those that count. */
import { cents, sumOf } from './integers.ts';
import { byTax, grossOf, plus, stated } from './taxes.ts';
import type { ByTax, TaxPart } from './taxes.ts';
import type { Entry, PrintedRow, WireDocument } from './wire.ts';

export interface Document {
  of: 'invoice' | 'refund' | 'cancel';
  number: string;
  opId: string;
  deviceId: number;
  atMs: number;
  issuedAt: string;
  /** `F1`, `F2` and so on; null without a tax profile. */
  type: string | null;
  /** Negative on a credit note. */
  total: number;
  /** Empty without a tax profile. */
  taxes: TaxPart[];
  discount: number;
  charge: number;
  lineIds: readonly string[];
  printed: readonly PrintedRow[];
  /** The invoice in whose place it stands. */
  replaces: string | null;
  /** False of an invoice that no payment issued. */
  isOfPayment: boolean;
}

/** Returns every document that was issued, in the order of arrival. */
export const documentsIn = (entries: readonly Entry[]): Document[] =>
  entries.flatMap((entry) => {
    const { kind, payload } = entry;
    if (kind === 'order.pay' || kind === 'order.invoice') {
      const { invoice } = payload;
      if (!invoice) return [];
      return {
        ...documentOf(entry, invoice, invoice.invoice_number),
        of: 'invoice' as const,
        discount: cents(invoice.discount_amount),
        charge: cents(invoice.service_charge_amount),
        lineIds: invoice.line_ids,
        replaces: invoice.replaces?.number ?? null,
        isOfPayment: kind === 'order.pay',
      };
    }
    if (kind !== 'order.refund' && kind !== 'order.cancel') return [];
    const { credit_note: note, credit_note_number: number } = payload;
    return note ? { ...documentOf(entry, note, number!), of: kind === 'order.refund' ? 'refund' : 'cancel' } : [];
  });

const documentOf = ({ opId, deviceId, atMs }: Entry, document: WireDocument, number: string): Omit<Document, 'of'> => ({
  number,
  opId,
  deviceId,
  atMs,
  issuedAt: document.issued_at,
  type: document.document_type ?? null,
  total: cents(document.total_amount),
  taxes: stated(document.tax_totals ?? []),
  discount: 0,
  charge: 0,
  lineIds: [],
  printed: document.printed,
  replaces: null,
  isOfPayment: true,
});

/** Returns the amounts that a document adds to what is invoiced. One that states no tax is of exempt services. */
const amountsOf = ({ taxes, total }: Document): ByTax =>
  taxes.length > 0 ? byTax(taxes.map(({ tax, gross }) => [tax, gross] as const)) : byTax([['E1', total]]);

/** Of several exchanges of one invoice the first counts. */
export const isRepeated = (document: Document, documents: readonly Document[]): boolean =>
  document.replaces !== null &&
  documents.some(
    (other) =>
      other.replaces === document.replaces &&
      (other.issuedAt < document.issuedAt || (other.issuedAt === document.issuedAt && other.number < document.number)),
  );

/** Returns the invoices that count: an exchange takes the place of its simplified one. */
export const standingInvoices = (documents: readonly Document[]): Document[] =>
  documents.filter(
    (document) =>
      document.of === 'invoice' &&
      !documents.some(({ replaces }) => replaces === document.number) &&
      !isRepeated(document, documents),
  );

/** What stands invoiced of a treatment, and the credit notes of cancels that count nowhere. */
export interface Invoiced {
  amounts: ByTax;
  /** The operations whose credit note counts nowhere. */
  annulled: ReadonlySet<string>;
}

/**
 * Adds up what is invoiced. A cancel's credit note is annulled as soon as a payment overrules the cancel, or as it takes back
 * what another one has taken back; the one that takes back most comes first. What is annulled stays so.
 */
export function invoicedBy(entries: readonly Entry[]): Invoiced {
  let now: Invoiced = { amounts: new Map(), annulled: new Set() };
  const all = documentsIn(entries);
  const hasCorrections = all.some(({ of }) => of === 'cancel');
  // The server decides with each operation. Without corrections only the last state matters.
  for (let count = hasCorrections ? 1 : entries.length; count <= entries.length; count++) {
    const arrived = entries.slice(0, count);
    const opIds = new Set(arrived.map(({ opId }) => opId));
    now = invoicedNow(
      arrived,
      all.filter(({ opId }) => opIds.has(opId)),
      now.annulled,
    );
  }
  return now;
}

function invoicedNow(
  entries: readonly Entry[],
  documents: readonly Document[],
  annulled: ReadonlySet<string>,
): Invoiced {
  const counting = [...standingInvoices(documents), ...documents.filter(({ of }) => of === 'refund')];
  let amounts = counting.map(amountsOf).reduce((all, own) => plus(all, own), new Map<string, number>() as ByTax);
  const left = documents.filter((document) => document.of === 'cancel' && !annulled.has(document.opId));
  const isPaid = paidBy(entries) !== 0;
  const overruled = new Set(annulled);
  for (const document of left.sort((a, b) => a.total - b.total || a.atMs - b.atMs || (a.number < b.number ? -1 : 1))) {
    const after = plus(amounts, amountsOf(document));
    if (isPaid || [...amountsOf(document).keys()].some((tax) => after.get(tax)! < 0)) overruled.add(document.opId);
    else amounts = after;
  }
  return { amounts, annulled: overruled };
}

/** Returns payments less refunds. */
export const paidBy = (entries: readonly Entry[]): number =>
  sumOf(entries, ({ kind, payload }) =>
    kind === 'order.pay' ? cents(payload.amount) : kind === 'order.refund' ? -cents(payload.amount) : 0,
  );

export const invoicedTotal = ({ amounts }: Invoiced): number => grossOf(amounts);
