/**
 * Numbers on paper (SYNC-12): a series letter, the device's code, and a count that only that device advances, so a
 * number is final the moment it is printed, with or without a network. `T-A7-000123`, `INV-A7-000123`, `R-A7-000123`.
 */
export const series = ['treatment', 'invoice', 'credit_note'] as const;
export type Series = (typeof series)[number];

/** How many numbers of each series a device has used. */
export type NumberCounters = Record<Series, number>;

export const noNumbersUsed: NumberCounters = { treatment: 0, invoice: 0, credit_note: 0 };

const prefixes: Record<Series, string> = { treatment: 'T', invoice: 'INV', credit_note: 'R' };

export function formatNumber(of: Series, code: string, count: number): string {
  return `${prefixes[of]}-${code}-${String(count).padStart(6, '0')}`;
}

/** The device code and count in a number of the given series; null when it is no such number. */
export function parseNumber(of: Series, number: string): { code: string; count: number } | null {
  const match = /^([A-Z]+)-([A-Z]+\d)-(\d{6,})$/.exec(number);
  if (!match || match[1] !== prefixes[of]) return null;
  return { code: match[2]!, count: Number(match[3]) };
}

// Without I and O, which read as digits on a receipt.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * The code of the n-th device of a clinic (n from 0): A1 … A9, B1 … Z9, AA1 … . The digit 0 is left to the server itself
 * (`serverDeviceCode`). Codes are granted in order and never reused.
 */
export function deviceCode(n: number): string {
  const digit = (n % 9) + 1;
  let rest = Math.floor(n / 9);
  let word = letters[rest % letters.length]!;
  while ((rest = Math.floor(rest / letters.length) - 1) >= 0) word = letters[rest % letters.length]! + word;
  return `${word}${digit}`;
}

/** Under this code the server numbers what reaches it as a request rather than as a fact. */
export const serverDeviceCode = 'S0';
