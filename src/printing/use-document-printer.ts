import { useTranslation } from 'react-i18next';
import { busyWith } from '../sync/activity.ts';
import { db } from '../local-data/database.ts';
import { intlTag } from '../ui/intl-tag.ts';
import { incrementPrintCount } from '../db/commands/documents.ts';
import type { DocumentRow } from '../db/database.ts';
import { clinicSettings } from '../db/singletons.ts';
import { toast } from '../ui/toaster.tsx';
import type { PrintTarget } from './print-target.ts';

/** What printing needs of a paper; an invoice that another tablet issued has no row here, but all of this. */
export type PrintableDocument = Pick<DocumentRow, 'id' | 'order_id' | 'number' | 'printed'> & { language: string };

/** How a paper is called: an invoice by its number, anything without one by its treatment. */
export const documentName = ({ number, order_id }: Pick<PrintableDocument, 'number' | 'order_id'>): string =>
  number ?? `INV-${order_id}`;

/** Prints on a target that was opened within the tap. Printing never undoes a sale: a failure is said, and that is all. */
export function useDocumentPrinter(): (
  target: PrintTarget,
  paper: PrintableDocument,
  options?: { isCopy?: boolean },
) => Promise<void> {
  const { t } = useTranslation();
  async function print(target: PrintTarget, paper: PrintableDocument, isCopy: boolean): Promise<void> {
    try {
      const [prints, { paper_width, auto_print_receipts: closes }] = await Promise.all([
        incrementPrintCount(db, paper.id),
        clinicSettings(db),
      ]);
      const copyWord = isCopy || prints > 1 ? t('print.copy') : null;
      await target.print(
        {
          title: documentName(paper),
          language: intlTag(paper.language),
          width: paper_width,
          rows: paper.printed,
          copyWord,
        },
        { closes },
      );
    } catch (error) {
      console.error('The paper could not be made.', error);
      target.discard();
      toast({ tone: 'error', title: t('print.failed') });
    }
  }
  // The paper is made by this page, in whichever window it stands.
  return (target, paper, { isCopy = false } = {}) => busyWith(print(target, paper, isCopy));
}
