import { Ban, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCancelText } from '#src/cancel/use-cancel-text.ts';
import type { OrderRow } from '#src/db/database.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/dialog.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import type { PaymentActions } from './use-payment-actions.ts';

const RefundDialog = loadLater(async () => (await import('#src/refund/refund-dialog.tsx')).RefundDialog);

/** Cancels a treatment while it has no payments, and refunds it afterwards. */
export function CancelOrRefundButton({ order, actions }: { order: OrderRow; actions: PaymentActions }) {
  if (order.paidMinor === 0) return <CancelButton order={order} actions={actions} />;
  return order.paidMinor > 0 ? <RefundButton order={order} /> : null;
}

function RefundButton({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  // Who may not refund alone has a manager approve it.
  if (!useMay('order.pay')) return null;
  return (
    <>
      <Button variant="dangerQuiet" wide onClick={() => setOpen(true)}>
        <Undo2 />
        {t('refund.open')}
      </Button>
      <Suspense fallback={null}>{open && <RefundDialog orderId={order.id} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function CancelButton({ order, actions }: { order: OrderRow; actions: PaymentActions }) {
  const { t } = useTranslation();
  const [confirming, setConfirming] = useState(false);
  const mayCancel = useMay('order.cancel');
  const cancelText = useCancelText();
  if (!mayCancel) return null;
  return (
    <>
      <Button variant="dangerQuiet" wide disabled={actions.pending} onClick={() => setConfirming(true)}>
        <Ban />
        {t('counter.payment.cancel')}
      </Button>
      <ConfirmDialog
        open={confirming}
        danger
        title={t('counter.payment.cancelTitle')}
        text={cancelText(order)}
        confirmLabel={t('counter.payment.cancelConfirm')}
        cancelLabel={t('counter.payment.keep')}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void actions.cancel(order);
        }}
      />
    </>
  );
}
