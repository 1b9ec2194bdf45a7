import { useTranslation } from 'react-i18next';
import type { Result } from '#domain/result.ts';
import type { CommandContext } from '../db/commands/context.ts';
import type { InvoiceOutcome } from '../db/commands/invoices.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { withPrintTarget } from '../printing/print-target.ts';
import { useDocumentPrinter } from '../printing/use-document-printer.ts';
import { usePrintingContext } from '../printing/use-printing-context.ts';
import { toast } from '../ui/toaster.tsx';

/** Returns a function that issues an invoice which no payment issues, and prints it. Call it within the tap. */
export function useIssueInvoice(): (
  command: (context: CommandContext) => Promise<Result<InvoiceOutcome>>,
) => Promise<void> {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  return async (command) => {
    const { target, result } = await withPrintTarget(() => command(context()));
    if (!result.ok) {
      target.discard();
      toast({ tone: 'error', title: t('tax.invoiceFailed'), text: t(`errors.${result.refusal.code}`) });
      return;
    }
    const { document } = result.value;
    toast({ tone: 'success', title: t('tax.invoiceIssued'), text: document.number ?? '' });
    void printDocument(target, { ...document, language: document.invoice?.language ?? currentLanguage() });
  };
}
