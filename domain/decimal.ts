/**
 * How numbers are read, typed or in a cell of a table, and written into a field again.
 *
 * Screens write 1.234,50 (`number-format.ts`), so the comma is the decimal mark. People also type a point, because the
 * numeric keypad of a keyboard has no comma, and paste what other programs write. What is read means one thing only:
 *
 * - a comma begins the decimals: `20,5`, and `12,345` has three of them;
 * - a point before exactly three last digits groups thousands, as `1.200` is 1200, unless no group can stand before it:
 *   `0.500` and `1234.500` have decimals. Any other point begins the decimals: `20.50`;
 * - of two different marks the last one begins the decimals: `1.234,50` and `1,234.50` are the same;
 * - a mark that occurs several times groups thousands: `1.234.567`;
 * - more decimals than the field has are refused, zeros too: whoever typed `12,000` as an amount may have meant
 *   twelve thousand.
 */
import { numberFormat } from './number-format.ts';

export interface DecimalForm {
  /** The number of decimals that the value has at most. */
  decimals: 0 | 2 | 3;
  /** True for amounts, which are written with both decimals. */
  isFixed?: boolean;
}

export const amountForm: DecimalForm = { decimals: 2, isFixed: true };
export const percentForm: DecimalForm = { decimals: 2 };
export const quantityForm: DecimalForm = { decimals: 3 };
export const wholeForm: DecimalForm = { decimals: 0 };

export type DecimalFault = 'NUMBER_INVALID' | 'NUMBER_TOO_FINE' | 'NUMBER_NOT_WHOLE' | 'NUMBER_TOO_LARGE';

/** The number in units of its last decimal (2 decimals: hundredths), null for an empty text, or why it is not read. */
export type Reading = { scaled: number | null; fault?: never } | { scaled?: never; fault: DecimalFault };

/** Longer than any number with its groups and its currency. The expressions below never meet a longer text. */
const longestNumber = 60;

/** A currency or a percent sign before and after the number, as in a copied text. */
const labelBefore = /^(?:[A-Z]{3}|Rs|\p{Sc})\p{Zs}*/u;
const labelAfter = /(?:[A-Z]{3}|\p{Sc}|%)$/u;
const space = /\p{Zs}/u;
const zero = /0/;
/** Groups set apart by spaces or apostrophes. */
const spacedGroups = /^\d{1,3}(?:[\p{Zs}'’]\d{3})+(?=[.,]|$)/u;

/** Reads a number. */
export function readDecimal(text: string, { decimals }: DecimalForm): Reading {
  const trimmed = text.trim();
  if (trimmed === '') return { scaled: null };
  if (trimmed.length > longestNumber) return { fault: 'NUMBER_INVALID' };
  const signed = withoutEnd(halfWidth(trimmed).replace(labelBefore, '').replace(labelAfter, ''), space);
  const isNegative = /^[-−]/.test(signed);
  const number = (isNegative ? signed.slice(1) : signed).replace(spacedGroups, (groups) => groups.replace(/\D/g, ''));
  if (!/^[\d.,]+$/.test(number) || !/\d/.test(number)) return { fault: 'NUMBER_INVALID' };
  const parts = partsOf(number);
  if (!parts) return { fault: 'NUMBER_INVALID' };
  const { whole, fraction } = parts;
  if (fraction.length > decimals) return { fault: decimals === 0 ? 'NUMBER_NOT_WHOLE' : 'NUMBER_TOO_FINE' };
  const scaled = Number(whole + fraction.padEnd(decimals, '0'));
  if (scaled > Number.MAX_SAFE_INTEGER) return { fault: 'NUMBER_TOO_LARGE' };
  return { scaled: isNegative && scaled !== 0 ? -scaled : scaled };
}

/** Returns the text with the wide digits, letters and marks of East Asian keyboards as usual ones. */
const halfWidth = (text: string): string =>
  text.replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** Returns a text without the signs of one kind at its end. */
function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

interface Parts {
  whole: string;
  fraction: string;
}

/** Splits digits and marks by the rules above; null for what is no number. */
function partsOf(number: string): Parts | null {
  const marks = number.match(/[.,]/g) ?? [];
  const last = number.lastIndexOf(marks.at(-1) ?? '');
  const [before, after] = [number.slice(0, last), number.slice(last + 1)];
  if (marks.length === 0) return { whole: number, fraction: '' };
  if (marks.length === 1) {
    const isGrouping = marks[0] === '.' && after.length === 3 && isGroup(before);
    return isGrouping ? { whole: before + after, fraction: '' } : { whole: before, fraction: after };
  }
  const isGrouping = marks.every((mark) => mark === marks[0]);
  const whole = isGrouping ? number : before;
  const groups = whole.split(marks[0]!);
  if (!isGroup(groups[0]!) || !groups.slice(1).every((group) => /^\d{3}$/.test(group))) return null;
  return { whole: groups.join(''), fraction: isGrouping ? '' : after };
}

/** Returns true for what can stand before a group of three digits. */
const isGroup = (digits: string): boolean => /^[1-9]\d{0,2}$/.test(digits);

/**
 * Writes a number for a field in which somebody types: without groups, which would be wrong after the next digit, and so
 * that it reads as itself.
 */
export function writeDecimal(scaled: number, { decimals, isFixed = false }: DecimalForm): string {
  if (!Number.isFinite(scaled)) return '';
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const all = digits.slice(digits.length - decimals);
  const fraction = isFixed ? all : withoutEnd(all, zero);
  return `${scaled < 0 ? '-' : ''}${whole}${fraction && `,${fraction}`}`;
}

const plain = numberFormat();
const hundredths = numberFormat({ minimumFractionDigits: 2 });

/** Formats a number, in groups, for a reader. */
export function formatDecimal(scaled: number, { decimals, isFixed = false }: DecimalForm): string {
  return (isFixed ? hundredths : plain).format(scaled / 10 ** decimals);
}
