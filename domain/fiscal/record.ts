/**
 * Fiscal records tell the tax agency of each issued or cancelled document. A record holds the very strings that are hashed and
 * sent, and is linked to the record before it in its chain, so nothing can be added, removed or changed
 * unnoticed.
 *
 * A record has two digests. `hash` is the agency's own and covers the fields that its specification names. `seal` covers
 * the whole record, descriptions and names included, and the seal before it.
 */
import { minorToWire } from '../money.ts';
import type { DocumentType } from '../tax/document.ts';
import { canonicalJson } from '../wire/canonical-json.ts';
import type { TaxTotal } from '../tax/tax.ts';
import { cancelledText, issuedText } from './hashed-text.ts';
import type { RecipientId } from '../tax/recipient-id.ts';

export interface NamedDocument {
  number: string;
  /** `dd-mm-yyyy`. */
  issued_on: string;
}

/** A part of the amounts, by tax category. `rate`, `base` and `tax` are decimals with a point. */
export type BreakdownField = { exempt: string; base: string } | { rate: string; base: string; tax: string };

/**
 * What the agency has of the document that a record corrects: the document with errors, none because its record was
 * rejected, or the document while a correction was rejected.
 */
export type Correction = 'accepted' | 'absent' | 'rejected';

export interface RecordRecipient extends RecipientId {
  name: string;
}

/** The fields of an issued document, as they are sent. */
export interface IssueFields extends NamedDocument {
  /** The issuer's tax number; empty without a tax profile. */
  issuer: string;
  issuer_name: string;
  /** Present in a record that takes the place of one with errors, for the same document. */
  correction?: Correction | undefined;
  type: DocumentType;
  corrects?: NamedDocument[] | undefined;
  replaces?: NamedDocument[] | undefined;
  /** `dd-mm-yyyy`, where it differs from the day of issue. */
  operation_on?: string | undefined;
  description: string;
  recipient?: RecordRecipient | undefined;
  breakdown: BreakdownField[];
  tax_total: string;
  total: string;
  /** ISO 8601 with the offset of the clinic's zone. */
  generated_at: string;
}

/** The fields of the cancellation of a document that was issued in error. */
export interface CancelFields extends NamedDocument {
  issuer: string;
  issuer_name: string;
  /** Present where the agency has no record of the document: it was held back, or rejected. */
  unregistered?: true | undefined;
  /** Present where the agency has rejected a cancellation of the document. */
  again?: true | undefined;
  generated_at: string;
}

/** A record as the next one names it. */
export interface ChainLink extends NamedDocument {
  hash: string;
  seal: string;
}

/** The last record of a chain, and how many there are. */
export interface ChainHead extends ChainLink {
  count: number;
}

interface RecordBase {
  /** The device code under which the documents are numbered. */
  chain: string;
  /** The place in the chain, from 1. */
  sequence: number;
  /** The operation that issued the document, or the cancelled document. */
  document_op_id: string;
  previous: ChainLink | null;
  hash: string;
  seal: string;
}

export type IssueRecord = RecordBase & { type: 'issue'; fields: IssueFields };
export type CancelRecord = RecordBase & { type: 'cancel'; fields: CancelFields };
export type FiscalRecord = IssueRecord | CancelRecord;

/** Returns the SHA-256 of a text's UTF-8 in upper-case hexadecimal. */
export type Sha256 = (text: string) => string;

export interface Issuer {
  /** Empty without a tax profile. */
  taxId: string;
  name: string;
}

/** A document as its record is made of it. */
export interface FiscalDocument {
  number: string;
  /** `dd-mm-yyyy` in the clinic's zone. */
  issuedOn: string;
  documentType: DocumentType;
  /** Says in general what was sold: a treatment's name is health data. */
  description: string;
  taxTotals: readonly TaxTotal[];
  totalMinor: number;
  recipient?: RecordRecipient | undefined;
  corrects?: readonly NamedDocument[] | undefined;
  replaces?: readonly NamedDocument[] | undefined;
  /** `dd-mm-yyyy`, where it differs from the day of issue. */
  operationOn?: string | undefined;
}

/** The place of a record in its chain. */
export interface Place {
  chain: string;
  previous: ChainHead | null;
  documentOpId: string;
  /** See `zonedInstant`. */
  generatedAt: string;
  sha256: Sha256;
}

/** Returns an amount as records and the agency's addresses write it. */
export const decimal = (minor: number): string => minorToWire(minor).toFixed(2);

/** What the schemas of the agency accept, in characters. */
export const fieldLimits = { name: 120, description: 500 };

/** Returns a text without characters that XML forbids and without needless spaces, cut to the given length. */
export function fiscalText(text: string, most: number): string {
  const plain = text.replaceAll(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|\s/gu, ' ');
  return Array.from(plain.replaceAll(/ +/g, ' ').trim()).slice(0, most).join('').trim();
}

