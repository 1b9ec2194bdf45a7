/** The operation that brings a fiscal record to the server. Its aggregate is the chain, which keeps the records in order. */
import type { KindDefinitions } from '../wire/envelope.ts';
import type { FiscalRecord } from './record.ts';

export interface FiscalPayloads {
  'fiscal.record': FiscalRecord;
}

/** @param code the device code under which the documents of the chain are numbered */
export const chainAggregate = (code: string): string => `chain:${code}`;

/**
 * Screens show the document and not its record, so a record changes nothing on a tablet. It is permanent: whatever becomes of
 * the operation of its document, the document is printed.
 */
export const fiscalOperations: KindDefinitions<FiscalPayloads, never> = {
  'fiscal.record': {
    apply: (state) => state,
    summarize: ({ fields }) => ({ number: fields.number, amountMinor: null }),
    isPermanent: true,
  },
};
