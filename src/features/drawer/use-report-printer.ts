import { useTranslation } from 'react-i18next';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import { reportRows } from '#domain/drawer/printed-report.ts';
import type { DrawerReport } from '#domain/drawer/report.ts';
import { db } from '#src/local-data/database.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { useDocumentPrinter } from '#src/printing/use-document-printer.ts';
import { saveDrawerReport } from '#src/db/commands/documents.ts';
import { clinicSettings } from '#src/db/singletons.ts';
import type { PrintTarget } from '#src/printing/print-target.ts';

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
      tax: t('print.labels.tax', { returnObjects: true }),
    };
    const [settings, device] = await Promise.all([clinicSettings(db), db.device.get('this')]);
    const own = device?.chain ? { chain: device.code, sequence: device.chain.count, seal: device.chain.seal } : null;
    const printed = reportRows({ settings, language, labels }, drawer, report, own);
    const issuedAtMs = drawer.close?.atMs ?? drawer.openedAtMs;
    const number = `Z-${drawer.deviceCode}-${new Date(issuedAtMs).toISOString().slice(0, 10)}`;
    const document = await saveDrawerReport(db, { drawerId: drawer.id, number, issuedAtMs, printed });
    await printDocument(target, { ...document, language });
  };
}
