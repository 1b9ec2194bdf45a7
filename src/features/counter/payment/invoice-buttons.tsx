import { chakra } from '@chakra-ui/react';
import { Check, FileText, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decideInvoice, lacksRecipient } from '#domain/order/billing.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { invoiceTreatment } from '#src/db/commands/invoices.ts';
import type { OrderRow } from '#src/db/database.ts';
import { useReopened } from '#src/forms/use-reopened.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { Button } from '#src/ui/button.tsx';
import text from '#src/ui/text.module.css';
import { useOnce } from '#src/ui/use-once.ts';
import { useIssueInvoice } from '#src/invoice/use-issue-invoice.ts';
import { useMustNotInvoice } from '#src/invoice/use-must-not-invoice.ts';
import { RecipientDialog, recipientDraft } from '#src/invoice/recipient-dialog.tsx';
import type { PaymentActions } from './use-payment-actions.ts';

/** Invoices of a clinic with a tax profile: a full one with the payment, and one before it. */
export function InvoiceButtons({ order, actions }: { order: OrderRow; actions: PaymentActions }) {
  const { t } = useTranslation();
  const settings = useClinicSettings();
  const issue = useIssueInvoice();
  const { pending, once } = useOnce();
  const [isAsking, setAsking] = useState(false);
  const isWaiting = useMustNotInvoice();
  useReopened(recipientDraft(order.id), () => actions.askRecipient(order));

  function invoice(recipient: Recipient | undefined) {
    setAsking(false);
    void once(() => issue((context) => invoiceTreatment(context, { orderId: order.id, recipient })));
  }

  const recipient = actions.recipientOf(order);
  const mustAsk = lacksRecipient(settings, order, recipient);
  // What is invoiced already is paid with a receipt.
  if (!decideInvoice(settings, order).ok) return null;
  if (isWaiting)
    return (
      <chakra.p width="full" fontSize="sm" color="due.fg">
        {t('tax.invoiceWaits')}
      </chakra.p>
    );
  return (
    <>
      <Button variant={recipient ? 'secondary' : 'quiet'} onClick={() => actions.askRecipient(order)}>
        {recipient ? <Check /> : <ReceiptText />}
        <span className={text['truncate']}>
          {recipient ? t('tax.recipient.to', { name: recipient.name }) : t('tax.recipient.title')}
        </span>
      </Button>
      <Button variant="quiet" disabled={pending} onClick={() => (mustAsk ? setAsking(true) : invoice(recipient))}>
        <FileText />
        {t('tax.invoiceNow')}
      </Button>
      {isAsking && (
        <RecipientDialog
          order={order}
          isAboveLimit
          onConfirm={invoice}
          onLater={null}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}
