/** The codes of devices, which stand in the numbers of documents. */

// Without I and O, which look like digits.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Returns the code of the n-th device of a clinic (n from 0): A1 … A9, B1 … Z9, AA1 … . The digit 0 is reserved for the server
 * (`serverDeviceCode`). Codes are granted in order and never reused.
 */
export function deviceCode(n: number): string {
  const digit = (n % 9) + 1;
  let rest = Math.floor(n / 9);
  let word = letters[rest % letters.length]!;
  while ((rest = Math.floor(rest / letters.length) - 1) >= 0) word = letters[rest % letters.length]! + word;
  return `${word}${digit}`;
}

/** The code of the server's own device: it stands in the numbers of documents that the server issues. */
export const serverDeviceCode = 'S0';
