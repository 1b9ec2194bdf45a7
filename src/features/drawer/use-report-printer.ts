import { useTranslation } from 'react-i18next';
import type { DrawerRow } from '../../../domain/drawer/resource.ts';
import { reportRows } from '../../../domain/drawer/printed-report.ts';
import type { DrawerReport } from '../../../domain/drawer/report.ts';
import { db } from '../../local-data/database.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { useDocumentPrinter } from '../../printing/use-document-printer.ts';
import { saveDrawerReport } from '../../db/commands/documents.ts';
import { clinicSettings } from '../../db/singletons.ts';
import type { PrintTarget } from '../../printing/print-target.ts';

/**
 * Returns a function that prints a Z report on a target that was opened within the tap. A report that was printed before
 * with the same text prints as a copy.
 */
export function useReportPrinter(): (target: PrintTarget, drawer: DrawerRow, report: DrawerReport) => Promise<void> {
  const { t } = useTranslation();
  const printDocument = useDocumentPrinter();
  return async (target, drawer, report) => {
    const language = currentLanguage();
    const labels = {
      ...t('drawer.paper', { returnObjects: true }),
      methods: t('counter.methods', { returnObjects: true }),
    };
    const printed = reportRows({ settings: await clinicSettings(db), language, labels }, drawer, report);
    const issuedAtMs = drawer.close?.atMs ?? drawer.openedAtMs;
    const number = `Z-${drawer.deviceCode}-${new Date(issuedAtMs).toISOString().slice(0, 10)}`;
    const document = await saveDrawerReport(db, { drawerId: drawer.id, number, issuedAtMs, printed });
    await printDocument(target, { ...document, language });
  };
}
