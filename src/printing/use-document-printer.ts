import { useTranslation } from 'react-i18next';
import { busyWith } from '../sync/activity.ts';
import { db } from '../local-data/database.ts';
import { intlTag } from '../ui/intl-tag.ts';
import { incrementPrintCount } from '../db/commands/documents.ts';
import type { DocumentRow } from '../db/database.ts';
import { clinicSettings } from '../db/singletons.ts';
import { toast } from '../ui/toaster.tsx';
import type { PrintTarget } from './print-target.ts';

/** The fields that printing needs. An invoice from another tablet has no row on this device, but has these fields. */
export type PrintableDocument = Pick<DocumentRow, 'id' | 'order_id' | 'number' | 'printed'> & { language: string };

/** Returns the name of a document: its number, or one made from its treatment if it has no number. */
export const documentName = ({ number, order_id }: Pick<PrintableDocument, 'number' | 'order_id'>): string =>
  number ?? `INV-${order_id}`;

/** Prints on a target that the tap opened. A failure only shows a message: printing never undoes a sale. */
export function useDocumentPrinter(): (
  target: PrintTarget,
  printable: PrintableDocument,
  options?: { isCopy?: boolean },
) => Promise<void> {
  const { t } = useTranslation();
  async function print(target: PrintTarget, printable: PrintableDocument, isCopy: boolean): Promise<void> {
    try {
      const [prints, settings] = await Promise.all([incrementPrintCount(db, printable.id), clinicSettings(db)]);
      const { paper_width, auto_print_receipts: closes } = settings;
      const copyWord = isCopy || prints > 1 ? t('print.copy') : null;
      await target.print(
        {
          title: documentName(printable),
          language: intlTag(printable.language),
          width: paper_width,
          rows: printable.printed,
          copyWord,
          look: settings,
        },
        { closes },
      );
    } catch (error) {
      console.error('The document could not be laid out.', error);
      target.discard();
      toast({ tone: 'error', title: t('print.failed') });
    }
  }
  // This page renders the document, also in another window, so it must not reload meanwhile.
  return (target, printable, { isCopy = false } = {}) => busyWith(print(target, printable, isCopy));
}
