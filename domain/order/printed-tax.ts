/** The rows of a document that the tax profile asks for. */
import type { PrintedRow } from '../printed-row.ts';
import { minorFromWire } from '../money.ts';
import { numberFormat } from '../number-format.ts';
import { categoryOfKey } from '../tax/tax.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import type { DocumentType, NamedDocument, TaxDocumentFields } from './tax-document.ts';

export interface TaxLabels {
  titles: Record<DocumentType, string>;
  taxId: string;
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
  /** Before a rate. */
  base: string;
  tax: string;
  exemptBase: string;
  rate: string;
  exempt: string;
}

interface Writer {
  minor: (amountMinor: number) => string;
  day: (day: string) => string;
  pair: (left: string, right: string) => PrintedRow;
}

const rates = numberFormat();
const percent = (rate: number): string => `${rates.format(rate)} %`;

/** Returns what a line bears, such as `IVA 21 %`. */
export function lineTaxText(labels: TaxLabels, key: string): string {
  const category = categoryOfKey(key);
  return 'exempt' in category ? labels.exempt : `${labels.rate} ${percent(category.rateBps / 100)}`;
}

/** Returns the base and the tax of each rate, and the base of what is exempt. */
export const taxTotalRows = (
  labels: TaxLabels,
  { minor, pair }: Pick<Writer, 'minor' | 'pair'>,
  totals: readonly TaxTotalPayload[],
): PrintedRow[] =>
  totals.flatMap((total) =>
    'exempt' in total
      ? [pair(`${labels.exemptBase} (${total.exempt})`, minor(minorFromWire(total.base)))]
      : [
          pair(`${labels.base} ${percent(total.rate)}`, minor(minorFromWire(total.base))),
          pair(`${labels.tax} ${percent(total.rate)}`, minor(minorFromWire(total.tax))),
        ],
  );

/** Returns who receives the document, when the service was done, and the documents that it corrects or replaces. */
export function aboutRows(
  labels: TaxLabels,
  { pair, day }: Writer,
  { recipient, corrects = [], replaces, operation_on }: TaxDocumentFields,
): PrintedRow[] {
  const named = ({ number, issued_on }: NamedDocument) => `${number} (${day(issued_on)})`;
  return [
    ...(operation_on ? [pair(labels.operationDate, day(operation_on))] : []),
    ...corrects.map((each) => pair(labels.corrects, named(each))),
    ...(replaces ? [pair(labels.replaces, named(replaces))] : []),
    ...(recipient
      ? [
          pair(labels.recipient, recipient.name),
          pair(labels.taxId, recipient.tax_id),
          pair(labels.address, [recipient.address, `${recipient.postal_code} ${recipient.city}`].join(', ')),
        ]
      : []),
  ];
}
