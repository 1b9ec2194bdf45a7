/** Makes the record of a document from the document as it was issued. */
import { businessDay } from '../business-day.ts';
import { minorFromWire } from '../money.ts';
import type { TaxDocumentFields } from '../tax/document.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { TaxTotal } from '../tax/tax.ts';
import { taxTotalFromWire } from '../tax/wire.ts';
import { taxpayerOf } from './taxpayer.ts';
import { issueRecord } from './record.ts';
import type { ChainHead, FiscalDocument, IssueRecord, Issuer, NamedDocument, Sha256 } from './record.ts';
import { fiscalDay, zonedInstant } from './zoned.ts';

/** What a record needs of an invoice, as its operation carries it. */
export interface IssuedInvoice extends TaxDocumentFields {
  invoice_number: string;
  issued_at: string;
  total_amount: number;
}

/** The same of a credit note, whose operation states the number beside it. */
export type IssuedCreditNote = Omit<IssuedInvoice, 'invoice_number'>;

/** An invoice or a credit note as its operation carries it. */
export interface IssuedDocument {
  /** The operation that issued it. */
  opId: string;
  number: string;
  issuedAtMs: number;
  /** On a credit note negative, or 0. */
  totalMinor: number;
  /** The type without a tax profile. */
  plainType: 'F2' | 'R5';
  tax: TaxDocumentFields;
}

export const documentOfInvoice = (opId: string, invoice: IssuedInvoice): IssuedDocument => ({
  opId,
  number: invoice.invoice_number,
  issuedAtMs: Date.parse(invoice.issued_at),
  totalMinor: minorFromWire(invoice.total_amount),
  plainType: 'F2',
  tax: invoice,
});

export const documentOfCreditNote = (
  opId: string,
  { number, note }: { number: string; note: IssuedCreditNote },
): IssuedDocument => ({
  opId,
  number,
  issuedAtMs: Date.parse(note.issued_at),
  totalMinor: minorFromWire(note.total_amount),
  plainType: 'R5',
  tax: note,
});

/** An operation of any kind, as it was applied. */
export interface AppliedOperation {
  op_id: string;
  kind: string;
  payload: unknown;
}

/** Returns the document that an operation has issued, if it has. */
export function documentOf({ op_id: opId, kind, payload }: AppliedOperation): IssuedDocument | undefined {
  if (kind === 'order.pay' || kind === 'order.invoice') {
    const { invoice } = payload as { invoice?: IssuedInvoice | undefined };
    return invoice && documentOfInvoice(opId, invoice);
  }
  if (kind !== 'order.refund' && kind !== 'order.cancel') return undefined;
  const { credit_note: note, credit_note_number: number } = payload as {
    credit_note?: IssuedCreditNote | undefined;
    credit_note_number?: string | undefined;
  };
  if (!note || number === undefined) return undefined;
  return documentOfCreditNote(opId, { number, note });
}

/** The place of a document's record in its chain, and the clinic's settings. */
export interface RecordPlace {
  chain: string;
  previous: ChainHead | null;
  /** Those by which the device issues documents (`issuingSettings`). */
  settings: Pick<ClinicSettings, 'time_zone' | 'operation_description' | 'tax_profile' | 'tax_id' | 'legal_name'>;
  sha256: Sha256;
}

/** Returns the record of a document. A record is generated with its document, so both have one time. */
export function recordOfDocument(
  document: IssuedDocument,
  { chain, previous, settings, sha256 }: RecordPlace,
): IssueRecord {
  const { time_zone: timeZone, operation_description: description } = settings;
  const { opId, number, issuedAtMs, plainType, tax } = document;
  const taxTotals = tax.tax_totals?.map(taxTotalFromWire) ?? [exemptTotal(document.totalMinor)];
  const { recipient } = tax;
  const fiscal: FiscalDocument = {
    number,
    issuedOn: fiscalDay(businessDay(issuedAtMs, timeZone)),
    documentType: tax.document_type ?? plainType,
    description,
    taxTotals,
    totalMinor: taxTotals.reduce((sum, { grossMinor }) => sum + grossMinor, 0),
    recipient,
    corrects: tax.corrects?.map(withFiscalDay),
    replaces: tax.replaces && [withFiscalDay(tax.replaces)],
    operationOn: tax.operation_on && fiscalDay(tax.operation_on),
  };
  const generatedAt = zonedInstant(issuedAtMs, timeZone);
  return issueRecord(fiscal, issuerOf(tax, settings), { chain, previous, documentOpId: opId, generatedAt, sha256 });
}

/**
 * Returns the issuer of a document. Money that is on no invoice is refunded with a credit note without tax. Its record needs the
 * issuer all the same, because the next record of the chain names it to the tax agency.
 */
const issuerOf = ({ issuer }: TaxDocumentFields, { legal_name, ...settings }: RecordPlace['settings']): Issuer => {
  if (issuer) return { taxId: issuer.tax_id, name: issuer.legal_name };
  const taxId = taxpayerOf(settings);
  return taxId === null ? { taxId: '', name: '' } : { taxId, name: legal_name };
};

const exemptTotal = (grossMinor: number): TaxTotal => ({
  category: { exempt: 'E1' },
  grossMinor,
  baseMinor: grossMinor,
  taxMinor: 0,
});

const withFiscalDay = ({ number, issued_on }: NamedDocument): NamedDocument => ({
  number,
  issued_on: fiscalDay(issued_on),
});
