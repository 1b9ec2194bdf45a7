/** Recognises the passwords that a guesser tries first. The list stays on the server: it is larger than the app. */
import { searchKey } from '#domain/search-key.ts';
import list from './common-passwords.json' with { type: 'json' };

const common = new Set([
  ...list.passwords,
  // Words of this product, in both languages, that the general list lacks.
  ...'admin administrator administrador clinic clinica contrasena dental dentist dentista sonrisa recepcion'.split(' '),
  ...'demo-admin demo-manager demo-counter mostrador reception'.split(' '),
]);

/** Fewer different characters repeat themselves. */
const fewestCharacters = 3;
/** Further words of a long name are not tried in every combination. */
const mostWords = 8;
/** A year and a sign; longer additions to a word are as good as a password of their own. */
const shortAddition = 5;

/** Returns the text and the text without the few digits and signs around it: `Dental2026!` is a common word as well. */
function formsOf(password: string): string[] {
  const plain = searchKey(password).replaceAll(' ', '');
  const letters = [...plain.matchAll(/\p{L}/gu)];
  const last = letters.at(-1);
  const core = last ? plain.slice(letters[0]!.index, last.index + last[0].length) : '';
  const isShort = plain.length - core.length <= shortAddition;
  return [password.toLowerCase(), plain, ...(core !== '' && isShort ? [core] : [])];
}

export interface PasswordOwner {
  name: string;
  email: string;
  /** The names of the clinic. */
  clinic: readonly string[];
}

export function guessableProblem(
  password: string,
  { name, email, clinic }: PasswordOwner,
): 'PASSWORD_COMMON' | 'PASSWORD_PERSONAL' | undefined {
  const forms = formsOf(password);
  if (new Set(password).size < fewestCharacters || forms.some((form) => common.has(form))) return 'PASSWORD_COMMON';
  const personal = new Set([name, email, email.split('@')[0]!, ...clinic].flatMap(wordsOf));
  return forms.some((form) => personal.has(form)) ? 'PASSWORD_PERSONAL' : undefined;
}

/** Returns the words of a name, and neighbouring words written as one. */
function wordsOf(name: string): string[] {
  const words = searchKey(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, mostWords);
  const joined = words.flatMap((_, from) =>
    words.slice(from).map((_word, more) => words.slice(from, from + more + 1).join('')),
  );
  return [searchKey(name).replaceAll(' ', ''), ...joined].filter((word) => word.length > 2);
}
