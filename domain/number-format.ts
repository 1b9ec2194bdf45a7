/**
 * The form of numbers on screens, on paper and in files. It is the same in both languages, because amounts have one form
 * in both: a point groups thousands and a comma begins the decimals, as in 1.234,50. A screen with `1,108` beside
 * `EUR 1.108,00` would have its reader guess.
 */

/** Returns a number format of the clinic. Groups begin at four digits, where Spanish by itself begins at five. */
export const numberFormat = (style: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  new Intl.NumberFormat('es-ES', { maximumFractionDigits: 3, useGrouping: 'always', ...style });
