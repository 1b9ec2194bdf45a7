import { db } from '#src/local-data/database.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { HistoryDrawer } from './patient-drawer.tsx';

/** The history of the patient whom the address names; nothing for an id that this device does not know. */
export function LinkedPatient({ id, onClose }: { id: string; onClose: () => void }) {
  const patient = useLiveQuery(() => db.patients.get(id), [id]);
  return patient && <HistoryDrawer patient={patient} open onClose={onClose} />;
}
