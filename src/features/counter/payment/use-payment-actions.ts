import { create } from 'zustand';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { reachesCashLimit } from '#domain/order/cash-limit.ts';
import { isUnusualChange } from '#domain/order/change.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { needsFullInvoice } from '#domain/order/billing.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import { useCancelTreatment } from '#src/cancel/use-cancel-treatment.ts';
import { busyWith } from '#src/sync/activity.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import type { PaymentOutcome } from '#src/db/commands/payments.ts';
import type { OrderRow } from '#src/db/database.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { toast } from '#src/ui/toaster.tsx';
import { usePlan } from '../plan-store.ts';
import { useMustNotInvoice } from '#src/invoice/use-must-not-invoice.ts';
import { useOnce } from '#src/ui/use-once.ts';
import { withPrintTarget } from '#src/printing/print-target.ts';
import { useDocumentPrinter } from '#src/printing/use-document-printer.ts';
import { usePrintingContext } from '#src/printing/use-printing-context.ts';
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
  /** True where the cash is more than the law allows. */
  isCashLimit: boolean;
}

/** What a full invoice's recipient is asked for: the payment that it belongs to, or an invoice without one. */
export interface RecipientQuestion {
  order: OrderRow;
  tender: Tender | null;
}

export interface PaymentActions {
  pending: boolean;
  /** Takes a payment. If its change is unusual, or its cash too much, it sets the question instead. */
  pay: (order: OrderRow, tender: Tender) => Promise<void>;
  question: ChangeQuestion | null;
  /** Takes the payment in question, or drops it. */
  answer: (isRight: boolean) => Promise<void>;
  cancel: (order: OrderRow) => Promise<void>;
  /** Set when a payment needs a full invoice, or somebody asked for one. Only under a tax profile. */
  recipientQuestion: RecipientQuestion | null;
  /** Returns the recipient that was given for the treatment. */
  recipientOf: (order: OrderRow) => Recipient | undefined;
  /** Asks for the recipient of the invoice that the treatment's next payment issues. */
  askRecipient: (order: OrderRow) => void;
  /** Goes on with a full invoice, or takes the money and leaves the invoice for later (null). */
  answerRecipient: (recipient: Recipient | null) => Promise<void>;
  dropRecipientQuestion: () => void;
  /** Takes back who was given, so that the next payment issues a simplified invoice. */
  dropRecipient: (order: OrderRow) => void;
}

/**
 * Whom the full invoice of a payment will name, by treatment; null where the invoice is put off. It outlives the screen, so that
 * a look at the catalogue does not turn a full invoice into a simplified one.
 */
const useRecipients = create<ReadonlyMap<string, Recipient | null>>()(() => new Map());

const setRecipient = (orderId: string, recipient: Recipient | null): void =>
  useRecipients.setState((before) => new Map(before).set(orderId, recipient), true);

const forgetRecipient = (orderId: string): void =>
  useRecipients.setState((before) => new Map([...before].filter(([id]) => id !== orderId)), true);

/** @param onPaid called after each payment, to show the change */
export function usePaymentActions(onPaid: (outcome: PaymentOutcome, currency: string) => void): PaymentActions {
  const { t } = useTranslation();
  const context = usePrintingContext();
  const printDocument = useDocumentPrinter();
  const showRefusal = useRefusalToast();
  const cancelTreatment = useCancelTreatment();
  const { pending, once } = useOnce();
  const settings = useClinicSettings();
  const { change_limit: changeLimit } = settings;
  const isWaiting = useMustNotInvoice();
  const [question, setQuestion] = useState<ChangeQuestion | null>(null);
  const [recipientQuestion, setRecipientQuestion] = useState<RecipientQuestion | null>(null);
  const recipients = useRecipients();

  /** The amount asks for a full invoice, and neither a recipient was given nor the invoice put off, by a person or by law. */
  const mustAsk = (order: OrderRow): boolean =>
    !isWaiting && needsFullInvoice(settings, order) && !recipients.has(order.id);

  async function payOrAsk(order: OrderRow, tender: Tender): Promise<void> {
    if (mustAsk(order)) setRecipientQuestion({ order, tender });
    else await payOrAskChange(order, tender, recipients.get(order.id));
  }

  async function payOrAskChange(order: OrderRow, tender: Tender, recipient: Recipient | null | undefined) {
    const changeMinor = tender.method === 'cash' ? tender.tenderedMinor - order.balanceMinor : 0;
    const cashMinor = tender.method === 'cash' ? Math.min(tender.tenderedMinor, order.balanceMinor) : 0;
    const isCashLimit = cashMinor > 0 && reachesCashLimit(settings, order, cashMinor);
    if (isCashLimit || isUnusualChange(changeMinor, changeLimit))
      setQuestion({ order, tender, changeMinor, isCashLimit });
    else await pay(order, tender, recipient);
  }

  async function answerRecipient(recipient: Recipient | null): Promise<void> {
    const asked = recipientQuestion!;
    setRecipientQuestion(null);
    setRecipient(asked.order.id, recipient);
    if (asked.tender) await payOrAskChange(asked.order, asked.tender, recipient);
  }

  async function answer(isRight: boolean): Promise<void> {
    setQuestion(null);
    if (isRight && question) await pay(question.order, question.tender, recipients.get(question.order.id));
  }

  async function pay(
    order: OrderRow,
    { method, tenderedMinor, reference }: Tender,
    recipient: Recipient | null | undefined,
  ): Promise<void> {
    const referenced = method !== 'cash' && reference.trim() ? { reference: reference.trim() } : {};
    // The browser may block a window that does not open within the tap.
    const { target, result } = await withPrintTarget(() =>
      takePayment(context(), {
        orderId: order.id,
        method,
        tenderedMinor,
        ...referenced,
        ...(recipient && { recipient }),
      }),
    );
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
      text: [
        t('counter.done.paidText', { number: outcome.orderNumber, amount, method: t(`counter.methods.${method}`) }),
        // On a phone the note beside the buttons is below the charge.
        ...(isWaiting ? [t('tax.invoiceWaits')] : []),
      ].join(' '),
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
    if (await cancelTreatment(order)) usePlan.getState().closePayment();
  }

  return {
    pending,
    pay: (order, tender) => once(() => busyWith(payOrAsk(order, tender))),
    question,
    answer: (isRight) => once(() => busyWith(answer(isRight))),
    cancel: (order) => once(() => cancel(order)),
    recipientQuestion,
    recipientOf: ({ id }) => recipients.get(id) ?? undefined,
    askRecipient: (order) => setRecipientQuestion({ order, tender: null }),
    answerRecipient: (recipient) => once(() => busyWith(answerRecipient(recipient))),
    dropRecipientQuestion: () => setRecipientQuestion(null),
    dropRecipient: (order) => {
      setRecipientQuestion(null);
      forgetRecipient(order.id);
    },
  };
}
