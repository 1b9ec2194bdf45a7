/**
 * Stores a page of the first patients. The feed brings those that are new or have changed since the first pull, so a row of
 * the feed is never older than one of a page. A page adds the patients that the tablet does not have, and replaces those that
 * were entered here, as the feed does.
 */
import type { PatientResource } from '#domain/patient/resources.ts';
import type { PatientsPage } from '#domain/protocol/sync.ts';
import type { ClinicDatabase } from '#src/db/database.ts';
import { rowsByKey } from '#src/db/neighbours.ts';
import { rebasePatients } from '#src/db/rebase.ts';
import { detailsRow, patientRow } from '#src/db/rows.ts';
import { syncRow } from '#src/db/singletons.ts';

/** @param after the place of the page: the last patient of the one before it */
export async function addPatients(
  db: ClinicDatabase,
  { epoch, patients, details, more }: PatientsPage,
  after: string,
): Promise<void> {
  const { operations, operation_states, patient_details } = db;
  const tables = [db.patients, patient_details, operations, operation_states, db.sync];
  await db.transaction('rw', tables, async () => {
    const sync = await syncRow(db);
    // Meanwhile the feed has started over, or another engine has stored the page.
    if (sync.patients_after !== after || sync.cursor === null || sync.epoch !== epoch) return;
    const ids = patients.map(({ id }) => id);
    const [known, knownDetails] = await Promise.all([rowsByKey(db.patients, ids), rowsByKey(patient_details, ids)]);
    const isNews = ({ id }: PatientResource) => {
      const row = known.get(id);
      return !row || (row.unsent === 1 && !row.base);
    };
    const isDetailsNews = ({ id }: { id: string }) => !knownDetails.get(id) || knownDetails.get(id)!.base === null;
    await Promise.all([
      db.patients.bulkPut(patients.filter(isNews).map(patientRow)),
      patient_details.bulkPut((details ?? []).filter(isDetailsNews).map(detailsRow)),
    ]);
    await rebasePatients(db, []);
    const last = patients.at(-1);
    // Whoever may read the details of these patients gets them with the feed.
    const lacks = details ? sync.lacks : [...new Set([...sync.lacks, 'patient_details' as const])];
    await db.sync.put({ ...sync, lacks, patients_after: more && last ? last.id : null });
  });
}
