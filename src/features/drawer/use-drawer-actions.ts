/** Opens, closes and moves money of a drawer, one command at a time, and tells the person the outcome. */
import { useTranslation } from 'react-i18next';
import type { Result } from '#domain/result.ts';
import { useWriteContext } from '#src/sync/use-write-context.ts';
import { closeDrawer, moveMoney } from '#src/db/commands/drawers.ts';
import type { DrawerCount, MoneyMove } from '#src/db/commands/drawers.ts';
import { localDrawerReport } from '#src/db/queries/drawers.ts';
import type { LocalDrawerReport } from '#src/db/queries/drawers.ts';
import { syncRow } from '#src/db/singletons.ts';
import { db } from '#src/local-data/database.ts';
import { withPrintTarget } from '#src/printing/print-target.ts';
import { toast } from '#src/ui/toaster.tsx';
import { useOnce } from '#src/ui/use-once.ts';
import { useReportPrinter } from './use-report-printer.ts';

export interface DrawerActions {
  pending: boolean;
  /** Each action resolves to true when it was done, and to false when it was refused. */
  move: (move: MoneyMove) => Promise<boolean>;
  /** Closes the drawer, and prints the Z report once it is known what it waits for. */
  close: (count: DrawerCount) => Promise<boolean>;
}

export function useDrawerActions(): DrawerActions {
  const { t } = useTranslation();
  const context = useWriteContext();
  const printReport = useReportPrinter();
  const { pending, once } = useOnce();

  /** Tells of a refusal, and returns true for a success. */
  function succeeded(result: Result<unknown>, failed: string): boolean {
    if (!result.ok) toast({ tone: 'error', title: failed, text: t(`errors.${result.refusal.code}`) });
    return result.ok;
  }

  async function move(asked: MoneyMove): Promise<boolean> {
    const isDone = succeeded(await moveMoney(context, asked), t('drawer.failed.move'));
    if (isDone) toast({ tone: 'success', title: t(`drawer.done.${asked.direction}`) });
    return isDone;
  }

  async function close(count: DrawerCount): Promise<boolean> {
    const { target, result } = await withPrintTarget(() => closeDrawer(context, count));
    if (!succeeded(result, t('drawer.failed.close'))) {
      target.discard();
      return false;
    }
    // Not awaited: the screen shows the report at once, which says that the drawer is closed. The printed one waits for the server.
    void waitForFinalReport(count.drawerId).then((final) =>
      final ? printReport(target, final.drawer, final.report) : target.discard(),
    );
    return true;
  }

  return {
    pending,
    move: async (asked) => (await once(() => move(asked))) ?? false,
    close: async (count) => (await once(() => close(count))) ?? false,
  };
}

const finalReportTimeoutMs = 3000;
const pollMs = 150;
/** A device that the server heard from within this time is likely to report in a moment. */
const recentMs = 60_000;

/**
 * Returns the report of a drawer that was just closed. Online, the server and all devices confirm a close within about
 * a second; waiting for them avoids a printed report that is needlessly marked as provisional.
 */
async function waitForFinalReport(drawerId: string): Promise<LocalDrawerReport | null> {
  const startedAtMs = Date.now();
  for (;;) {
    const [local, { link }] = await Promise.all([localDrawerReport(db, drawerId, Date.now()), syncRow(db)]);
    const isTimedOut = Date.now() - startedAtMs > finalReportTimeoutMs;
    if (!local || local.report.isFinal || link !== 'online' || isTimedOut) return local;
    if (!awaitsOnlyRecentDevices(local, startedAtMs)) return local;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function awaitsOnlyRecentDevices({ report }: LocalDrawerReport, nowMs: number): boolean {
  return report.awaits.every(({ sinceMs }) => sinceMs !== null && sinceMs > nowMs - recentMs);
}
