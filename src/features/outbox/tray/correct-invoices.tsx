import { useLiveQuery } from '#src/local-data/live.ts';
import { Ban, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decideCancel } from '#domain/order/decisions.ts';
import { useCancelText } from '#src/cancel/use-cancel-text.ts';
import { useCancelTreatment } from '#src/cancel/use-cancel-treatment.ts';
import type { OrderRow } from '#src/db/database.ts';
import { db } from '#src/local-data/database.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/dialog.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { useOnce } from '#src/ui/use-once.ts';

const RefundDialog = loadLater(async () => (await import('#src/refund/refund-dialog.tsx')).RefundDialog);

/** Corrects a treatment that is invoiced too much: refunds what was paid, then cancels it, whose credit note corrects the rest. */
export function CorrectInvoices({ orderId }: { orderId: string }) {
  const { t } = useTranslation();
  const order = useLiveQuery(() => db.orders.get(orderId), [orderId]);
  const cancelTreatment = useCancelTreatment();
  const cancelText = useCancelText();
  const { pending, once } = useOnce();
  // Two values, so that the end of a refund does not ask for the cancel, which is offered next.
  const [dialog, setDialog] = useState<'refund' | 'cancel' | null>(null);
  const [mayRefund, mayCancel] = [useMay('order.refund'), useMay('order.cancel')];
  if (!order) return null;
  const close = () => setDialog(null);

  async function cancel(cancelled: OrderRow): Promise<void> {
    close();
    await cancelTreatment(cancelled);
  }

  if (order.paidMinor > 0)
    return (
      mayRefund && (
        <>
          <Button onClick={() => setDialog('refund')}>
            <Undo2 />
            {t('refund.paidFor')}
          </Button>
          <Suspense fallback={null}>
            {dialog === 'refund' && <RefundDialog orderId={orderId} propose="everything" onClose={close} />}
          </Suspense>
        </>
      )
    );
  if (!mayCancel || !decideCancel(order).ok) return null;
  return (
    <>
      <Button variant="dangerQuiet" disabled={pending} onClick={() => setDialog('cancel')}>
        <Ban />
        {t('counter.payment.cancel')}
      </Button>
      <ConfirmDialog
        open={dialog === 'cancel'}
        danger
        title={t('counter.payment.cancelTitle')}
        text={cancelText(order)}
        confirmLabel={t('counter.payment.cancelConfirm')}
        cancelLabel={t('counter.payment.keep')}
        onCancel={close}
        onConfirm={() => void once(() => cancel(order))}
      />
    </>
  );
}
