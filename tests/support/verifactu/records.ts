/** Fiscal records for tests. */
import { createHash } from 'node:crypto';
import { cancelRecord, headOf, issueRecord } from '#domain/fiscal/record.ts';
import type { ChainHead, FiscalDocument, FiscalRecord, IssueRecord } from '#domain/fiscal/record.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase();

export const testIssuer = { taxId: 'B65410011', name: 'Clínica Dental Ñandú & Hijos, S.L.' };

const exempt = (totalMinor: number) => ({
  category: { exempt: 'E1' } as const,
  grossMinor: totalMinor,
  baseMinor: totalMinor,
  taxMinor: 0,
});

export function someDocument(over: Partial<FiscalDocument> = {}): FiscalDocument {
  const totalMinor = over.totalMinor ?? 60_00;
  return {
    number: 'INV-A1-000001',
    issuedOn: '01-07-2027',
    documentType: 'F2',
    description: 'Servicios odontológicos',
    taxTotals: [exempt(totalMinor)],
    totalMinor,
    ...over,
  };
}

interface ChainOptions {
  chain?: string;
  issuer?: typeof testIssuer;
  /** The ISO day on which the records are made, which decides whether a clinic sends them. */
  day?: string;
  /** When they are made, in the place of some seconds after ten o'clock of that day. */
  generatedAt?: string;
  /** The indexes of the documents that are cancelled after all are issued. */
  cancels?: readonly number[];
}

/** Returns the chain of the records of documents, the first of which begins it. */
export function chainOf(
  documents: readonly FiscalDocument[],
  { chain = 'A1', issuer = testIssuer, day = '2027-07-01', generatedAt, cancels = [] }: ChainOptions = {},
): FiscalRecord[] {
  let previous: ChainHead | null = null;
  const added = <R extends FiscalRecord>(record: R): R => {
    previous = headOf(record);
    return record;
  };
  const place = (index: number) => ({
    chain,
    previous,
    documentOpId: `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    generatedAt: generatedAt ?? `${day}T10:00:${String(index % 60).padStart(2, '0')}+02:00`,
    sha256,
  });
  const issued: IssueRecord[] = documents.map((document, index) => added(issueRecord(document, issuer, place(index))));
  return [...issued, ...cancels.map((index) => added(cancelRecord(issued[index]!, place(index))))];
}
