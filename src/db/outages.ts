/**
 * Records the times in which the server did not answer this device. The same transaction sets the link status, so that a
 * restarted worker or a reloaded page finds a running outage and ends it at the next contact.
 *
 *     link online or paused ──offline──▶ outage without an end ──any contact──▶ outage with its end and its sales
 */
import type { ClinicDatabase, OutageRow, SyncRow } from './database.ts';
import { updateSync, syncRow } from './singletons.ts';
import { queuedPayments } from './queued-payments.ts';

/** Older outages are deleted. */
export const maxOutages = 30;
/** A shorter outage without a sale is not recorded. */
const shortestMs = 10_000;

/** Sets the link status as of `nowMs`, and begins or ends an outage. */
export async function setLinkStatus(db: ClinicDatabase, link: SyncRow['link'], nowMs: number): Promise<void> {
  const before = (await syncRow(db)).link;
  if (before === link) return;
  // Read before the transaction, so that no sale waits while a long outbox is read. A sale made meanwhile counts next time.
  const sales = before === 'offline' ? await salesUntil(db, nowMs) : null;
  await db.transaction('rw', [db.sync, db.outages], async () => {
    if ((await syncRow(db)).link !== before) return;
    await updateSync(db, { link });
    if (link === 'offline') await db.outages.put({ started_at: nowMs, ended_at: null, sales: 0, amount_minor: 0 });
    if (sales) await endOutage(db, sales, nowMs);
  });
}

type OutageSales = Pick<OutageRow, 'sales' | 'amount_minor'>;

/**
 * Sums up the waiting payments that no earlier outage has counted. Payments made shortly before the outage was noticed are
 * included.
 */
export async function salesUntil(db: ClinicDatabase, untilMs: number): Promise<OutageSales> {
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

async function endOutage(db: ClinicDatabase, { sales, amount_minor }: OutageSales, nowMs: number): Promise<void> {
  const last = await db.outages.toCollection().last();
  if (last?.ended_at !== null) return;
  if (sales === 0 && nowMs - last.started_at < shortestMs) await db.outages.delete(last.started_at);
  else await db.outages.put({ ...last, sales, amount_minor, ended_at: nowMs });
  await db.outages.reverse().offset(maxOutages).delete();
}
