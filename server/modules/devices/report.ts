/**
 * With each pull a device reports how many of its operations wait. A closed drawer is complete once every device that
 * may hold payments of it has reported, after the close, that nothing waits.
 */
import { dayMs } from '#domain/durations.ts';
import type { Pool } from 'pg';
import { closedDrawerDays } from '#domain/drawer/drawer.ts';
import { isAhead } from '#server/clocks.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { touchClosedDrawers } from '../drawers/service.ts';
import { forgetReportsAhead, lastReport, saveReport } from './progress-store.ts';
import type { DeviceReport } from './progress-store.ts';

/** An unchanged report is stored at most once a minute, because tablets pull every 20 seconds. */
const notedAgainMs = 60_000;

/** Stores a report. Returns true when it may have completed a drawer, so that tablets must pull. */
export async function recordReport(pool: Pool, report: DeviceReport): Promise<boolean> {
  const { clinicId, waiting, atMs } = report;
  const known = await lastReport(pool, report);
  if (!known) return false;
  const clears = waiting === 0 && known.awaited;
  const isNews =
    known.isAhead || clears || known.waiting !== waiting || (known.lastSeenAtMs ?? 0) < atMs - notedAgainMs;
  if (!isNews) return false;
  await inTransaction(pool, async (sql) => {
    const oldestMs = atMs - closedDrawerDays * dayMs;
    if (clears)
      await touchClosedDrawers(sql, clinicId, {
        afterMs: Math.max(isAhead(known.clearedAtMs, atMs) ? 0 : (known.clearedAtMs ?? 0), oldestMs),
        untilMs: atMs,
      });
    if (known.isAhead) await forgetReportsAhead(sql, clinicId, atMs);
    await saveReport(sql, report);
  });
  return clears;
}
