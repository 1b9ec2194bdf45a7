/**
 * Uploads that nothing names: a form that was never saved, a picture that another has replaced. They are removed once they are
 * more than a day old, so that a form that is still open finds what it has sent. Whoever saves such an address holds the upload
 * meanwhile (`holdUploads`), and it is looked for once more under lock, so that none is removed that is being named at this
 * moment. Several processes may look at once: each passes by what another holds.
 */
import type { Pool } from 'pg';
import type { Ports } from '../../ports.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startIntervalJob } from '../../interval-job.ts';
import type { IntervalJob } from '../../interval-job.ts';
import { clinicsWithUploads, removeUnused } from './store.ts';

const firstLookAfterMs = 10 * 60_000;
const lookEveryMs = 6 * 3_600_000;
const graceMs = 24 * 3_600_000;
const removedAtOnce = 100;

/** @returns how many were removed */
export async function removeUnusedUploads(pool: Pool, clinicId: number, nowMs: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await inTransaction(pool, (sql) =>
      removeUnused(sql, clinicId, { beforeMs: nowMs - graceMs, limit: removedAtOnce }),
    );
    removed += count;
    if (count < removedAtOnce) return removed;
  }
}

/** Looks through every clinic now and again, until it is stopped. */
export function startUploadSweep(
  { database, clock }: Pick<Ports, 'database' | 'clock'>,
  onFault: (error: unknown) => void,
): IntervalJob {
  const pool = database.$client;
  const sweep = async (): Promise<void> => {
    for (const clinicId of await clinicsWithUploads(pool)) await removeUnusedUploads(pool, clinicId, clock());
  };
  return startIntervalJob(sweep, { everyMs: lookEveryMs, firstAfterMs: firstLookAfterMs, onFault });
}
