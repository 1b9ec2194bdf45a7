import { useLiveQuery } from 'dexie-react-hooks';
import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DrawerRow } from '../../../domain/drawer/resource.ts';
import type { DrawerReport } from '../../../domain/drawer/report.ts';
import { db } from '../../local-data/database.ts';
import { localDrawerReport } from '../../db/queries/drawers.ts';
import { openPrintTarget } from '../../printing/print-target.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReportView } from './report-view.tsx';
import { useReportPrinter } from './use-report-printer.ts';

interface ShownReport {
  drawer: DrawerRow;
  report: DrawerReport;
  /** False for an old drawer, because this device no longer keeps all of its payments. */
  isWhole: boolean;
}

/** Shows the report of a drawer as this device knows it, and updates it while data arrives. */
export function LiveReportDialog({ drawerId, onClose }: { drawerId: string; onClose: () => void }) {
  const shown = useLiveQuery(() => localDrawerReport(db, drawerId, Date.now()), [drawerId]);
  return <ReportDialog shown={shown ?? null} onClose={onClose} />;
}

export function ReportDialog({ shown, onClose }: { shown: ShownReport | null; onClose: () => void }) {
  const { t } = useTranslation();
  const printReport = useReportPrinter();
  return (
    <Dialog
      open={shown !== null}
      onClose={onClose}
      title={t('drawer.report.title')}
      width="38rem"
      actions={
        <>
          <Button onClick={() => shown && void printReport(openPrintTarget(), shown.drawer, shown.report)}>
            <Printer />
            {t('drawer.report.print')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('drawer.report.dismiss')}
          </Button>
        </>
      }
    >
      {shown && !shown.isWhole && <Banner tone="due">{t('drawer.report.notWhole')}</Banner>}
      {shown && <ReportView {...shown} />}
    </Dialog>
  );
}
