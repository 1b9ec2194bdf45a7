/** The rates of VAT in Spain, with the days between which those that were law for a time applied. */
import { daysAfter } from '../business-day.ts';
import type { TaxRate } from './codes.ts';

interface LegalRate {
  percent: number;
  from: string;
  /** The last day; absent of a rate in force. */
  until?: string;
}

/** Law 37/1992, articles 90 and 91, and the decrees on food and energy of 2022 to 2024. */
const legalRates: readonly LegalRate[] = [
  { percent: 0, from: '1993-01-01' },
  { percent: 4, from: '1995-01-01' },
  { percent: 10, from: '2012-09-01' },
  { percent: 21, from: '2012-09-01' },
  { percent: 5, from: '2022-07-01', until: '2024-09-30' },
  { percent: 2, from: '2024-10-01', until: '2024-12-31' },
  { percent: 7.5, from: '2024-10-01', until: '2024-12-31' },
];

const isLegalBetween = (percent: number, from: string, next: string | undefined): boolean =>
  legalRates.some((legal) => {
    const isOver = legal.until !== undefined && (next === undefined || next > daysAfter(legal.until, 1));
    return legal.percent === percent && from >= legal.from && !isOver;
  });

/** True where each rate is law from its first day until the next one begins. The tax agency rejects any other (error 1124). */
export function areLegal({ rates }: Pick<TaxRate, 'rates'>): boolean {
  const ordered = rates.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return ordered.every(({ from, percent }, index) => isLegalBetween(percent, from, ordered[index + 1]?.from));
}
