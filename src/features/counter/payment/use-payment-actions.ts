import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import type { PaymentMethod } from '../../../../domain/order/vocabulary.ts';
import { busyWith } from '../../../sync/activity.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { takePayment } from '../../../db/commands/payments.ts';
import type { PaymentOutcome } from '../../../db/commands/payments.ts';
import { cancelTreatment } from '../../../db/commands/treatments.ts';
import type { OrderRow } from '../../../db/database.ts';
import { toast } from '../../../ui/toaster.tsx';
import { usePlan } from '../plan-store.ts';
import { useOnce } from '../../../ui/use-once.ts';
import { openPrintTargetAfter } from '../../../printing/print-target.ts';
import { useDocumentPrinter } from '../../../printing/use-document-printer.ts';
import { usePrintingContext } from '../../../printing/use-printing-context.ts';
import { useRefusalToast } from '../use-refusal-toast.ts';

export interface Tender {
  method: PaymentMethod;
  tenderedMinor: number;
  reference: string;
}

export interface PaymentActions {
  pending: boolean;
  pay: (order: OrderRow, tender: Tender) => Promise<void>;
  cancel: (order: OrderRow) => Promise<void>;
}

/** @param onPaid called after each payment, to show the change */
export function usePaymentActions(onPaid: (outcome: PaymentOutcome, currency: string) => void): PaymentActions {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  const showRefusal = useRefusalToast();
  const { pending, once } = useOnce();

  async function pay(order: OrderRow, { method, tenderedMinor, reference }: Tender): Promise<void> {
    const referenced = method !== 'cash' && reference.trim() ? { reference: reference.trim() } : {};
    const payment = takePayment(context(), { orderId: order.id, method, tenderedMinor, ...referenced });
    // The browser blocks a window that does not open within the tap, so it opens before the database answers.
    const target = openPrintTargetAfter(payment);
    const result = await payment.catch((error: unknown) => {
      target.discard();
      throw error;
    });
    if (!result.ok) {
      target.discard();
      showRefusal(t('counter.failed.payment'), result.refusal);
      return;
    }
    const outcome = result.value;
    const amount = formatMinor(outcome.amountMinor, currencyLabel(order.currency));
    toast({
      tone: 'success',
      title: outcome.completed ? t('counter.done.paid') : t('counter.done.partPaid'),
      text: t('counter.done.paidText', { number: outcome.orderNumber, amount, method: t(`counter.methods.${method}`) }),
    });
    if (outcome.completed) {
      usePlan.getState().closePayment();
      usePlan.getState().setMode('create');
    }
    onPaid(outcome, order.currency);
    // Not awaited, so that the counter is free for the next customer while the document prints.
    void printDocument(target, {
      ...outcome.document,
      language: outcome.document.invoice?.language ?? currentLanguage(),
    });
  }

  async function cancel(order: OrderRow): Promise<void> {
    const result = await cancelTreatment(context(), { orderId: order.id });
    if (!result.ok) return showRefusal(t('counter.failed.cancel'), result.refusal);
    usePlan.getState().closePayment();
    toast({ tone: 'success', title: t('counter.done.cancelled'), text: result.value.number });
  }

  return {
    pending,
    pay: (order, tender) => once(() => busyWith(pay(order, tender))),
    cancel: (order) => once(() => cancel(order)),
  };
}
