/** Fiscal records for tests. */
import { createHash } from 'node:crypto';
import { businessDay } from '../../../domain/business-day.ts';
import { cancelRecord, headOf, issueRecord } from '../../../domain/fiscal/record.ts';
import type { ChainHead, FiscalPaper, FiscalRecord, IssueRecord } from '../../../domain/fiscal/record.ts';
import { fiscalDay } from '../../../domain/fiscal/zoned.ts';
import { defaultSettings } from '../../../domain/settings/settings.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase();

export const testIssuer = { taxId: 'B65410011', name: 'Clínica Dental Ñandú & Hijos, S.L.' };

const exempt = (totalMinor: number) => ({
  category: { exempt: 'E1' } as const,
  grossMinor: totalMinor,
  baseMinor: totalMinor,
  taxMinor: 0,
});

export function somePaper(over: Partial<FiscalPaper> = {}): FiscalPaper {
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

/** A paper of the day of the run, which a clinic that sends from today on sends. */
export const paperOfToday = (over: Partial<FiscalPaper> = {}): FiscalPaper =>
  somePaper({ issuedOn: fiscalDay(businessDay(Date.now(), defaultSettings.time_zone)), ...over });

interface ChainOptions {
  chain?: string;
  issuer?: typeof testIssuer;
  /** The indexes of the papers that are cancelled after all are issued. */
  cancels?: readonly number[];
}

/** Returns the chain of the records of papers, the first of which begins it. */
export function chainOf(
  papers: readonly FiscalPaper[],
  { chain = 'A1', issuer = testIssuer, cancels = [] }: ChainOptions = {},
): FiscalRecord[] {
  let previous: ChainHead | null = null;
  const added = <R extends FiscalRecord>(record: R): R => {
    previous = headOf(record);
    return record;
  };
  const place = (index: number) => ({
    chain,
    previous,
    paperOpId: `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    generatedAt: `2027-07-01T10:00:${String(index % 60).padStart(2, '0')}+02:00`,
    sha256,
  });
  const issued: IssueRecord[] = papers.map((paper, index) => added(issueRecord(paper, issuer, place(index))));
  return [...issued, ...cancels.map((index) => added(cancelRecord(issued[index]!, place(index))))];
}
