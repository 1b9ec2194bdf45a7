/** What a person may do with the drawer, with what is said afterwards. */
import { useTranslation } from 'react-i18next';
import type { Refusal, Result } from '../../../domain/result.ts';
import { useWriteContext } from '../../sync/use-write-context.ts';
import { closeDrawer, moveMoney, openDrawer } from '../../db/commands/drawers.ts';
import type { DrawerCount, MoneyMove } from '../../db/commands/drawers.ts';
import { openPrintTarget } from '../../printing/print-target.ts';
import { toast } from '../../ui/toaster.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { waitForFinalReport } from './settled-report.ts';
import { useReportPrinter } from './use-report-printer.ts';

export interface DrawerActions {
  pending: boolean;
  /** Each answers whether it was done. */
  open: (floatMinor: number) => Promise<boolean>;
  move: (move: MoneyMove) => Promise<boolean>;
  /** Closes, and prints the Z report in a window that is opened within the tap. */
  close: (count: DrawerCount) => Promise<boolean>;
}

export function useDrawerActions(): DrawerActions {
  const { t } = useTranslation();
  const context = useWriteContext();
  const printReport = useReportPrinter();
  const { pending, once } = useOnce();

  function told(result: Result<unknown>, done: string, failed: string): boolean {
    if (!result.ok) sayRefusal(failed, result.refusal);
    else toast({ tone: 'success', title: done });
    return result.ok;
  }

  const sayRefusal = (title: string, { code }: Refusal) => toast({ tone: 'error', title, text: t(`errors.${code}`) });

  async function close(count: DrawerCount): Promise<boolean> {
    const target = openPrintTarget();
    const result = await closeDrawer(context, count).catch((error: unknown) => {
      target.discard();
      throw error;
    });
    if (!told(result, t('drawer.done.closed'), t('drawer.failed.close'))) {
      target.discard();
      return false;
    }
    // The report shows meanwhile; the paper waits a moment for what the server says.
    void waitForFinalReport(count.drawerId).then((settled) =>
      settled ? printReport(target, settled.drawer, settled.report) : target.discard(),
    );
    return true;
  }

  return {
    pending,
    open: async (floatMinor) =>
      (await once(async () =>
        told(await openDrawer(context, { floatMinor }), t('drawer.done.opened'), t('drawer.failed.open')),
      )) ?? false,
    move: async (move) =>
      (await once(async () =>
        told(await moveMoney(context, move), t(`drawer.done.${move.direction}`), t('drawer.failed.move')),
      )) ?? false,
    close: async (count) => (await once(() => close(count))) ?? false,
  };
}
