/**
 * Removes unused uploads: a form was never saved, or a picture was replaced. They are kept for a day, so that an open
 * form still finds its file. A transaction that saves an address locks the upload (`holdUploads`), and the job checks
 * again under lock, so no upload is removed while it is being referenced. Several processes may run the job; each skips
 * what another locks.
 */
import { dayMs, hourMs } from '#domain/durations.ts';
import type { Pool } from 'pg';
import { clocksAgree } from '#server/clocks.ts';
import { acrossClinics, withinClinic } from '#server/db/database.ts';
import type { Ports } from '#server/ports.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import { clinicsWithUploads, removeUnused } from './store.ts';

const firstLookAfterMs = 10 * 60_000;
const lookEveryMs = 6 * hourMs;
const graceMs = dayMs;
const removedAtOnce = 100;

/** @returns the number of removed uploads */
export async function removeUnusedUploads(pool: Pool, clinicId: number, nowMs: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await inTransaction(pool, (sql) =>
      removeUnused(sql, clinicId, { beforeMs: nowMs - graceMs, limit: removedAtOnce }),
    );
    removed += count;
    if (count < removedAtOnce) return removed;
  }
}

type SweepPorts = Pick<Ports, 'database' | 'clock' | 'databaseNow'>;

/** Cleans up every clinic whose clocks agree. */
export async function sweepUploads({ database, clock, databaseNow }: SweepPorts): Promise<void> {
  for (const clinicId of await clinicsWithUploads(acrossClinics(database))) {
    const pool = withinClinic(database, clinicId);
    const nowMs = clock();
    if (await clocksAgree(pool, clinicId, { nowMs, readDatabase: databaseNow }))
      await removeUnusedUploads(pool, clinicId, nowMs);
  }
}

/** Cleans up at intervals until it is stopped. */
export const startUploadSweep = (ports: SweepPorts, onFault: (error: unknown) => void): IntervalJob =>
  startIntervalJob(() => sweepUploads(ports), { everyMs: lookEveryMs, firstAfterMs: firstLookAfterMs, onFault });
