import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { isUnusualChange } from '../../../../domain/order/change.ts';
import type { PaymentMethod } from '../../../../domain/order/vocabulary.ts';
import { busyWith } from '../../../sync/activity.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { takePayment } from '../../../db/commands/payments.ts';
import type { PaymentOutcome } from '../../../db/commands/payments.ts';
import { cancelTreatment } from '../../../db/commands/treatments.ts';
import type { OrderRow } from '../../../db/database.ts';
import { useClinicSettings } from '../../../local-data/use-clinic-settings.ts';
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

export interface ChangeQuestion {
  order: OrderRow;
  tender: Tender;
  changeMinor: number;
}

export interface PaymentActions {
  pending: boolean;
  /** Takes a payment. If its change is unusual, it sets the question instead. */
  pay: (order: OrderRow, tender: Tender) => Promise<void>;
  question: ChangeQuestion | null;
  /** Takes the payment in question, or drops it. */
  answer: (isRight: boolean) => Promise<void>;
  cancel: (order: OrderRow) => Promise<void>;
}

/** @param onPaid called after each payment, to show the change */
export function usePaymentActions(onPaid: (outcome: PaymentOutcome, currency: string) => void): PaymentActions {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  const showRefusal = useRefusalToast();
  const { pending, once } = useOnce();
  const { change_limit: changeLimit } = useClinicSettings();
  const [question, setQuestion] = useState<ChangeQuestion | null>(null);

  async function payOrAsk(order: OrderRow, tender: Tender): Promise<void> {
    const changeMinor = tender.method === 'cash' ? tender.tenderedMinor - order.balanceMinor : 0;
    if (isUnusualChange(changeMinor, changeLimit)) setQuestion({ order, tender, changeMinor });
    else await pay(order, tender);
  }

  async function answer(isRight: boolean): Promise<void> {
    setQuestion(null);
    if (isRight && question) await pay(question.order, question.tender);
  }

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
    pay: (order, tender) => once(() => busyWith(payOrAsk(order, tender))),
    question,
    answer: (isRight) => once(() => busyWith(answer(isRight))),
    cancel: (order) => once(() => cancel(order)),
  };
}
