/**
 * Document numbers (SYNC-12): the series' prefix, the device's code, and a counter that only this device advances. So a number
 * is final when it is printed, with or without a network. Examples: `T-A7-000123`, `INV-A7-000123`, `R-A7-000123`.
 */
export const series = ['treatment', 'invoice', 'credit_note'] as const;
export type Series = (typeof series)[number];

/** The last number that a device has used in each series. */
export type NumberCounters = Record<Series, number>;

export const noNumbersUsed: NumberCounters = { treatment: 0, invoice: 0, credit_note: 0 };

const prefixes: Record<Series, string> = { treatment: 'T', invoice: 'INV', credit_note: 'R' };

export function formatNumber(of: Series, code: string, count: number): string {
  return `${prefixes[of]}-${code}-${String(count).padStart(6, '0')}`;
}

/** Parses a number of the given series; returns null for any other text. */
export function parseNumber(of: Series, number: string): { code: string; count: number } | null {
  const match = /^([A-Z]+)-([A-Z]+\d)-(\d{6,})$/.exec(number);
  if (!match || match[1] !== prefixes[of]) return null;
  return { code: match[2]!, count: Number(match[3]) };
}
