/**
 * With each pull a device reports how many of its operations wait. A closed drawer is complete once every device that
 * may hold payments of it has reported, after the close, that nothing waits.
 */
import { dayMs } from '#domain/durations.ts';
import type { Pool } from 'pg';
import { closedDrawerDays } from '#domain/drawer/drawer.ts';
import { isAhead } from '#server/clocks.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Sql } from '#server/db/sql.ts';
import { touchClosedDrawers } from '../drawers/service.ts';
import { forgetReportsAhead, lastReport, saveReport } from './progress-store.ts';
import type { DeviceReport, LastReport } from './progress-store.ts';

/** An unchanged report is stored at most once a minute, because tablets pull every 20 seconds. */
const notedAgainMs = 60_000;

/**
 * Stores a report. Returns true when it changed what drawers wait for, so that tablets must pull: another number of waiting
 * operations changes it as well as their end.
 */
export async function recordReport(pool: Pool, report: DeviceReport): Promise<boolean> {
  const { clinicId, waiting, atMs } = report;
  const known = await lastReport(pool, report);
  if (!known) return false;
  const changesDrawers = known.awaited && (waiting === 0 || known.waiting !== waiting);
  const isNews =
    known.isAhead || changesDrawers || known.waiting !== waiting || (known.lastSeenAtMs ?? 0) < atMs - notedAgainMs;
  if (!isNews) return false;
  await inTransaction(pool, async (sql) => {
    if (changesDrawers) await touchAwaiting(sql, clinicId, known, atMs);
    if (known.isAhead) await forgetReportsAhead(sql, clinicId, atMs);
    await saveReport(sql, report);
  });
  return changesDrawers;
}

/** Sends the drawers that may wait for a device again, because it was renamed or revoked. The device must be locked. */
export async function tellDrawersOf(sql: Sql, clinicId: number, deviceId: number, atMs: number): Promise<void> {
  const known = await lastReport(sql, { clinicId, deviceId, atMs });
  if (known?.awaited) await touchAwaiting(sql, clinicId, known, atMs);
}

/** Rewrites the drawers that were closed since the device last had nothing to send, and that tablets keep. */
function touchAwaiting(sql: Sql, clinicId: number, { clearedAtMs }: LastReport, atMs: number): Promise<void> {
  const oldestMs = atMs - closedDrawerDays * dayMs;
  const clearedMs = isAhead(clearedAtMs, atMs) ? 0 : (clearedAtMs ?? 0);
  return touchClosedDrawers(sql, clinicId, { afterMs: Math.max(clearedMs, oldestMs), untilMs: atMs });
}
