/**
 * What a device says of itself with each pull: how many of its operations still wait. A closed drawer is complete once every
 * device that may have worked into it has said, after the close, that nothing waits.
 */
import type { Pool } from 'pg';
import { isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { restampClosed } from '../drawers/service.ts';

export interface DeviceReport {
  clinicId: number;
  deviceId: number;
  /** How many operations it has not sent. */
  waiting: number;
  atMs: number;
}

/** The same report is written down once a minute at most: tablets pull every 20 seconds. */
const notedAgainMs = 60_000;
/** How long a closed drawer is of interest to tablets, as in the feed. */
const drawerDays = 30;

/** @returns whether a drawer may be complete now: whoever shows it should look again */
export async function recordReport(pool: Pool, report: DeviceReport): Promise<boolean> {
  const { clinicId, deviceId, waiting, atMs } = report;
  const known = await lastReport(pool, clinicId, deviceId);
  if (!known) return false;
  const clears = waiting === 0 && known.awaited;
  const isNews = clears || known.waiting !== waiting || (known.lastSeenAtMs ?? 0) < atMs - notedAgainMs;
  if (!isNews) return false;
  await inTransaction(pool, async (sql) => {
    const oldestMs = atMs - drawerDays * 86_400_000;
    if (clears)
      await restampClosed(sql, clinicId, { afterMs: Math.max(known.clearedAtMs ?? 0, oldestMs), untilMs: atMs });
    await sql.query({
      name: 'note device report',
      text: `update devices set waiting = $3, last_seen_at = $4, cleared_at = case when $3 = 0 then $4 else cleared_at end
             where clinic_id = $1 and id = $2`,
      values: [clinicId, deviceId, waiting, isoOf(atMs)],
    });
  });
  return clears;
}

interface LastReport {
  waiting: number;
  lastSeenAtMs: number | null;
  clearedAtMs: number | null;
  /** A drawer was closed since it last said that nothing waited. */
  awaited: boolean;
}

async function lastReport(sql: Sql, clinicId: number, deviceId: number): Promise<LastReport | undefined> {
  const [row] = await rowsOf<{ report: LastReport }>(
    sql,
    'last device report',
    `select json_build_object('waiting', d.waiting, 'lastSeenAtMs', ${msOf('d.last_seen_at')}, 'clearedAtMs', ${msOf('d.cleared_at')},
       'awaited', exists (select 1 from drawers w where w.clinic_id = d.clinic_id and w.closed_at > coalesce(d.cleared_at, '-infinity'))) as report
     from devices d where d.clinic_id = $1 and d.id = $2`,
    [clinicId, deviceId],
  );
  return row?.report;
}
