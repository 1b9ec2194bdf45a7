/**
 * Patients: a name and perhaps a phone number, no medical data. The device that first enters a patient creates the id,
 * so no network is needed. If two devices enter the same person independently, two patients remain.
 *
 * Name and phone are last-writer-wins registers: each keeps the place of its last update, and of two updates the one that
 * stands later wins (`fact-order.ts`). The recipient of full invoices is another such register.
 */
import { comparePlaces, placeAmong } from '../fact-order.ts';
import type { FactPlace } from '../fact-order.ts';
import type { Recipient } from '../tax/document.ts';
import type { Problems } from '../problems.ts';

export interface Patient {
  id: string;
  name: string;
  nameAt: FactPlace;
  /** Phone number as typed; empty if unknown. */
  phone: string;
  phoneAt: FactPlace;
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
  at: FactPlace;
}

/** The recipient of a full invoice of one of the patient's treatments. The latest is kept for the next invoice. */
export interface RecipientUpdate {
  id: string;
  recipient: Recipient;
  at: FactPlace;
}

/** The place of an update that only repeats what the device received from the server: it loses to every other update. */
export const beforeAnyUpdate: FactPlace = { atMs: 0, deviceId: 0, deviceSeq: 0 };

/**
 * Returns the place of an update if it wins; null if the known value does. The text breaks ties between calls over REST and
 * between repetitions, so that the order of arrival does not matter.
 */
export function placeOfWinner(
  [text, at]: readonly [text: string, at: FactPlace],
  [known, knownAt]: readonly [text: string, at: FactPlace],
): FactPlace | null {
  const place = placeAmong(at, [knownAt]);
  const order = comparePlaces(place, knownAt);
  return order > 0 || (order === 0 && text > known) ? place : null;
}

/** Applies an update; returns `known` itself if nothing changes. */
export function mergePatient(known: Patient | null, { id, name, phone, at }: PatientUpdate): Patient {
  if (!known) return { id, name, nameAt: at, phone: phone ?? '', phoneAt: phone === undefined ? beforeAnyUpdate : at };
  const nameAt = placeOfWinner([name, at], [known.name, known.nameAt]);
  const phoneAt = phone === undefined ? null : placeOfWinner([phone, at], [known.phone, known.phoneAt]);
  if (!nameAt && !phoneAt) return known;
  return { ...known, ...(nameAt && { name, nameAt }), ...(phoneAt && { phone: phone!, phoneAt }) };
}

export interface PatientDraft {
  name: string;
  phone: string;
}

export const blankPatient: PatientDraft = { name: '', phone: '' };

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
