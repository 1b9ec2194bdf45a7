/**
 * The book of issued invoices (libro registro de facturas expedidas): each document by its tax categories, as an adviser files
 * it. Its sums equal the Z reports of the same days.
 */
import type { SendingState } from '../fiscal/resources.ts';
import type { DocumentType } from '../tax/document.ts';
import type { TaxPayload, TaxTotalPayload } from '../tax/wire.ts';

/** One tax category of a document. A full invoice in exchange for a simplified one has no amounts: the simplified one has them. */
export interface BookRow {
  /** The business day under which the Z report counts the document, `yyyy-mm-dd`. */
  day: string;
  number: string;
  /** The day of issue, as printed. */
  issued_on: string;
  /** The day of the service where it is another one; empty otherwise. */
  operation_on: string;
  /** Empty for a credit note of money that no invoice has billed. */
  type: DocumentType | '';
  recipient: string;
  recipient_id: string;
  /** The country of a number that is no Spanish NIF; empty otherwise. */
  recipient_country: string;
  /** Null where the document states no amounts. */
  tax: TaxPayload | null;
  base: number;
  amount: number;
  total: number;
  currency: string;
  /** The documents that it corrects or takes the place of. */
  names: string[];
  /** What the tax agency said of its record; null where no record is meant for it. */
  state: SendingState | null;
  /** The agency's receipt (CSV); empty without one. */
  csv: string;
}

/** A document of the book as a list shows it, its tax categories together. */
export type BookDocument = Pick<
  BookRow,
  'day' | 'number' | 'type' | 'recipient' | 'base' | 'amount' | 'total' | 'currency' | 'state'
>;

/** The most documents that a summary names. */
export const mostListed = 100;

/** `GET /api/reports/book?startDate=&endDate=` */
export interface BookSummary {
  documents: number;
  /** The rows of the file. */
  rows: number;
  /** By tax, in the clinic's currency. */
  taxes: TaxTotalPayload[];
  /** How many documents the tax agency has not accepted yet, of those that it is to have. */
  unsettled: number;
  /** The newest documents, at most `mostListed`, newest first. The file has all. */
  latest: BookDocument[];
}
