/**
 * The diary of the times in which the server did not answer. It is written where the link is noted, in the same transaction,
 * so that a reload or a restarted worker finds an outage that began before it and ends it at the next contact.
 *
 *     link online or paused ──offline──▶ a row without an end ──any contact──▶ its end, and what it carried
 */
import type { ClinicDatabase, OutageRow, SyncRow } from './database.ts';
import { updateSync, syncRow } from './singletons.ts';
import { queuedPayments } from './queued-payments.ts';

/** How many outages the diary keeps. */
export const maxOutages = 30;
/** A shorter one without a sale is a flicker that nobody met. */
const shortestMs = 10_000;

/** Notes whether the server answers; `nowMs` is when that was learned. */
export async function setLinkStatus(db: ClinicDatabase, link: SyncRow['link'], nowMs: number): Promise<void> {
  const before = (await syncRow(db)).link;
  if (before === link) return;
  // Read before the transaction, so that nobody's sale waits for a long outbox; a sale of this very moment counts next time.
  const carried = before === 'offline' ? await carriedUntil(db, nowMs) : null;
  await db.transaction('rw', [db.sync, db.outages], async () => {
    if ((await syncRow(db)).link !== before) return;
    await updateSync(db, { link });
    if (link === 'offline') await db.outages.put({ started_at: nowMs, ended_at: null, sales: 0, amount_minor: 0 });
    if (carried) await endOutage(db, carried, nowMs);
  });
}

type Carried = Pick<OutageRow, 'sales' | 'amount_minor'>;

/**
 * The payments that wait and that no earlier outage has counted. What was paid just before the outage was noticed is among
 * them: it was caught by it.
 */
export async function carriedUntil(db: ClinicDatabase, untilMs: number): Promise<Carried> {
  const [payments, ended] = await Promise.all([
    queuedPayments(db),
    db.outages
      .reverse()
      .filter(({ ended_at }) => ended_at !== null)
      .first(),
  ]);
  const sinceMs = ended?.ended_at ?? 0;
  const own = payments.filter(({ atMs }) => atMs > sinceMs && atMs <= untilMs);
  return {
    sales: own.filter(({ amountMinor }) => amountMinor >= 0).length,
    amount_minor: own.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  };
}

async function endOutage(db: ClinicDatabase, carried: Carried, nowMs: number): Promise<void> {
  const last = await db.outages.toCollection().last();
  if (last?.ended_at !== null) return;
  if (carried.sales === 0 && nowMs - last.started_at < shortestMs) await db.outages.delete(last.started_at);
  else await db.outages.put({ ...last, ...carried, ended_at: nowMs });
  await db.outages.reverse().offset(maxOutages).delete();
}
