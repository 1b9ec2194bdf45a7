/**
 * Document numbers (SYNC-12): the series' prefix, the device's code, and a counter that only this device advances. So a number
 * is final when it is printed, with or without a network. Examples: `T-A7-000123`, `INV-A7-000123`, `R-A7-000123`.
 *
 * Invoices that name their recipient (full ones), and the credit notes that correct them, have series of their own. Only
 * a clinic with a tax profile issues them.
 */
const plainSeries = ['treatment', 'invoice', 'credit_note'] as const;
const fullSeries = ['full_invoice', 'full_credit_note'] as const;
export const series = [...plainSeries, ...fullSeries] as const;
export type Series = (typeof series)[number];

/** The last number that a device has used in each series; a full series is absent until its first number. */
export type NumberCounters = Record<(typeof plainSeries)[number], number> &
  Partial<Record<(typeof fullSeries)[number], number | undefined>>;

export const noNumbersUsed: NumberCounters = { treatment: 0, invoice: 0, credit_note: 0 };

const prefixes: Record<Series, string> = {
  treatment: 'T',
  invoice: 'INV',
  credit_note: 'R',
  full_invoice: 'F',
  full_credit_note: 'RF',
};

/** Returns the counters with, of each series, the higher one. */
export function highestCounters(a: NumberCounters, b: NumberCounters): NumberCounters {
  const highest = (of: Series) => Math.max(a[of] ?? 0, b[of] ?? 0);
  const counters: NumberCounters = {
    treatment: highest('treatment'),
    invoice: highest('invoice'),
    credit_note: highest('credit_note'),
  };
  for (const of of fullSeries) if (highest(of) > 0) counters[of] = highest(of);
  return counters;
}

export function formatNumber(of: Series, code: string, count: number): string {
  return `${prefixes[of]}-${code}-${String(count).padStart(6, '0')}`;
}

/** Parses a number of the given series; returns null for any other text. */
export function parseNumber(of: Series, number: string): { code: string; count: number } | null {
  const match = /^([A-Z]+)-([A-Z]+\d)-(\d{6,})$/.exec(number);
  if (!match || match[1] !== prefixes[of]) return null;
  return { code: match[2]!, count: Number(match[3]) };
}

/** Returns the device code of a number of any series. */
export const codeOfNumber = (number: string): string | undefined => {
  for (const of of series) {
    const parsed = parseNumber(of, number);
    if (parsed) return parsed.code;
  }
  return undefined;
};
