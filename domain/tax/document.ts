/** What the law asks of a document besides its text: its type, its amounts by tax, and who issues and receives it. */
import { minorFromWire } from '../money.ts';
import type { RecipientId } from './recipient-id.ts';
import { defaultTaxCode } from './codes.ts';
import { taxKey } from './tax.ts';
import { taxTotalFromWire } from './wire.ts';
import type { TaxTotalPayload } from './wire.ts';

/**
 * The types of the Spanish tax agency (list L2): `F1` a full invoice, `F2` a simplified one, `F3` a full one in exchange
 * for a simplified one, `R1` and `R4` credit notes of full ones, `R5` of simplified ones.
 */
export const documentTypes = ['F1', 'F2', 'F3', 'R1', 'R4', 'R5'] as const;
export type DocumentType = (typeof documentTypes)[number];

/**
 * Up to this amount, tax included, an invoice may be a simplified one (RD 1619/2012, article 4.1.a). Dentistry is not among the
 * activities of article 4.2, which may go up to 3,000 euros.
 */
export const simplifiedLimitMinor = 400_00;

export interface Issuer {
  legal_name: string;
  tax_id: string;
  address: string;
  postal_code: string;
  city: string;
}

/** A recipient without a Spanish NIF has another number, and an address of any form: its postal code and city may be empty. */
export interface Recipient extends RecipientId {
  name: string;
  address: string;
  postal_code: string;
  city: string;
}

/** Another document that one names. */
export interface NamedDocument {
  number: string;
  /** `yyyy-mm-dd`, in the clinic's time zone. */
  issued_on: string;
}

export interface TaxDocument {
  document_type: DocumentType;
  tax_totals: TaxTotalPayload[];
  issuer: Issuer;
  recipient?: Recipient | undefined;
  /** The invoices that a credit note corrects. */
  corrects?: NamedDocument[] | undefined;
  /** The simplified invoice that an `F3` takes the place of. */
  replaces?: NamedDocument | undefined;
  /** The day of the service, where it differs from the day of the document. */
  operation_on?: string | undefined;
}

/** The same fields of a document that may have been issued without a tax profile. */
export type TaxDocumentFields = { [Field in keyof TaxDocument]?: TaxDocument[Field] | undefined };

/** True for a simplified invoice of an amount that asks for a full one. */
export const isSimplifiedTooLarge = ({
  document_type: type,
  total_amount: total,
}: TaxDocumentFields & { total_amount: number }): boolean =>
  type === 'F2' && minorFromWire(total) > simplifiedLimitMinor;

/** Returns the amounts of a document (minor units) by the keys of their tax. One without tax was of exempt services. */
export const statedAmounts = ({
  tax_totals: totals,
  total_amount: total,
}: TaxDocumentFields & { total_amount: number }): [key: string, minor: number][] =>
  totals
    ? totals.map((each) => [taxKey(taxTotalFromWire(each).category), minorFromWire(each.gross)])
    : [[defaultTaxCode, minorFromWire(total)]];
