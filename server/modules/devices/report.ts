/**
 * With each pull a device reports how many of its operations wait. A closed drawer is complete once every device that
 * may hold payments of it has reported, after the close, that nothing waits.
 */
import type { Pool } from 'pg';
import { isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { touchClosedDrawers } from '../drawers/service.ts';

export interface DeviceReport {
  clinicId: number;
  deviceId: number;
  /** The number of unsent operations. */
  waiting: number;
  atMs: number;
}

/** An unchanged report is stored at most once a minute, because tablets pull every 20 seconds. */
const notedAgainMs = 60_000;
/** As in the feed: tablets keep closed drawers for this many days. */
const drawerDays = 30;

/** Stores a report. Returns true when it may have completed a drawer, so that tablets must pull. */
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
      await touchClosedDrawers(sql, clinicId, { afterMs: Math.max(known.clearedAtMs ?? 0, oldestMs), untilMs: atMs });
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
  /** A drawer was closed after the device last reported that nothing waits. */
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
