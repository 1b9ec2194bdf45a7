import type { PastTreatment } from '#domain/order/past-treatments.ts';
import type { LocalTreatment } from '#src/db/queries/patients.ts';

/**
 * Merges a patient's treatments on this device with those loaded from the server, latest first. The server's version
 * wins, except over work that this device has not sent. While the server has more pages, local treatments older than its
 * last loaded one are left out: the list would otherwise hide a gap.
 */
export function mergeHistory(
  local: readonly LocalTreatment[],
  loaded: readonly PastTreatment[],
  { isComplete }: { isComplete: boolean },
): LocalTreatment[] {
  const byId = new Map(
    loaded.map((treatment): [string, LocalTreatment] => [treatment.id, { ...treatment, unsent: false }]),
  );
  const oldest = isComplete ? '' : (loaded.at(-1)?.created_at ?? '');
  for (const treatment of local) {
    const isNewer = treatment.unsent || !byId.has(treatment.id);
    if (isNewer && treatment.created_at >= oldest) byId.set(treatment.id, treatment);
  }
  return [...byId.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
