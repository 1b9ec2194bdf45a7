/**
 * Uploads that nothing names: a form that was never saved, a picture that another has replaced. They are removed once they are
 * more than a day old, so that a form that is still open finds what it has sent. Whoever saves such an address holds the upload
 * meanwhile (`holdUploads`), and it is looked for once more under lock, so that none is removed that is being named at this
 * moment. Several processes may look at once: each passes by what another holds.
 */
import type { Pool } from 'pg';
import type { Ports } from '../../ports.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startIntervalJob } from '../../interval-job.ts';
import type { IntervalJob } from '../../interval-job.ts';
import { uploadIdPattern } from './store.ts';

const firstLookAfterMs = 10 * 60_000;
const lookEveryMs = 6 * 3_600_000;
const graceMs = 24 * 3_600_000;
const removedAtOnce = 100;

/** Those that something names, also what was deleted since: it may be asked for as evidence. */
const named = `select substring(url from '${uploadIdPattern}')::uuid from (
    select image_url as url from stock_items where clinic_id = $1 union all
    select image_url from products where clinic_id = $1 union all
    select receipt_url from expenses where clinic_id = $1) addresses
  where url ~ '${uploadIdPattern}'`;

/** @returns how many were removed */
export async function removeUnusedUploads(pool: Pool, clinicId: number, nowMs: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await inTransaction(pool, async (sql) => {
      const unused = await rowsOf<{ id: string }>(
        sql,
        'unused uploads',
        `select id from uploads where clinic_id = $1 and created_at < $2 and id not in (${named}) order by created_at limit ${removedAtOnce} for update skip locked`,
        [clinicId, isoOf(nowMs - graceMs)],
      );
      const gone = await rowsOf(
        sql,
        'remove uploads',
        `delete from uploads where clinic_id = $1 and id = any($2::uuid[]) and id not in (${named}) returning id`,
        [clinicId, unused.map(({ id }) => id)],
      );
      return gone.length;
    });
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
    for (const { id } of await rowsOf<{ id: number }>(
      pool,
      'clinics with uploads',
      'select distinct clinic_id as id from uploads order by 1',
      [],
    )) {
      await removeUnusedUploads(pool, id, clock());
    }
  };
  return startIntervalJob(sweep, { everyMs: lookEveryMs, firstAfterMs: firstLookAfterMs, onFault });
}
