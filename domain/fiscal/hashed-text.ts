/**
 * The text of a fiscal record that its hash covers, by the tax agency's specification of the hash (version 0.1.2): names
 * and trimmed values in this order. A record is hashed in the very words in which it is sent.
 */

/** The hash of the record before in the chain; null for the first one. */
type Previous = string | null;

export interface IssuedRecord {
  issuerId: string;
  number: string;
  /** `dd-mm-yyyy`. */
  issueDate: string;
  invoiceType: string;
  /** Decimals with a point, as sent. */
  taxTotal: string;
  total: string;
  previousHash: Previous;
  /** ISO 8601 with the offset of the clinic's zone. */
  generatedAt: string;
}

export type CancelledRecord = Pick<IssuedRecord, 'issuerId' | 'number' | 'issueDate' | 'previousHash' | 'generatedAt'>;

const textOf = (fields: [string, string | null][]): string =>
  fields.map(([name, value]) => `${name}=${(value ?? '').trim()}`).join('&');

export const issuedText = (record: IssuedRecord): string =>
  textOf([
    ['IDEmisorFactura', record.issuerId],
    ['NumSerieFactura', record.number],
    ['FechaExpedicionFactura', record.issueDate],
    ['TipoFactura', record.invoiceType],
    ['CuotaTotal', record.taxTotal],
    ['ImporteTotal', record.total],
    ['Huella', record.previousHash],
    ['FechaHoraHusoGenRegistro', record.generatedAt],
  ]);

export const cancelledText = (record: CancelledRecord): string =>
  textOf([
    ['IDEmisorFacturaAnulada', record.issuerId],
    ['NumSerieFacturaAnulada', record.number],
    ['FechaExpedicionFacturaAnulada', record.issueDate],
    ['Huella', record.previousHash],
    ['FechaHoraHusoGenRegistro', record.generatedAt],
  ]);
