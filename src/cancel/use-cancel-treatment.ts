import { useTranslation } from 'react-i18next';
import { isInvoiced } from '#domain/order/tax-totals.ts';
import { cancelTreatment } from '../db/commands/treatments.ts';
import type { OrderRow } from '../db/database.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { withPrintTarget } from '../printing/print-target.ts';
import { useDocumentPrinter } from '../printing/use-document-printer.ts';
import { usePrintingContext } from '../printing/use-printing-context.ts';
import { toast } from '../ui/toaster.tsx';

/**
 * Returns a function that cancels a treatment, says so, and prints the credit note of an invoiced one. Call it within the tap.
 * It resolves to false when the cancel is refused.
 */
export function useCancelTreatment(): (order: OrderRow) => Promise<boolean> {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  return async (order) => {
    const cancel = () => cancelTreatment(context(), { orderId: order.id });
    // The window must open within the tap.
    const { target, result } = isInvoiced(order)
      ? await withPrintTarget(cancel)
      : { target: null, result: await cancel() };
    if (!result.ok) {
      target?.discard();
      toast({ tone: 'error', title: t('counter.failed.cancel'), text: t(`errors.${result.refusal.code}`) });
      return false;
    }
    const { number, document } = result.value;
    toast({ tone: 'success', title: t('counter.done.cancelled'), text: number });
    if (target && document) void printDocument(target, { ...document, language: currentLanguage() });
    else target?.discard();
    return true;
  };
}
