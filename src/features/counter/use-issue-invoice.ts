import { useTranslation } from 'react-i18next';
import type { Result } from '../../../domain/result.ts';
import type { CommandContext } from '../../db/commands/context.ts';
import type { InvoiceOutcome } from '../../db/commands/invoices.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import { openPrintTargetAfter } from '../../printing/print-target.ts';
import { useDocumentPrinter } from '../../printing/use-document-printer.ts';
import { usePrintingContext } from '../../printing/use-printing-context.ts';
import { toast } from '../../ui/toaster.tsx';
import { useRefusalToast } from './use-refusal-toast.ts';

/** Returns a function that issues an invoice which no payment issues, and prints it. Call it within the tap. */
export function useIssueInvoice(): (
  command: (context: CommandContext) => Promise<Result<InvoiceOutcome>>,
) => Promise<void> {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  const showRefusal = useRefusalToast();
  return async (command) => {
    const issued = command(context());
    const target = openPrintTargetAfter(issued);
    const result = await issued.catch((error: unknown) => {
      target.discard();
      throw error;
    });
    if (!result.ok) {
      target.discard();
      return showRefusal(t('tax.invoiceFailed'), result.refusal);
    }
    const { document } = result.value;
    toast({ tone: 'success', title: t('tax.invoiceIssued'), text: document.number ?? '' });
    void printDocument(target, { ...document, language: document.invoice?.language ?? currentLanguage() });
  };
}
