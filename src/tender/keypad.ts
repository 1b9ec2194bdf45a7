/**
 * The cash keypad enters cents first: 4, 5, 0, 0 is 45.00. The amount starts as the amount due, and the first key
 * replaces it.
 */
import { maxMinor } from '#domain/limits.ts';
import { amountForm, readDecimal, writeDecimal } from '#domain/decimal.ts';

export const keypadKeys = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0', 'back'] as const;
export type KeypadKey = (typeof keypadKeys)[number];

/**
 * An amount being entered. `text` is the content of the field; `untouched` is true until somebody changes the proposal.
 */
export interface AmountEntry {
  text: string;
  untouched: boolean;
}

/** Writes an amount for a field in which somebody types. */
export const amountText = (minor: number): string => writeDecimal(minor, amountForm);

export function proposeAmount(dueMinor: number): AmountEntry {
  return { text: amountText(Math.max(0, dueMinor)), untouched: true };
}

/** Reads an amount in minor units; null if the text is empty or not an amount. */
export function amountMinor(text: string): number | null {
  const { scaled = null } = readDecimal(text, amountForm);
  return scaled !== null && scaled >= 0 ? scaled : null;
}

export function pressKey(entry: AmountEntry, key: KeypadKey): AmountEntry {
  if (key === 'back') {
    const minor = entry.untouched ? 0 : Math.floor((amountMinor(entry.text) ?? 0) / 10);
    return { text: amountText(minor), untouched: false };
  }
  const before = entry.untouched ? 0 : (amountMinor(entry.text) ?? 0);
  const after = key === '00' ? before * 100 : before * 10 + Number(key);
  return after > maxMinor ? { ...entry, untouched: false } : { text: amountText(after), untouched: false };
}
