/**
 * The form of numbers on screens, on paper and in files. It is the same in both languages, because amounts have one form
 * in both: a point groups thousands and a comma begins the decimals, as in 1.234,50. A screen with `1,108` beside
 * `EUR 1.108,00` would have its reader guess.
 */

/** What callers need of `Intl.NumberFormat`. */
export interface NumberFormat {
  format: (value: number) => string;
}

/** Formats an integer as `numberFormat` does, without a locale. */
export function formatInteger(value: number): string {
  const digits = String(Math.abs(value));
  const first = digits.length % 3 || 3;
  let groups = digits.slice(0, first);
  for (let at = first; at < digits.length; at += 3) groups += `.${digits.slice(at, at + 3)}`;
  return value < 0 ? `-${groups}` : groups;
}

/**
 * Returns a number format of the clinic. Groups begin at four digits, where Spanish by itself begins at five. The browser
 * loads a locale at the first number, which takes as long as drawing a screen, so a format is made when it is needed, and
 * without a style only for fractions: the first screen shows integers.
 */
export function numberFormat(style?: Intl.NumberFormatOptions): NumberFormat {
  let made: Intl.NumberFormat | undefined;
  const make = () => new Intl.NumberFormat('es-ES', { maximumFractionDigits: 3, useGrouping: 'always', ...style });
  return {
    format: (value) => (!style && Number.isSafeInteger(value) ? formatInteger(value) : (made ??= make()).format(value)),
  };
}
