import type { PastTreatment } from '../../../../domain/patient/resources.ts';
import type { LocalTreatment } from '../../../db/queries/patients.ts';

/**
 * The latest first, each once: as this device has it where it waits to be sent, else as the server tells it. While the server
 * has older ones to tell, what this device has of those is held back, so that no gap shows as if nothing lay in it.
 */
export function mergeHistory(
  here: readonly LocalTreatment[],
  told: readonly PastTreatment[],
  { isComplete }: { isComplete: boolean },
): LocalTreatment[] {
  const byId = new Map(
    told.map((treatment): [string, LocalTreatment] => [treatment.id, { ...treatment, unsent: false }]),
  );
  const oldest = isComplete ? '' : (told.at(-1)?.created_at ?? '');
  for (const treatment of here) {
    const isNews = treatment.unsent || !byId.has(treatment.id);
    if (isNews && treatment.created_at >= oldest) byId.set(treatment.id, treatment);
  }
  return [...byId.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
