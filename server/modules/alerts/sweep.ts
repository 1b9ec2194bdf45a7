/**
 * Lots come near their expiry without a write, so this job checks every clinic when the server starts and when a
 * business day begins. It also repairs alerts that do not match their levels, such as those of data older than the
 * alerts. It may run in several processes at once: a second run finds nothing to do.
 */
import type { Pool } from 'pg';
import { businessDay } from '#domain/business-day.ts';
import { acrossClinics, withinClinic } from '#server/db/database.ts';
import type { Ports } from '#server/ports.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { outdated, refreshAlerts } from './service.ts';
import { clinicTimeZones } from './store.ts';

const lookEveryMs = 10 * 60_000;
/** Items are locked while their alerts change; this number at a time delays no sale noticeably. */
const itemsAtOnce = 200;

/** Checks one clinic. Alerts that seem out of date are decided again under their item's lock. */
export async function sweepClinic(pool: Pool, clinicId: number, nowMs: number): Promise<void> {
  const found = await inTransaction(pool, (sql) => outdated(sql, clinicId, nowMs, null), 'snapshot');
  const stockIds = [...new Set(found.map(({ stockId }) => stockId))].sort((a, b) => a - b);
  for (let first = 0; first < stockIds.length; first += itemsAtOnce) {
    await inTransaction(pool, (sql) => refreshAlerts(sql, clinicId, nowMs, stockIds.slice(first, first + itemsAtOnce)));
  }
}

/** Returns the job: it checks each clinic on the first call, and on the first one of each later business day. */
export function dailySweep({ database, clock }: Pick<Ports, 'database' | 'clock'>): () => Promise<void> {
  const sweptDays = new Map<number, string>();
  return async () => {
    for (const { id, timeZone } of await clinicTimeZones(acrossClinics(database))) {
      const today = businessDay(clock(), timeZone);
      if (sweptDays.get(id) === today) continue;
      await sweepClinic(withinClinic(database, id), id, clock());
      sweptDays.set(id, today);
    }
  };
}

/** Checks every clinic now and at the beginning of each of its business days, until it is stopped. */
export function startAlertSweep(
  ports: Pick<Ports, 'database' | 'clock'>,
  onFault: (error: unknown) => void,
): IntervalJob {
  return startIntervalJob(dailySweep(ports), { everyMs: lookEveryMs, onFault });
}
