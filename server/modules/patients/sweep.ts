/**
 * Erases patients without a person: those whose retention period has ended, and those whose recorded erasure is not done,
 * because a backup from before it was restored. The former are said to a manager two days before. Several processes may run the job; each erasure is one transaction.
 */
import type { Pool } from 'pg';
import { businessDay } from '#domain/business-day.ts';
import { dayMs, hourMs } from '#domain/durations.ts';
import { clocksAgree } from '#server/clocks.ts';
import { acrossClinics } from '#server/db/database.ts';
import type { Ports } from '#server/ports.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { publishChange } from '#server/events/pokes.ts';
import { clearClinicConcern, stateClinicConcern } from '../attention/service.ts';
import { erasePatients } from './erasure-service.ts';
import { noteOutlived, outlivedPatients, retainingClinics, unfinishedErasures } from './erasure-store.ts';

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

/** A manager has so long to keep somebody: by a longer period, or by writing anything down about them. */
export const noticeMs = 2 * dayMs;

interface RetentionRun {
  nowMs: number;
  databaseNow?: Ports['databaseNow'] | undefined;
  /** False for the runs that go on with what an earlier one has found: all patients of a clinic are read for it. */
  looks?: boolean;
}

/**
 * Says to managers whose retention period has ended, and two days later erases them. Does neither unless the clocks agree.
 *
 * @returns the number of erased patients
 */
export async function eraseOutlived(pool: Pool, { nowMs, databaseNow, looks = true }: RetentionRun): Promise<number> {
  let erased = 0;
  for (const { clinicId, before, timeZone } of await retainingClinics(pool, nowMs)) {
    if (!(await clocksAgree(pool, clinicId, { nowMs, readDatabase: databaseNow }))) continue;
    if (looks) await sayOutlived(pool, { clinicId, before, nowMs, timeZone });
    const due = { clinicId, before, saidBeforeMs: nowMs - noticeMs, limit: erasedPerRun };
    const ids = await outlivedPatients(pool, due);
    for (let first = 0; first < ids.length; first += erasedAtOnce)
      await eraseSome(pool, { clinicId, patientIds: ids.slice(first, first + erasedAtOnce), atMs: nowMs });
    if (ids.length > 0) await sayOutlived(pool, { clinicId, before, nowMs, timeZone });
    erased += ids.length;
  }
  return erased;
}

/** States to managers how many patients are about to be erased, once for those that are new. */
async function sayOutlived(
  pool: Pool,
  { clinicId, before, nowMs, timeZone }: { clinicId: number; before: string; nowMs: number; timeZone: string },
): Promise<void> {
  const isChanged = await inTransaction(pool, async (sql) => {
    const { count, isNews, firstSaidMs } = await noteOutlived(sql, { clinicId, before, nowMs });
    if (firstSaidMs === null) return clearClinicConcern(sql, clinicId, nowMs, 'retention_ends').then(() => false);
    if (!isNews) return false;
    const details = { count, day: businessDay(firstSaidMs + noticeMs, timeZone) };
    await stateClinicConcern(sql, clinicId, nowMs, { kind: 'retention_ends', details });
    return true;
  });
  if (isChanged) publishChange(pool, clinicId);
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
  { database, clock, databaseNow }: Pick<Ports, 'database' | 'clock' | 'databaseNow'>,
  onFault: (error: unknown) => void,
): IntervalJob {
  const pool = acrossClinics(database);
  let lookedAtMs = -Infinity;
  const sweep = async (): Promise<void> => {
    const nowMs = clock();
    await finishErasures(pool, nowMs);
    const looks = Math.abs(nowMs - lookedAtMs) >= hourMs;
    if (looks) lookedAtMs = nowMs;
    await eraseOutlived(pool, { nowMs, databaseNow, looks });
  };
  return startIntervalJob(sweep, { everyMs: lookEveryMs, onFault });
}
