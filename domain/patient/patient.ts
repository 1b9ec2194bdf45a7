/**
 * Patients: a name and perhaps how to reach them, who pays for them and a note for the counter; no medical data. The device
 * that first enters a patient creates the id, so no network is needed. If two devices enter the same person independently,
 * two patients remain.
 *
 * Each field is a last-writer-wins register: it keeps the place of its last update, and of two updates the later one wins
 * (`fact-order.ts`). The recipient of full invoices is one register, because its number and its address belong to one
 * person (decision 068).
 */
import { comparePlaces, placeAmong } from '../fact-order.ts';
import type { FactPlace } from '../fact-order.ts';
import { textLimits } from '../limits.ts';
import type { Recipient } from '../tax/document.ts';
import type { PatientDetails } from './resources.ts';

/** The fields that an update may state one by one. */
export interface PatientFields extends PatientDetails {
  /** Phone number as typed; empty if unknown. */
  phone: string;
}

/** What is absent stays as it is. */
export type StatedFields = { [Field in keyof PatientFields]?: PatientFields[Field] | undefined };

const fields = ['phone', 'email', 'notes', 'recipient'] as const satisfies readonly (keyof PatientFields)[];

export interface Patient extends PatientFields, Record<`${keyof PatientFields}At`, FactPlace> {
  id: string;
  name: string;
  nameAt: FactPlace;
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

/** An update of some fields of a known patient: from the patient's page, or the recipient of a full invoice. */
export interface FieldsUpdate extends StatedFields {
  id: string;
  at: FactPlace;
}

/** The place of an update that only repeats what the device received from the server: it loses to every other update. */
export const beforeAnyUpdate: FactPlace = { atMs: 0, deviceId: 0, deviceSeq: 0 };

/**
 * Returns the place of an update if it wins; null if the known value does. The text breaks ties between calls over REST and
 * between repetitions, so that the order of arrival does not matter.
 */
function placeOfWinner(
  [text, at]: readonly [text: string, at: FactPlace],
  [known, knownAt]: readonly [text: string, at: FactPlace],
): FactPlace | null {
  const place = placeAmong(at, [knownAt]);
  const order = comparePlaces(place, knownAt);
  return order > 0 || (order === 0 && text > known) ? place : null;
}

/** Applies an update; returns `known` itself if nothing changes. */
export function mergePatient(known: Patient | null, { id, name, phone, at }: PatientUpdate): Patient {
  if (!known) return mergeFields({ ...nobody, id, name, nameAt: at }, { id, phone, at });
  const nameAt = placeOfWinner([name, at], [known.name, known.nameAt]);
  return mergeFields(nameAt ? { ...known, name, nameAt } : known, { id, phone, at });
}

const nobody = {
  phone: '',
  phoneAt: beforeAnyUpdate,
  email: '',
  emailAt: beforeAnyUpdate,
  notes: '',
  notesAt: beforeAnyUpdate,
  recipient: null,
  recipientAt: beforeAnyUpdate,
};

/** Applies what an update states; returns `known` itself if nothing changes. */
export function mergeFields(known: Patient, { at, ...update }: FieldsUpdate): Patient {
  return fields.reduce((patient, field) => {
    const value = update[field];
    if (value === undefined) return patient;
    const place = placeOfWinner([textOf(value), at], [textOf(patient[field]), patient[`${field}At`]]);
    return place ? { ...patient, [field]: value, [`${field}At`]: place } : patient;
  }, known);
}

const textOf = (value: string | Recipient | null): string => (typeof value === 'string' ? value : recipientText(value));

/** Returns the same text for the same recipient: the order of its keys says nothing, and the database has its own. */
export function recipientText(recipient: Recipient | null): string {
  if (!recipient) return '';
  const { name, tax_id, id_type, country, address, postal_code, city } = recipient;
  return JSON.stringify([name, tax_id, id_type ?? '', country ?? '', address, postal_code, city]);
}

export const blankDetails: PatientDetails = { email: '', notes: '', recipient: null };

/** An email address has the longest form that mail knows. */
export const patientLimits = { name: textLimits.name, phone: textLimits.phone, email: 254, notes: textLimits.notes };
