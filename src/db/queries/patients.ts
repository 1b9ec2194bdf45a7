/** Patients as the counter looks them up: by index and with a limit, so that ten thousand of them are found as fast as ten. */
import { Dexie } from 'dexie';
import { pastTreatment } from '../../../domain/patient/resources.ts';
import type { PastTreatment } from '../../../domain/patient/resources.ts';
import { patientTerms } from '../../../domain/patient/search.ts';
import type { ClinicDatabase, PatientRow } from '../database.ts';

/** One patient's phone number begins with the same digits at most this often. */
const mostRepeats = 40;

/** Those whose name has a word that begins with each word of the text, or whose phone number holds its digits. Nobody for an empty text. */
export async function findPatients(
  db: ClinicDatabase,
  { text, limit }: { text: string; limit: number },
): Promise<PatientRow[]> {
  const terms = patientTerms(text);
  const most = terms.length === 1 ? limit * mostRepeats : Number.POSITIVE_INFINITY;
  const [first = [], ...others] = await Promise.all(
    terms.map((term) => db.patients.where('keys').startsWith(term).limit(most).primaryKeys()),
  );
  const sets = others.map((ids) => new Set(ids));
  const ids = [...new Set(first)].filter((id) => sets.every((set) => set.has(id))).slice(0, limit);
  const rows = await db.patients.bulkGet(ids);
  return rows.flatMap((row) => row ?? []);
}

export interface LocalTreatment extends PastTreatment {
  /** The server has not taken all of it yet. */
  unsent: boolean;
}

/** The patient's treatments that this device has, the latest first. */
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
