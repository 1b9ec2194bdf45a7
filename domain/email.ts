/** What looks like an e-mail address. Whether somebody reads it, only mail can tell. */
export const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/**
 * Returns the form in which the e-mail of an account is kept and compared: what differs only in capitals, in the way in which
 * an accent is written, or in characters that nobody sees is one address.
 */
export const emailOf = (typed: string): string =>
  typed.normalize('NFKC').replaceAll(unseen, '').trim().toLowerCase().normalize('NFKC');

/** Letters of other scripts beside the Latin ones that they look like. */
const alike = new Map(
  [
    ['a', 'аαɑ'],
    ['b', 'ьЬ'],
    ['c', 'сϲ'],
    ['d', 'ԁ'],
    ['e', 'еҽ'],
    ['g', 'ɡց'],
    ['h', 'һհ'],
    ['i', 'іιıɩ'],
    ['j', 'јϳ'],
    ['k', 'кκ'],
    ['l', 'ӏ'],
    ['m', 'м'],
    ['n', 'ոп'],
    ['o', 'оοօσ'],
    ['p', 'рρ'],
    ['q', 'ԛզ'],
    ['r', 'г'],
    ['s', 'ѕ'],
    ['t', 'тτ'],
    ['u', 'υսц'],
    ['v', 'νѵ'],
    ['w', 'ԝωш'],
    ['x', 'хχ'],
    ['y', 'уүγ'],
    ['z', 'ᴢ'],
  ].flatMap(([latin = '', others = '']) => Array.from(others, (other): [string, string] => [other, latin])),
);

/** Returns what people read: addresses of which they see no difference give the same. Two accounts of a clinic never do. */
export const lookOf = (email: string): string =>
  Array.from(emailOf(email), (letter) => alike.get(letter) ?? letter).join('');
