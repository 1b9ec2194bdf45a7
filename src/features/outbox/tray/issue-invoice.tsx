import { useLiveQuery } from '#src/local-data/live.ts';
import { FileText } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decideInvoice, needsFullInvoice } from '#domain/order/billing.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { invoiceTreatment } from '#src/db/commands/invoices.ts';
import { useMustNotInvoice } from '#src/invoice/use-must-not-invoice.ts';
import { useIssueInvoice } from '#src/invoice/use-issue-invoice.ts';
import { db } from '#src/local-data/database.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { useOnce } from '#src/ui/use-once.ts';

const RecipientDialog = loadLater(async () => (await import('#src/invoice/recipient-dialog.tsx')).RecipientDialog);

/** Issues the invoice that a treatment lacks; nothing where there is nothing to invoice. */
export function IssueInvoice({ orderId }: { orderId: string }) {
  const { t } = useTranslation();
  const order = useLiveQuery(() => db.orders.get(orderId), [orderId]);
  const settings = useClinicSettings();
  const mayInvoice = useMay('order.invoice');
  const issue = useIssueInvoice();
  const { pending, once } = useOnce();
  const [isAsking, setAsking] = useState(false);
  const isWaiting = useMustNotInvoice();
  if (!order || !mayInvoice || isWaiting || !decideInvoice(settings, order).ok) return null;

  function invoice(recipient: Recipient | undefined) {
    setAsking(false);
    void once(() => issue((context) => invoiceTreatment(context, { orderId, recipient })));
  }

  return (
    <>
      <Button
        disabled={pending}
        onClick={() => (needsFullInvoice(settings, order) ? setAsking(true) : invoice(undefined))}
      >
        <FileText />
        {t('tax.invoiceNow')}
      </Button>
      <Suspense fallback={null}>
        {isAsking && (
          <RecipientDialog
            order={order}
            isAboveLimit
            onConfirm={invoice}
            onLater={null}
            onCancel={() => setAsking(false)}
          />
        )}
      </Suspense>
    </>
  );
}
