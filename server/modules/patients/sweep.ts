/**
 * Erases patients without a person: those whose retention period has ended, and those whose recorded erasure is not done,
 * because a backup from before it was restored. Several processes may run the job; each erasure is one transaction.
 */
import type { Pool } from 'pg';
import { acrossClinics } from '#server/db/database.ts';
import type { Ports } from '#server/ports.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { publishChange } from '#server/events/pokes.ts';
import { erasePatients } from './erasure-service.ts';
import { outlivedPatients, retainingClinics, unfinishedErasures } from './erasure-store.ts';

const lookEveryMs = 60_000;
/** Sales of the clinic wait while patients are erased, so only few are erased at once. */
const erasedAtOnce = 10;
/** Spreads the changes that tablets read over several runs. */
const erasedPerRun = 100;

/** @returns the number of patients that were erased again */
export async function finishErasures(pool: Pool, nowMs: number): Promise<number> {
  const unfinished = await unfinishedErasures(pool, erasedPerRun);
  for (const { clinicId, patientId } of unfinished)
    await eraseSome(pool, { clinicId, patientIds: [patientId], atMs: nowMs });
  return unfinished.length;
}

/** @returns the number of patients whose retention period has ended */
export async function eraseOutlived(pool: Pool, nowMs: number): Promise<number> {
  let erased = 0;
  for (const { clinicId, before } of await retainingClinics(pool, nowMs)) {
    const ids = await outlivedPatients(pool, clinicId, { before, limit: erasedPerRun });
    for (let first = 0; first < ids.length; first += erasedAtOnce)
      await eraseSome(pool, { clinicId, patientIds: ids.slice(first, first + erasedAtOnce), atMs: nowMs });
    erased += ids.length;
  }
  return erased;
}

async function eraseSome(
  pool: Pool,
  { clinicId, patientIds, atMs }: { clinicId: number; patientIds: readonly string[]; atMs: number },
): Promise<void> {
  const nobody = { clinicId, userId: null, deviceId: null };
  await inTransaction(pool, (sql) => erasePatients(sql, nobody, { patientIds, atMs, userId: null, reason: '' }));
  publishChange(pool, clinicId);
}

/** Looks every minute, until it is stopped. */
export function startErasures(
  { database, clock }: Pick<Ports, 'database' | 'clock'>,
  onFault: (error: unknown) => void,
): IntervalJob {
  const pool = acrossClinics(database);
  const sweep = async (): Promise<void> => {
    await finishErasures(pool, clock());
    await eraseOutlived(pool, clock());
  };
  return startIntervalJob(sweep, { everyMs: lookEveryMs, onFault });
}
