/** Compares the record of a document with the document. */
import { canonicalJson } from '../wire/canonical-json.ts';
import { recordOfDocument } from './documents.ts';
import type { IssuedDocument } from './documents.ts';
import type { IssueFields, IssueRecord, Sha256 } from './record.ts';

/** What a record says of its document, for people. */
export const summaryOf = ({ number, type, total }: Pick<IssueFields, 'number' | 'type' | 'total'>): string =>
  `${number} · ${type} · ${total}`;

/**
 * Returns what the record should say, if it says something else than its document: another number, type, date, total, tax,
 * issuer, recipient, or other documents.
 */
export function differingFields(
  record: IssueRecord,
  document: IssuedDocument,
  { timeZone, sha256 }: { timeZone: string; sha256: Sha256 },
): IssueFields | null {
  const { issuer: tax_id, issuer_name: legal_name, description: operation_description } = record.fields;
  // A credit note without an invoice states no issuer; its record takes the issuer of the settings.
  const tax_profile = document.plainType === 'R5' && tax_id !== '' ? ('ES' as const) : ('none' as const);
  const settings = { time_zone: timeZone, operation_description, tax_profile, tax_id, legal_name };
  const place = { chain: record.chain, previous: null, settings, sha256 };
  const { fields } = recordOfDocument(document, place);
  return canonicalJson(comparable(record.fields, fields)) === canonicalJson(comparable(fields, fields)) ? null : fields;
}

const comparable = (
  { issuer, number, issued_on, generated_at, type, total, tax_total, breakdown, recipient, ...named }: IssueFields,
  { recipient: known }: IssueFields,
) => ({
  issuer,
  number,
  issued_on,
  generatedAtMs: Date.parse(generated_at),
  operationOn: named.operation_on ?? null,
  corrects: named.corrects ?? null,
  replaces: named.replaces ?? null,
  type,
  total,
  tax_total,
  breakdown,
  // An erased patient is no longer named by the document.
  recipient: known ? [recipient?.tax_id, recipient?.id_type ?? 'NIF', recipient?.country ?? 'ES'] : null,
});
