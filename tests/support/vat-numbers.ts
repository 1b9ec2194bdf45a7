/**
 * The VAT numbers of the European Union, for what stands in for the tax agency and for the tests of the product's own check,
 * with which it shares nothing. The structures are those of the European Commission: VIES, frequently asked questions, «What is
 * the structure of a VAT number?». The numbers are of companies and of public administrations that publish them, and of the
 * documentation of public checkers (python-stdnum, jsvat).
 */

/** What a character of a structure stands for. Any other stands for itself. */
const alphabets: Readonly<Record<string, string>> = {
  9: '0123456789',
  /** Of Romania, whose numbers have no leading zero. */
  n: '123456789',
  /** A letter. */
  l: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  /** A letter or a digit. The Commission also admits `+` and `*`, which no number has had for long and the agency does not take. */
  x: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  /** The letters of a number of Ireland that has two. */
  w: 'ABCDEFGHIJKLMNOPQRSTUVW',
  i: 'ABCDEFGHI',
};

/** What follows the prefix. Greece has `EL`; Northern Ireland `XI`, for goods. Spain's own numbers are NIFs. */
export const vatStructures: Readonly<Record<string, readonly string[]>> = {
  AT: ['U99999999'],
  BE: ['0999999999', '1999999999'],
  BG: ['999999999', '9999999999'],
  CY: ['99999999l'],
  CZ: ['99999999', '999999999', '9999999999'],
  DE: ['999999999'],
  DK: ['99999999'],
  EE: ['999999999'],
  EL: ['999999999'],
  FI: ['99999999'],
  FR: ['xx999999999'],
  HR: ['99999999999'],
  HU: ['99999999'],
  IE: ['9x99999l', '9999999wi'],
  IT: ['99999999999'],
  LT: ['999999999', '999999999999'],
  LU: ['99999999'],
  LV: ['99999999999'],
  MT: ['99999999'],
  NL: ['xxxxxxxxxxxx'],
  PL: ['9999999999'],
  PT: ['999999999'],
  RO: Array.from({ length: 9 }, (_, more) => `n${'9'.repeat(more + 1)}`),
  SE: ['999999999999'],
  SI: ['99999999'],
  SK: ['9999999999'],
  XI: ['999999999', '999999999999', 'GD999', 'HA999'],
};

const hasStructure = (text: string, structure: string): boolean =>
  text.length === structure.length &&
  Array.from(structure).every((place, at) => (alphabets[place] ?? place).includes(text.charAt(at)));

/** True for what can be a VAT number of a member state. */
export const hasVatStructure = (id: string): boolean =>
  (vatStructures[id.slice(0, 2)] ?? []).some((structure) => hasStructure(id.slice(2), structure));

export const vatNumbers: readonly string[] = [
  'ATU13585627',
  'BE0428759497',
  'BG175074752',
  'BG7523169263',
  'CY10259033P',
  'CZ25123891',
  'CZ640903926',
  'CZ7103192745',
  'DE136695976',
  'DK13585628',
  'EE100931558',
  'EL094259216',
  'FI20774740',
  'FR40303265045',
  'FRK7399859412',
  'HR33392005961',
  'HU12892312',
  'IE6433435F',
  'IE6433435OA',
  'IE8D79739I',
  'IT00743110157',
  'LT119511515',
  'LT100001919017',
  'LU15027442',
  'LV40003521600',
  'MT11679112',
  'NL004495445B01',
  'NL123456789B13',
  'PL8567346215',
  'PT501964843',
  'RO18547290',
  'SE123456789701',
  'SI50223054',
  'SK2022749619',
  'XI980780684',
  'XIGD001',
];

/** What people enter as one, and is none. */
export const notVatNumbers: readonly [id: string, why: string][] = [
  ['', 'nothing'],
  ['136695976', 'no prefix'],
  ['DE 136 695 976', 'spaces'],
  ['de136695976', 'small letters'],
  ['DE13669597', 'a digit too few'],
  ['DE1366959760', 'a digit too many'],
  ['AT13585627', 'without the U of Austria'],
  ['AT123456789', 'a digit in the place of the U'],
  ['BE428759497', 'the nine digits of Belgium before 2005'],
  ['BE2428759497', 'a first digit that Belgium does not use'],
  ['CY102590330', 'a digit in the place of the letter'],
  ['FR303265045', 'a company number without its key'],
  ['FR4030326504A', 'a letter in the company number'],
  ['GR094259216', 'the country code of Greece'],
  ['IE64334351', 'no letter'],
  ['IE6433435OZ', 'a second letter that Ireland does not use'],
  ['IT0074311015', 'a digit too few'],
  ['LT1195115151', 'a length between the two of Lithuania'],
  ['NL004495445B1', 'a character too few'],
  ['RO0185472', 'a leading zero'],
  ['RO1', 'one digit'],
  ['SE1234567897', 'the ten digits of a Swedish company'],
  ['XIGD01', 'a digit too few'],
  ['ESB65410011', 'a Spanish number'],
  ['GB980780684', 'a country that has left'],
  ['CHE116281710', 'a country that never joined'],
];

/** Returns texts that differ from a number by one character, in place, length or kind. */
export function nearVatNumbers(id: string): string[] {
  const characters = ['0', '1', '2', '9', 'A', 'I', 'J', 'U', 'W', 'X', 'Z', '+', ' ', 'a'];
  return Array.from({ length: id.length - 1 }, (_, at) => at + 2).flatMap((at) => [
    id.slice(0, at) + id.slice(at + 1),
    ...characters.flatMap((character) => [
      id.slice(0, at) + character + id.slice(at),
      id.slice(0, at) + character + id.slice(at + 1),
    ]),
  ]);
}

/** Returns the numbers of each structure whose characters are the first, or the last, of their alphabets. */
export const outermostVatNumbers: readonly string[] = Object.entries(vatStructures).flatMap(([prefix, structures]) =>
  structures.flatMap((structure) =>
    [0, -1].map((end) => prefix + Array.from(structure, (place) => (alphabets[place] ?? place).at(end)!).join('')),
  ),
);
