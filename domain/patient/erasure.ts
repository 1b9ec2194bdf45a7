/**
 * The erasure of a patient. The books stay: treatments with their lines, sums and numbers, and the documents that were
 * issued. Everything else that says something about the patient is removed: name, phone number, e-mail address, recipient of
 * invoices, notes, references and reasons (decision 018).
 */
import type { Problems } from '../problems.ts';
import { isReasonTooShort } from '../reason.ts';
import { nameWords } from '../search-key.ts';
import { phoneDigits } from './search.ts';

/** Replaces a text that must not be empty, such as the reason of a refund. */
export const erasedText = '---';

/** The fields of operations, replies and treatments that hold free text about a patient, under their names on the wire. */
const freeTexts: ReadonlySet<string> = new Set([
  'customer_name',
  'notes',
  'first_notes',
  'discount_reason',
  'reference_number',
  'phone',
  'email',
]);
const documents: ReadonlySet<string> = new Set(['invoice', 'credit_note', 'Invoice', 'Invoices']);

/**
 * Returns an operation's payload, or the data of a reply, without the text about its patient. It stays valid: amounts,
 * numbers, ids and services are unchanged.
 *
 * @param keepDocuments leaves issued documents as they were printed; otherwise they lose their printed rows, because the
 * document itself is stored elsewhere
 */
export function withoutPatientText<T>(value: T, { keepDocuments }: { keepDocuments: boolean }): T {
  return scrubbed(value, keepDocuments) as T;
}

function scrubbed(value: unknown, keepDocuments: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => scrubbed(each, keepDocuments));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, scrubbedField(key, field, keepDocuments)]),
  );
}

function scrubbedField(key: string, field: unknown, keepDocuments: boolean): unknown {
  if (documents.has(key) && keepDocuments) return field;
  if (key === 'printed') return [];
  if (key === 'patient') return withoutIdentity(field);
  if (key === 'recipient' && field) return nobody;
  if (typeof field !== 'string') return scrubbed(field, keepDocuments);
  if (freeTexts.has(key)) return '';
  // An empty reason stays empty: a payment has none.
  return key === 'reason' && field !== '' ? erasedText : field;
}

/** In the place of the recipient of an invoice. The invoice itself, which the law has kept, is stored elsewhere. */
const nobody = { name: erasedText, tax_id: '', address: '', postal_code: '', city: '' };

/** `known`: what is left of the patient changes nothing of a stored patient. */
const withoutIdentity = (patient: unknown): unknown =>
  patient !== null && typeof patient === 'object' && 'patient_id' in patient
    ? { patient_id: patient.patient_id, name: erasedText, known: true }
    : null;

/** The fewest letters of a name, and digits of a phone number, that identify somebody in a text. */
const identifyingLength = { word: 3, digits: 4 };

/** Returns the problem of the reason of an erasure. It is stored, so it must not name the patient. */
export function erasureProblems(reason: string, { name, phone }: { name: string; phone: string }): Problems<'reason'> {
  if (isReasonTooShort(reason)) return { reason: 'REASON_SHORT' };
  const words = new Set(nameWords(reason));
  const named = nameWords(name).some((word) => word.length >= identifyingLength.word && words.has(word));
  const digits = phoneDigits(phone);
  const dialled = digits.length >= identifyingLength.digits && phoneDigits(reason).includes(digits);
  return named || dialled ? { reason: 'REASON_NAMES_PATIENT' } : {};
}
