/**
 * Lots come near their expiry without anything being written, so somebody must look: when the server starts, and whenever a
 * new business day begins for a clinic. The look also mends alerts that do not go with their levels, such as those of data
 * that is older than alerts are. It may run twice or in several processes at once: a second look finds nothing to do.
 */
import type { Pool } from 'pg';
import { businessDay } from '../../../domain/business-day.ts';
import type { Ports } from '../../ports.ts';
import { startIntervalJob } from '../../interval-job.ts';
import type { IntervalJob } from '../../interval-job.ts';
import { inTransaction } from '../../db/transaction.ts';
import { outdated, refreshAlerts } from './service.ts';
import { clinicTimeZones } from './store.ts';

const lookEveryMs = 10 * 60_000;
/** Items are locked while their alerts change; so many at a time keep no sale waiting. */
const itemsAtOnce = 200;

/** Looks through one clinic. What seems out of date is judged again under its lock. */
export async function sweepClinic(pool: Pool, clinicId: number, nowMs: number): Promise<void> {
  const found = await inTransaction(pool, (sql) => outdated(sql, clinicId, nowMs, null), 'snapshot');
  const stockIds = [...new Set(found.map(({ stockId }) => stockId))].sort((a, b) => a - b);
  for (let first = 0; first < stockIds.length; first += itemsAtOnce) {
    await inTransaction(pool, (sql) => refreshAlerts(sql, clinicId, nowMs, stockIds.slice(first, first + itemsAtOnce)));
  }
}

/** Sweeps every clinic now and at the beginning of each of its days, until it is stopped. */
export function startAlertSweep(
  { database, clock }: Pick<Ports, 'database' | 'clock'>,
  onFault: (error: unknown) => void,
): IntervalJob {
  const pool = database.$client;
  const sweptDays = new Map<number, string>();

  async function sweep(): Promise<void> {
    for (const { id, timeZone } of await clinicTimeZones(pool)) {
      const today = businessDay(clock(), timeZone);
      if (sweptDays.get(id) === today) continue;
      await sweepClinic(pool, id, clock());
      sweptDays.set(id, today);
    }
  }

  return startIntervalJob(sweep, { everyMs: lookEveryMs, onFault });
}
