/** The patient search: by the beginning of any word of the name, without accents, or by digits of the phone number. */
import { nameWords } from '../search-key.ts';

/** Fewer trailing digits match too many patients. */
const fewestDigits = 4;

export const phoneDigits = (phone: string): string => phone.replace(/\D/g, '');

/** Returns the index keys of a patient: the words of the name, and the suffixes of the phone number. */
export function patientKeys({ name, phone }: { name: string; phone: string }): string[] {
  const digits = phoneDigits(phone);
  const starts = Math.max(Math.min(1, digits.length), digits.length - fewestDigits + 1);
  return [...new Set([...nameWords(name), ...Array.from({ length: starts }, (_, start) => digits.slice(start))])];
}

/** Returns the terms of a search text, each of which must be the beginning of a key. A phone number is one term. */
export function patientTerms(text: string): string[] {
  if (/^[\d\s+()./-]*$/.test(text)) return [phoneDigits(text)].filter(Boolean);
  return nameWords(text);
}