/** Returns the record of an issued document. */
export function issueRecord(document: FiscalDocument, issuer: Issuer, place: Place): IssueRecord {
  const { number, issuedOn, documentType, description, taxTotals, totalMinor, recipient, corrects, replaces } =
    document;
  const { operationOn } = document;
  const fields: IssueFields = {
    issuer: issuer.taxId,
    issuer_name: fiscalText(issuer.name, fieldLimits.name),
    number,
    issued_on: issuedOn,
    type: documentType,
    ...(corrects && corrects.length > 0 && { corrects: corrects.map(named) }),
    ...(replaces && replaces.length > 0 && { replaces: replaces.map(named) }),
    ...(operationOn && operationOn !== issuedOn && { operation_on: operationOn }),
    description: fiscalText(description, fieldLimits.description),
    ...(recipient && { recipient: recordRecipient(recipient) }),
    breakdown: taxTotals.map(breakdownField),
    tax_total: decimal(taxTotals.reduce((sum, { taxMinor }) => sum + taxMinor, 0)),
    total: decimal(totalMinor),
    generated_at: place.generatedAt,
  };
  const hash = hashOf({ type: 'issue', fields, previous: place.previous }, place.sha256);
  return sealed({ ...base(place), type: 'issue', fields, hash }, place.sha256);
}

export interface Corrected {
  issuerName: string;
  recipient: IssueFields['recipient'];
  correction: Correction;
}

/** Returns the record that takes the place of one with errors. The document stays as it is printed, and so do its amounts. */
export function correctedRecord(
  { fields: wrong }: Pick<IssueRecord, 'fields'>,
  { issuerName, recipient, correction }: Corrected,
  place: Place,
): IssueRecord {
  const { recipient: _wrong, ...kept } = wrong;
  const fields: IssueFields = {
    ...kept,
    issuer_name: fiscalText(issuerName, fieldLimits.name),
    correction,
    ...(recipient && { recipient: recordRecipient(recipient) }),
    generated_at: place.generatedAt,
  };
  const hash = hashOf({ type: 'issue', fields, previous: place.previous }, place.sha256);
  return sealed({ ...base(place), type: 'issue', fields, hash }, place.sha256);
}

/** Returns the record that cancels an issued one, which may belong to another chain. */
export function cancelRecord(
  cancelled: Pick<IssueRecord, 'fields'>,
  place: Place,
  { isUnregistered = false, isAgain = false }: { isUnregistered?: boolean; isAgain?: boolean } = {},
): CancelRecord {
  const { issuer, issuer_name, number, issued_on } = cancelled.fields;
  const fields: CancelFields = {
    issuer,
    issuer_name,
    ...(isUnregistered && { unregistered: true as const }),
    ...(isAgain && { again: true as const }),
    number,
    issued_on,
    generated_at: place.generatedAt,
  };
  const hash = hashOf({ type: 'cancel', fields, previous: place.previous }, place.sha256);
  return sealed({ ...base(place), type: 'cancel', fields, hash }, place.sha256);
}

/** Only the document names the recipient's address. */
const recordRecipient = ({ name, tax_id, id_type, country }: RecordRecipient): RecordRecipient => ({
  name: fiscalText(name, fieldLimits.name),
  tax_id,
  ...(id_type !== undefined && { id_type, country }),
});

const named = ({ number, issued_on }: NamedDocument): NamedDocument => ({ number, issued_on });

function breakdownField({ category, baseMinor, taxMinor }: TaxTotal): BreakdownField {
  const amount = decimal(baseMinor);
  if ('exempt' in category) return { exempt: category.exempt, base: amount };
  return { rate: (category.rateBps / 100).toFixed(2), base: amount, tax: decimal(taxMinor) };
}

const base = ({ chain, previous, documentOpId }: Place) => ({
  chain,
  sequence: (previous?.count ?? 0) + 1,
  document_op_id: documentOpId,
  previous: previous && linkOf(previous),
});

const linkOf = ({ number, issued_on, hash, seal }: ChainLink): ChainLink => ({ number, issued_on, hash, seal });

/** Returns the head of a chain that ends with this record. */
export const headOf = ({ sequence, fields, hash, seal }: FiscalRecord): ChainHead => ({
  count: sequence,
  number: fields.number,
  issued_on: fields.issued_on,
  hash,
  seal,
});

type Hashed = Pick<IssueRecord, 'type' | 'fields' | 'previous'> | Pick<CancelRecord, 'type' | 'fields' | 'previous'>;

/** Returns the agency's hash of a record. */
export function hashOf({ type, fields, previous }: Hashed, sha256: Sha256): string {
  const shared = {
    issuerId: fields.issuer,
    number: fields.number,
    issueDate: fields.issued_on,
    previousHash: previous?.hash ?? null,
    generatedAt: fields.generated_at,
  };
  if (type === 'cancel') return sha256(cancelledText(shared));
  const { type: invoiceType, tax_total: taxTotal, total } = fields;
  return sha256(issuedText({ ...shared, invoiceType, taxTotal, total }));
}

/** Returns the digest of all that a record says. */
export function sealOf(record: Unsealed & { seal?: string }, sha256: Sha256): string {
  const { seal: _seal, ...content } = record;
  return sha256(canonicalJson(content));
}

type Unsealed = Omit<IssueRecord, 'seal'> | Omit<CancelRecord, 'seal'>;

const sealed = <R extends Unsealed>(record: R, sha256: Sha256): R & { seal: string } => ({
  ...record,
  seal: sealOf(record, sha256),
});
