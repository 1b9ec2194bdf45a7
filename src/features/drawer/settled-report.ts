import { localDrawerReport } from '../../db/queries/drawers.ts';
import type { LocalDrawerReport } from '../../db/queries/drawers.ts';
import { syncRow } from '../../db/singletons.ts';
import { db } from '../../local-data/database.ts';

const patienceMs = 3000;
const lookAgainMs = 150;
/** A tablet that was heard so lately will answer for itself in a moment. */
const atHandMs = 60_000;

/**
 * The report of a drawer that was just closed. With a network it takes a second until the server has heard of the close and
 * every tablet has answered for itself; a paper that is printed sooner would be called provisional for nothing.
 */
export async function waitForFinalReport(drawerId: string): Promise<LocalDrawerReport | null> {
  const startedAtMs = Date.now();
  for (;;) {
    const [found, { link }] = await Promise.all([localDrawerReport(db, drawerId, Date.now()), syncRow(db)]);
    const isSettled = !found || found.report.isFinal || link !== 'online' || Date.now() - startedAtMs > patienceMs;
    if (isSettled || !awaitsOnlyWhoIsAtHand(found, startedAtMs)) return found;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

function awaitsOnlyWhoIsAtHand({ report }: LocalDrawerReport, nowMs: number): boolean {
  return report.awaits.every(({ sinceMs }) => sinceMs !== null && sinceMs > nowMs - atHandMs);
}
