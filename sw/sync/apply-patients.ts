/**
 * Stores a page of the first patients. The feed brings those that are new or have changed since the first pull, so a row of
 * the feed is never older than one of a page. A page adds the patients that the tablet does not have, and replaces those that
 * were entered here, as the feed does.
 */
import type { PatientResource } from '#domain/patient/resources.ts';
import type { PatientsPage } from '#domain/protocol/sync.ts';
import type { ClinicDatabase } from '#src/db/database.ts';
import { rowsByKey } from '#src/db/neighbours.ts';
import { patientRow } from '#src/db/rows.ts';
import { syncRow } from '#src/db/singletons.ts';

/** @param after the place of the page: the last patient of the one before it */
export async function addPatients(
  db: ClinicDatabase,
  { epoch, patients, more }: PatientsPage,
  after: string,
): Promise<void> {
  await db.transaction('rw', db.patients, db.sync, async () => {
    const sync = await syncRow(db);
    // Meanwhile the feed has started over, or another engine has stored the page.
    if (sync.patients_after !== after || sync.cursor === null || sync.epoch !== epoch) return;
    const known = await rowsByKey(
      db.patients,
      patients.map(({ id }) => id),
    );
    const isNews = ({ id }: PatientResource) => known.get(id)?.unsent === 1 || !known.has(id);
    await db.patients.bulkPut(patients.filter(isNews).map(patientRow));
    const last = patients.at(-1);
    await db.sync.put({ ...sync, patients_after: more && last ? last.id : null });
  });
}
