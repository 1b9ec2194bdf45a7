/**
 * The patient search: by the beginning of any word of the name, without accents, by digits of the phone number, and for
 * those who may read it by e-mail address and by the number of the recipient of invoices.
 */
import { nameWords } from '../search-key.ts';
import { isTaxId, normalTaxId } from '../tax/tax-id.ts';
import type { PatientDetails } from './resources.ts';

/** Fewer trailing digits match too many patients. */
const fewestDigits = 4;

export const phoneDigits = (phone: string): string => phone.replace(/\D/g, '');

/** Returns the index keys of a patient: the words of the name, and the suffixes of the phone number. */
export function patientKeys({ name, phone }: { name: string; phone: string }): string[] {
  const digits = phoneDigits(phone);
  const starts = Math.max(Math.min(1, digits.length), digits.length - fewestDigits + 1);
  return [...new Set([...nameWords(name), ...Array.from({ length: starts }, (_, start) => digits.slice(start))])];
}

/** Returns the index keys of a patient's details: the address as a whole and by the words before its `@`, and the number. */
export function detailsKeys({ email, recipient }: Pick<PatientDetails, 'email' | 'recipient'>): string[] {
  const address = email.trim().toLowerCase();
  const number = recipient?.tax_id.toLowerCase() ?? '';
  return [...new Set([address, ...nameWords(address.split('@')[0]!), number])].filter(Boolean);
}

/** Returns the terms of a search text, each of which must be the beginning of a key. A number or an address is one term. */
export function patientTerms(text: string): string[] {
  if (/^[\d\s+()./-]*$/.test(text)) return [phoneDigits(text)].filter(Boolean);
  if (text.includes('@')) return [text.trim().toLowerCase()];
  const number = normalTaxId(text);
  return isTaxId(number) ? [number.toLowerCase()] : nameWords(text);
}
