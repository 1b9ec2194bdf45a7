/**
 * Patients: a name and perhaps a phone number, no medical data. The device that first enters a patient creates the id,
 * so no network is needed. If two devices enter the same person independently, two patients remain.
 *
 * Name and phone are last-writer-wins registers: each keeps the time of its last update, and the later update wins in
 * whatever order updates arrive. Times are milliseconds since 1970.
 */
import type { Recipient } from '../order/tax-document.ts';
import type { Problems } from '../problems.ts';

export interface Patient {
  id: string;
  name: string;
  nameAtMs: number;
  /** Phone number as typed; empty if unknown. */
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

/** An update of a patient's name and phone. */
export interface PatientUpdate {
  id: string;
  name: string;
  /** Undefined leaves the phone unchanged; empty removes it. */
  phone: string | undefined;
  atMs: number;
}

/** The recipient of a full invoice of one of the patient's treatments. The latest is kept for the next invoice. */
export interface RecipientUpdate {
  id: string;
  recipient: Recipient;
  atMs: number;
}

/** The time of an update that only repeats what the device received from the server: it loses to every other update. */
export const beforeAnyUpdateMs = 0;

/** The text breaks ties between updates of the same time, so that the order of arrival does not matter. */
const isLater = (text: string, atMs: number, known: string, knownAtMs: number): boolean =>
  atMs > knownAtMs || (atMs === knownAtMs && text > known);

/** Applies an update; returns `known` itself if nothing changes. */
export function mergePatient(known: Patient | null, { id, name, phone, atMs }: PatientUpdate): Patient {
  if (!known)
    return { id, name, nameAtMs: atMs, phone: phone ?? '', phoneAtMs: phone === undefined ? beforeAnyUpdateMs : atMs };
  const named = isLater(name, atMs, known.name, known.nameAtMs) ? { name, nameAtMs: atMs } : null;
  const phoned =
    phone !== undefined && isLater(phone, atMs, known.phone, known.phoneAtMs) ? { phone, phoneAtMs: atMs } : null;
  return named || phoned ? { ...known, ...named, ...phoned } : known;
}

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
