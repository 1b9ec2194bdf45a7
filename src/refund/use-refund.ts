import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { requestApproval } from '../approval/approval.ts';
import { refundTreatment } from '../db/commands/refunds.ts';
import type { OrderRow } from '../db/database.ts';
import { orderOf } from '../db/rows.ts';
import { withPrintTarget } from '../printing/print-target.ts';
import type { ChosenRefund } from './refund-form.tsx';
import { useMay } from '../session/session.ts';
import { toast } from '../ui/toaster.tsx';
import { useOnce } from '../ui/use-once.ts';
import { useDocumentPrinter } from '../printing/use-document-printer.ts';
import { usePrintingContext } from '../printing/use-printing-context.ts';

/** Records a refund and prints its credit note, once however often the button is tapped. @param onDone called after a refund */
export function useRefund(onDone: () => void): {
  pending: boolean;
  refund: (order: OrderRow, chosen: ChosenRefund) => Promise<void>;
} {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  const { pending, once } = useOnce();
  const mayRefund = useMay('order.refund');

  const approve = (order: OrderRow, { amountMinor, reason, isStillOwed }: ChosenRefund) =>
    requestApproval({
      action: 'order.refund',
      title: t('refund.confirm', { amount: formatMinor(amountMinor, currencyLabel(order.currency)) }),
      text: [order.number, reason, isStillOwed && t('refund.stillOwed')].filter(Boolean).join(' · '),
    });

  async function refund(order: OrderRow, chosen: ChosenRefund): Promise<void> {
    // Who may not refund alone has a manager approve it over this screen. The credit note then prints in this page.
    const approver = mayRefund ? undefined : await approve(order, chosen);
    if (approver === null) return;
    // The browser blocks a window that opens after the tap has been handled.
    const { target, result } = await withPrintTarget(() =>
      refundTreatment({ ...context(), approver }, { orderId: order.id, fetched: orderOf(order), ...chosen }),
    );
    if (!result.ok) {
      target.discard();
      toast({ tone: 'error', title: t('refund.failed'), text: t(`errors.${result.refusal.code}`) });
      return;
    }
    const { number, amountMinor, method, document, language } = result.value;
    const amount = formatMinor(amountMinor, currencyLabel(order.currency));
    toast({
      tone: 'success',
      title: t('refund.done'),
      text: t('refund.doneText', { number, amount, method: t(`counter.methods.${method}`) }),
    });
    onDone();
    void printDocument(target, { ...document, language });
  }

  return { pending, refund: (order, chosen) => once(() => refund(order, chosen)) };
}
