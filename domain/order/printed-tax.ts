/** The rows of a document that the tax profile asks for. */
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';
import { minorFromWire } from '../money.ts';
import { numberFormat } from '../number-format.ts';
import { categoryOfKey } from '../tax/tax.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import type { DocumentType, NamedDocument, Recipient, TaxDocumentFields } from '../tax/document.ts';

export interface TaxLabels {
  titles: Record<DocumentType, string>;
  taxId: string;
  /** In the place of the NIF, of a recipient without one. */
  foreignId: string;
  vatId: string;
  recipient: string;
  address: string;
  operationDate: string;
  /** Before the number of a document that is corrected or replaced. */
  corrects: string;
  replaces: string;
  alreadyInvoiced: string;
  /** What a credit note had taken back. */
  invoicedAgain: string;
  /** In the place of lines, on the invoice of an advance. */
  onAccount: string;
  /** Of a collective invoice: the number of its treatments, the note on the part of one, and what its payer withholds. */
  treatments: string;
  part: string;
  partNote: string;
  /** In the place of the reason that was typed, on a corrective invoice to a payer. */
  payerReason: string;
  retention: string;
  toPay: string;
  /** Before a rate. */
  base: string;
  tax: string;
  exemptBase: string;
  rate: string;
  exempt: string;
  /** Above the totals by tax of a sheet. */
  columns: { tax: string; base: string; amount: string; gross: string; exempt: string };
}

interface Writer {
  minor: (amountMinor: number) => string;
  day: (day: string) => string;
  pair: (left: string, right: string) => PrintedRow;
}

const rates = numberFormat();
export const percent = (rate: number): string => `${rates.format(rate)} %`;

/** Returns what a line bears below the head of its column, such as `21 %`. */
export function lineRateText(labels: TaxLabels, key: string): string {
  const category = categoryOfKey(key);
  return 'exempt' in category ? labels.columns.exempt : percent(category.rateBps / 100);
}

/** Returns what a line bears, such as `IVA 21 %`. */
export function lineTaxText(labels: TaxLabels, key: string): string {
  const category = categoryOfKey(key);
  return 'exempt' in category ? labels.exempt : `${labels.rate} ${percent(category.rateBps / 100)}`;
}

/** Returns the base and the tax of each rate, and the base of what is exempt; a sheet has a table of them. */
export function taxTotalRows(
  labels: TaxLabels,
  { minor, pair }: Pick<Writer, 'minor' | 'pair'>,
  totals: readonly TaxTotalPayload[],
): PrintedRow[] {
  if (totals.length === 0) return [];
  const { tax, base, amount, gross } = labels.columns;
  const wire = (value: number) => minor(minorFromWire(value));
  return inPart('taxes', [
    { style: 'head', cells: [tax, base, amount, gross] },
    ...totals.flatMap((total): PrintedRow[] =>
      'exempt' in total
        ? [
            {
              ...pair(`${labels.exemptBase} (${total.exempt})`, wire(total.base)),
              cells: [`${labels.columns.exempt} (${total.exempt})`, wire(total.base), '–', wire(total.gross)],
            },
          ]
        : [
            {
              ...pair(`${labels.base} ${percent(total.rate)}`, wire(total.base)),
              cells: [`${labels.rate} ${percent(total.rate)}`, wire(total.base), wire(total.tax), wire(total.gross)],
            },
            pair(`${labels.tax} ${percent(total.rate)}`, wire(total.tax)),
          ],
    ),
  ]);
}

const recipientIdLabel = ({ taxId, foreignId, vatId }: TaxLabels, { id_type: type }: Recipient): string => {
  if (type === undefined) return taxId;
  return type === '02' ? vatId : foreignId;
};

const addressOf = ({ address, postal_code, city, country }: Recipient): string =>
  [address, `${postal_code} ${city}`.trim(), country].filter(Boolean).join(', ');

/** Returns when the service was done, and the documents that this one corrects or replaces. */
export function aboutRows(
  labels: TaxLabels,
  { pair, day }: Pick<Writer, 'pair' | 'day'>,
  { corrects = [], replaces, operation_on }: TaxDocumentFields,
): PrintedRow[] {
  const named = ({ number, issued_on }: NamedDocument) => `${number} (${day(issued_on)})`;
  return inPart('facts', [
    ...(operation_on ? [pair(labels.operationDate, day(operation_on))] : []),
    ...corrects.map((each) => pair(labels.corrects, named(each))),
    ...(replaces ? [pair(labels.replaces, named(replaces))] : []),
  ]);
}

/** Returns who receives the document. */
export const recipientRows = (
  labels: TaxLabels,
  { pair }: Pick<Writer, 'pair'>,
  { recipient }: TaxDocumentFields,
): PrintedRow[] =>
  recipient
    ? inPart('recipient', [
        pair(labels.recipient, recipient.name),
        pair(recipientIdLabel(labels, recipient), recipient.tax_id),
        pair(labels.address, addressOf(recipient)),
      ])
    : [];
