/**
 * How typed numbers are read, and written into a field again.
 *
 * Screens write 1.234,50 (`number-format.ts`), but people type either mark, and the numeric keypad of a keyboard has
 * only the point. So a mark that can only mean one thing is read so:
 *
 * - of two different marks the last one begins the decimals: `1.234,50` and `1,234.50` are the same;
 * - a mark that occurs several times groups thousands: `1.234.567`;
 * - one mark with one, two or more than three digits behind it begins the decimals: `20,5`, `20.50`;
 * - one mark with exactly three digits behind it groups thousands, because amounts, percentages and pieces don't have
 *   three decimals: `1.234` and `1,234` are 1234, and `0.500` is one half, because no group begins with 0;
 * - what is measured (kilograms, litres) can have three decimals. There the comma begins them, as on the screen, and
 *   `1.234` is not read, because it could be either.
 */
import { numberFormat } from './number-format.ts';

export interface DecimalForm {
  /** The number of decimals that the value has at most. */
  decimals: 0 | 2 | 3;
  /** True for what is measured and so has three decimals now and then. */
  isMeasured?: boolean;
  /** True for amounts, which are written with both decimals. */
  isFixed?: boolean;
}

export const amountForm: DecimalForm = { decimals: 2, isFixed: true };
export const percentForm: DecimalForm = { decimals: 2 };
export const wholeForm: DecimalForm = { decimals: 0 };

export type DecimalFault =
  | 'NUMBER_INVALID'
  | 'NUMBER_AMBIGUOUS'
  | 'NUMBER_TOO_FINE'
  | 'NUMBER_NOT_WHOLE'
  | 'NUMBER_TOO_LARGE';

/** The number in units of its last decimal (2 decimals: hundredths), null for an empty text, or why it is not read. */
export type Reading = { scaled: number | null; fault?: never } | { scaled?: never; fault: DecimalFault };

/** A currency or a percent sign around the number, as in a copied text. */
const labels = /^(?:[A-Z]{3}|Rs|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc}|%)$/gu;
/** Groups set apart by spaces or apostrophes. */
const spacedGroups = /^\d{1,3}(?:[\s'’]\d{3})+(?=[.,]|$)/;

/** Reads a typed number. */
export function readDecimal(text: string, { decimals, isMeasured = false }: DecimalForm): Reading {
  if (text.trim() === '') return { scaled: null };
  const signed = text.trim().replace(labels, '');
  const isNegative = /^[-−]/.test(signed);
  const number = (isNegative ? signed.slice(1) : signed).replace(spacedGroups, (groups) => groups.replace(/\D/g, ''));
  if (!/^[\d.,]*\d[\d.,]*$/.test(number)) return { fault: 'NUMBER_INVALID' };
  const parts = partsOf(number, isMeasured);
  if (typeof parts === 'string') return { fault: parts };
  const fraction = parts.fraction.replace(/0+$/, '');
  if (fraction.length > decimals) return { fault: decimals === 0 ? 'NUMBER_NOT_WHOLE' : 'NUMBER_TOO_FINE' };
  const scaled = Number(parts.whole + fraction.padEnd(decimals, '0'));
  if (scaled > Number.MAX_SAFE_INTEGER) return { fault: 'NUMBER_TOO_LARGE' };
  return { scaled: isNegative && scaled !== 0 ? -scaled : scaled };
}

interface Parts {
  whole: string;
  fraction: string;
}

/** Splits digits and marks by the rules above. */
function partsOf(number: string, isMeasured: boolean): Parts | DecimalFault {
  const marks = number.match(/[.,]/g) ?? [];
  const last = number.lastIndexOf(marks.at(-1) ?? '');
  const [before, after] = [number.slice(0, last), number.slice(last + 1)];
  if (marks.length === 0) return { whole: number, fraction: '' };
  if (marks.length === 1) {
    if (after.length !== 3 || !isGroup(before)) return { whole: before, fraction: after };
    if (!isMeasured) return { whole: before + after, fraction: '' };
    return marks[0] === ',' ? { whole: before, fraction: after } : 'NUMBER_AMBIGUOUS';
  }
  const isGrouping = marks.every((mark) => mark === marks[0]);
  const whole = isGrouping ? number : before;
  const groups = whole.split(marks[0]!);
  if (!isGroup(groups[0]!) || !groups.slice(1).every((group) => /^\d{3}$/.test(group))) return 'NUMBER_INVALID';
  return { whole: groups.join(''), fraction: isGrouping ? '' : after };
}

/** Returns true for what can stand before a group of three digits. */
const isGroup = (digits: string): boolean => /^[1-9]\d{0,2}$/.test(digits);

/**
 * Writes a number for a field in which somebody types: without groups, which would be wrong after the next digit, and so
 * that it reads as itself.
 */
export function writeDecimal(scaled: number, { decimals, isMeasured = false, isFixed = false }: DecimalForm): string {
  if (!Number.isFinite(scaled)) return '';
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const all = digits.slice(digits.length - decimals);
  const fraction = isFixed ? all : all.replace(/0+$/, '');
  // Three decimals of a piece would read as thousands.
  const filler = fraction.length === 3 && !isMeasured && isGroup(whole) ? '0' : '';
  return `${scaled < 0 ? '-' : ''}${whole}${fraction && `,${fraction}${filler}`}`;
}

const plain = numberFormat();
const hundredths = numberFormat({ minimumFractionDigits: 2 });

/** Formats a number, in groups, for a reader. */
export function formatDecimal(scaled: number, { decimals, isFixed = false }: DecimalForm): string {
  return (isFixed ? hundredths : plain).format(scaled / 10 ** decimals);
}
