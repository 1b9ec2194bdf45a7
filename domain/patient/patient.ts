/**
 * Who is treated: a name and perhaps a phone number, nothing medical. Whoever meets a patient first makes the id, so that it
 * can be done without a network. Two tablets that meet the same person apart make two patients, and nobody merges them.
 *
 * Name and phone each keep the time at which they were said: the later word stands, in whatever order the words arrive.
 * Times are milliseconds since 1970.
 */
import type { Problems } from '../problems.ts';

export interface Patient {
  id: string;
  name: string;
  nameAtMs: number;
  /** As typed; empty where nobody has said it. */
  phone: string;
  phoneAtMs: number;
}

/** The patient of a treatment, as the device knows them. */
export interface PatientPayload {
  patient_id: string;
  name: string;
  /** Empty when the patient has no phone number; absent when nobody stated one. */
  phone?: string | undefined;
  /** True when the device only repeats what the server told it. Such a payload changes nothing of a known patient. */
  known?: boolean | undefined;
}

/** What somebody said of a patient, and when. */
export interface PatientUpdate {
  id: string;
  name: string;
  /** Undefined says nothing of it; empty says that there is none. */
  phone: string | undefined;
  atMs: number;
}

/** When a word was said that only repeats what a device had been told: before every other word. */
export const beforeAnyUpdateMs = 0;

/** Two words of the same moment are told apart by their text, so that every order of arrival ends the same. */
const isLater = (text: string, atMs: number, known: string, knownAtMs: number): boolean =>
  atMs > knownAtMs || (atMs === knownAtMs && text > known);

/** @returns the patient after the word; `known` itself where the word changes nothing */
export function mergePatient(known: Patient | null, { id, name, phone, atMs }: PatientUpdate): Patient {
  if (!known)
    return { id, name, nameAtMs: atMs, phone: phone ?? '', phoneAtMs: phone === undefined ? beforeAnyUpdateMs : atMs };
  const named = isLater(name, atMs, known.name, known.nameAtMs) ? { name, nameAtMs: atMs } : null;
  const phoned =
    phone !== undefined && isLater(phone, atMs, known.phone, known.phoneAtMs) ? { phone, phoneAtMs: atMs } : null;
  return named || phoned ? { ...known, ...named, ...phoned } : known;
}

/** A form's fields. */
export interface PatientDraft {
  name: string;
  phone: string;
}

export const patientLimits = { name: 200, phone: 40 } as const;
const minNameLength = 3;

export function patientProblems({ name, phone }: PatientDraft): Problems<keyof PatientDraft> {
  return {
    ...(name.trim().length < minNameLength
      ? { name: 'PERSON_NAME_SHORT' }
      : name.length > patientLimits.name && { name: 'TOO_LONG' }),
    ...(phone.length > patientLimits.phone && { phone: 'TOO_LONG' }),
  };
}
