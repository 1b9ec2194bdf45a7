/** Queries patients by index and with a limit, so that they stay fast with ten thousand patients. */
import { Dexie } from 'dexie';
import { pastTreatment } from '#domain/order/past-treatments.ts';
import type { PastTreatment } from '#domain/order/past-treatments.ts';
import { patientTerms } from '#domain/patient/search.ts';
import type { PatientDetails } from '#domain/patient/resources.ts';
import type { ClinicDatabase, OrderRow, PatientRow } from '../database.ts';
import { syncRow } from '../singletons.ts';

/** The most keys of one patient that can begin with the same term. */
const maxKeysPerTerm = 40;

/**
 * Returns patients whose name has a word beginning with each word of the text, or whose phone number contains its digits; for
 * those who may read it, also by e-mail address and by the number of the recipient of invoices.
 */
export async function findPatients(
  db: ClinicDatabase,
  { text, limit, inDetails = false }: { text: string; limit: number; inDetails?: boolean },
): Promise<PatientRow[]> {
  const terms = patientTerms(text);
  const most = terms.length === 1 ? limit * maxKeysPerTerm : Number.POSITIVE_INFINITY;
  const idsOf = async (term: string): Promise<string[]> => {
    const named = db.patients.where('keys').startsWith(term).limit(most).primaryKeys();
    const detailed = inDetails ? db.patient_details.where('keys').startsWith(term).limit(most).primaryKeys() : [];
    return (await Promise.all([named, detailed])).flat();
  };
  const [first = [], ...others] = await Promise.all(terms.map(idsOf));
  const sets = others.map((ids) => new Set(ids));
  const ids = [...new Set(first)].filter((id) => sets.every((set) => set.has(id))).slice(0, limit);
  const rows = await db.patients.bulkGet(ids);
  return rows.flatMap((row) => row ?? []);
}

/** The latest treatments among which recent patients are looked for. */
const recentTreatments = 50;

/** Returns the patients of the latest treatments on this device, the last one first. */
export async function recentPatients(db: ClinicDatabase, { limit }: { limit: number }): Promise<PatientRow[]> {
  const orders = await db.orders.orderBy('updatedAtMs').reverse().limit(recentTreatments).toArray();
  const ids = new Set(orders.flatMap(({ patientId }) => patientId ?? []));
  const rows = await db.patients.bulkGet([...ids].slice(0, limit));
  return rows.flatMap((row) => (row && row.erased_at === undefined ? row : []));
}

/** True while a new tablet is still reading the clinic's patients, so that a search may miss one. */
export const arePatientsPartial = async (db: ClinicDatabase): Promise<boolean> => {
  const { cursor, patients_after } = await syncRow(db);
  return cursor === null || patients_after !== null;
};

export interface LocalTreatment extends PastTreatment {
  /** True while operations of the treatment wait. */
  unsent: boolean;
}

/** Returns the patient's treatments on this device, newest first. */
export async function localTreatments(
  db: ClinicDatabase,
  patientId: string,
  { limit }: { limit: number },
): Promise<LocalTreatment[]> {
  const rows = await db.orders
    .where('[patientId+createdAtMs]')
    .between([patientId, Dexie.minKey], [patientId, Dexie.maxKey])
    .reverse()
    .limit(limit)
    .toArray();
  return rows.map((row) => ({ ...pastTreatment(row), unsent: row.unsent === 1 }));
}

/** What this device shows of a patient; undefined if it does not have the patient. */
export interface KnownPatient extends PatientRow {
  /** Undefined if this device does not have them. */
  details: PatientDetails | undefined;
}

export async function knownPatient(db: ClinicDatabase, id: string): Promise<KnownPatient | undefined> {
  const [patient, details] = await Promise.all([db.patients.get(id), db.patient_details.get(id)]);
  return patient && { ...patient, details };
}

/** Returns the patient's treatments on this device with their documents, newest first. */
export function treatmentsOf(db: ClinicDatabase, patientId: string): Promise<OrderRow[]> {
  return db.orders
    .where('[patientId+createdAtMs]')
    .between([patientId, Dexie.minKey], [patientId, Dexie.maxKey])
    .reverse()
    .toArray();
}

/** Returns the patient's treatments that wait for money. A tablet has all open treatments of the clinic. */
export async function owedTreatments(db: ClinicDatabase, patientId: string): Promise<OrderRow[]> {
  const treatments = await treatmentsOf(db, patientId);
  return treatments.filter(({ status, balanceMinor }) => status === 'confirmed' && balanceMinor > 0);
}
