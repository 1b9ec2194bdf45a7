/**
 * What a barcode identifies. One product is printed, and read by scanners, in several forms:
 *
 * - UPC-A (12 digits) is EAN-13 with a 0 before it, and both are a GTIN-14 with zeros before it (GS1 General Specifications,
 *   "GTIN in a 14-digit field");
 * - a scanner may put an AIM identifier before the code, as `]C1` or `]d2` (ISO/IEC 15424);
 * - a GS1 code on medical supplies carries the GTIN behind the application identifier `01`, beside expiry and lot;
 * - a HIBC code carries `+`, labeller, product and unit, then a check character, or `/` and the lot (ANSI/HIBC 2.6).
 */

const aimIdentifier = /^\][A-Za-z]\d/;
const gtinLengths = new Set([8, 12, 13, 14]);
/** What stands before an EAN-13, a UPC-A and an EAN-8 in a GTIN-14. */
const gtinZeros = ['0', '00', '000000'];

/** Elements of a fixed length that may stand before the GTIN: days of making, due, packing, best before, sell by and expiry. */
const daysBefore = /^(?:1[1-7]\d{6})+(?=01\d{14})/;
const gtinElement = /^01(\d{14})/;

const hibcPrimary = /^\+[A-Z][A-Z0-9]{3}[A-Z0-9]{1,18}\d(?=[/0-9A-Z\-. $+%]$|\/)/;
const hibcCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%';

/** Returns the same text for all forms of one product's code, and the text itself for a code of another kind. */
export function barcodeKey(text: string): string {
  const code = text.trim().replace(aimIdentifier, '');
  return gtinOf(code) ?? hibcOf(code.replace(/^\*|\*$/g, '').toUpperCase()) ?? code;
}

/** Returns the forms in which somebody may have stored the code of a product. */
export function barcodeForms(text: string): string[] {
  const key = barcodeKey(text);
  if (key.length === 14 && isGtin(key))
    return [key, ...gtinZeros.filter((zeros) => key.startsWith(zeros)).map((zeros) => key.slice(zeros.length))];
  return hibcPrimary.test(`${key}/`) ? [key, `${key}${hibcCheckCharacter(key)}`] : [key];
}

/** Returns whether the text is a GTIN: 8, 12, 13 or 14 digits of which the last one checks the others. */
export const isGtin = (code: string): boolean =>
  gtinLengths.has(code.length) && /^\d+$/.test(code) && gtinCheckDigit(code.slice(0, -1)) === Number(code.at(-1));

/** Computes the check digit: weights 3 and 1 in turn from the right, filled up to a multiple of ten. */
function gtinCheckDigit(digits: string): number {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

function gtinOf(code: string): string | null {
  if (isGtin(code)) return code.padStart(14, '0');
  const elements = code.replace(/\((\d{2,4})\)/g, '$1').replace(daysBefore, '');
  const gtin = gtinElement.exec(elements)?.[1];
  return gtin && isGtin(gtin) ? gtin : null;
}

function hibcOf(code: string): string | null {
  const product = hibcPrimary.exec(code)?.[0];
  if (!product) return null;
  if (code[product.length] === '/') return product;
  return code.length === product.length + 1 && code.endsWith(hibcCheckCharacter(product)) ? product : null;
}

/** Computes the check character: the sum of the characters' places, modulo 43. */
function hibcCheckCharacter(text: string): string {
  const sum = text.split('').reduce((total, character) => total + hibcCharacters.indexOf(character), 0);
  return hibcCharacters[sum % hibcCharacters.length]!;
}
