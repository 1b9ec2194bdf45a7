/** The codes of devices, which document numbers contain. */

// Without I and O, which look like digits.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Returns the code of the n-th device of a clinic (n from 0): A1 … A9, B1 … Z9, AA1 … . The digit 0 is reserved for the server
 * (`serverDeviceCode`). Codes are granted in order and never reused.
 */
export const deviceCode = (n: number): string => `${wordOf(Math.floor(n / 9))}${(n % 9) + 1}`;

function wordOf(n: number): string {
  let rest = n;
  let word = letters[rest % letters.length]!;
  while ((rest = Math.floor(rest / letters.length) - 1) >= 0) word = letters[rest % letters.length]! + word;
  return word;
}

/** The code of the server's own device: it is in the numbers of documents that the server issues. */
export const serverDeviceCode = 'S0';

/** Returns the n-th code of a server's own device where clinics share a sequence of codes: A0, B0 … . */
export const serverCode = (n: number): string => `${wordOf(n)}0`;

export const isServerCode = (code: string): boolean => code.endsWith('0');

/**
 * Returns the letters that begin all codes of one taxpayer on one installation, so that installations which know nothing
 * of each other grant different codes.
 *
 * @param below returns a random integer from 0 to below its argument
 */
export const codePrefix = (below: (limit: number) => number): string =>
  Array.from({ length: 3 }, () => letters[below(letters.length)]!).join('');
