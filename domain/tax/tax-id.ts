/**
 * Spanish tax numbers (NIF): of citizens (DNI), of foreigners (NIE, also K, L and M) and of companies. The check
 * characters follow Royal Decree 1065/2007, articles 18 to 22, and Order EHA/451/2008.
 */
const controlLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const companyLetters = 'JABCDEFGHI';

/** Removes what people write between the characters, and the country. */
export const normalTaxId = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[\s.\-/]/g, '')
    .replace(/^ES(?=[0-9A-Z]{9}$)/, '');

/** True for a number whose check character is right. */
export function isTaxId(id: string): boolean {
  const person = /^([XYZKLM]?)(\d{7,8})([A-Z])$/.exec(id);
  if (person && id.length === 9) {
    const [, prefix = '', digits = '', letter] = person;
    const number = Number(`${'XYZ'.includes(prefix) && prefix ? 'XYZ'.indexOf(prefix) : ''}${digits}`);
    return controlLetters[number % 23] === letter;
  }
  const company = /^([ABCDEFGHJNPQRSUVW])(\d{7})([0-9A-J])$/.exec(id);
  return company !== null && isCompanyControl(company[1]!, company[2]!, company[3]!);
}

/** Kinds of companies whose control is a letter; those of `ABEH` have a digit, the others either. */
const lettered = 'NPQRSW';
const numbered = 'ABEH';

function isCompanyControl(kind: string, digits: string, control: string): boolean {
  const sum = Array.from(digits).reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / 10) + (value % 10);
  }, 0);
  const digit = (10 - (sum % 10)) % 10;
  const isDigit = control === String(digit);
  const isLetter = control === companyLetters[digit];
  // Foreign companies have a letter; a number that begins with 00 was given to one.
  if (lettered.includes(kind) || digits.startsWith('00')) return isLetter;
  return numbered.includes(kind) ? isDigit : isDigit || isLetter;
}
