/** How a patient is found: by the beginning of any word of the name, without accents, or by digits of the phone number. */
import { searchKey } from '../search-key.ts';

/** Fewer last digits than these tell nobody apart. */
const fewestDigits = 4;

export const phoneDigits = (phone: string): string => phone.replace(/\D/g, '');

/** The words of a name in their normal form; a hyphen parts two. */
export const nameWords = (name: string): string[] =>
  searchKey(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** What an index needs: the words of the name, and the phone number from each of its digits on. */
export function patientKeys({ name, phone }: { name: string; phone: string }): string[] {
  const digits = phoneDigits(phone);
  const starts = Math.max(Math.min(1, digits.length), digits.length - fewestDigits + 1);
  return [...new Set([...nameWords(name), ...Array.from({ length: starts }, (_, start) => digits.slice(start))])];
}

/** What was typed, as the beginnings that must all be found; a phone number is one, however it is spaced. */
export function patientTerms(text: string): string[] {
  if (/^[\d\s+()./-]*$/.test(text)) return [phoneDigits(text)].filter(Boolean);
  return nameWords(text);
}
