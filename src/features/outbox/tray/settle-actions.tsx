import { CheckCheck, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { CorrectInvoices } from './correct-invoices.tsx';
import { IssueInvoice } from './issue-invoice.tsx';

const RefundDialog = loadLater(async () => (await import('#src/refund/refund-dialog.tsx')).RefundDialog);
const SettleDialog = loadLater(async () => (await import('./settle-dialog.tsx')).SettleDialog);

/** The amount that the refund dialog proposes, by kind of item. */
const refundProposals = { overpaid: 'surplus', cancel_overruled: 'everything', under_invoiced: 'everything' } as const;

const proposalOf = (kind: string) => Object.entries(refundProposals).find(([each]) => each === kind)?.[1] ?? null;

export function SettleActions({ item, sentence }: { item: AttentionResource; sentence: string }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'refund' | 'settle' | null>(null);
  const mayRefund = useMay('order.refund');
  const maySettle = useMay('attention.settle');
  const { kind, order_id: orderId } = item;
  const propose = proposalOf(kind);
  const canRefund = mayRefund && propose !== null && orderId !== null;
  const close = () => setDialog(null);
  return (
    <>
      {kind === 'under_invoiced' && orderId !== null && <IssueInvoice orderId={orderId} />}
      {canRefund && (
        <Button variant={kind === 'under_invoiced' ? 'quiet' : undefined} onClick={() => setDialog('refund')}>
          <Undo2 />
          {propose === 'surplus' ? t('refund.surplus') : t('refund.paidFor')}
        </Button>
      )}
      {kind === 'over_invoiced' && orderId !== null && <CorrectInvoices orderId={orderId} />}
      {maySettle && (
        <Button variant={canRefund ? 'quiet' : 'secondary'} onClick={() => setDialog('settle')}>
          <CheckCheck />
          {canRefund || kind === 'over_refunded' || kind === 'refunded_twice'
            ? t('outbox.settling.open')
            : t('outbox.settling.mark')}
        </Button>
      )}
      <Suspense fallback={null}>
        {canRefund && dialog === 'refund' && <RefundDialog orderId={orderId} propose={propose} onClose={close} />}
        {dialog === 'settle' && <SettleDialog action="settle" items={[item]} sentence={sentence} onClose={close} />}
      </Suspense>
    </>
  );
}

/** Lets a manager have work count that came after its device was revoked, or its session ended. */
export function ApproveAction({ item, sentence }: { item: AttentionResource; sentence: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const maySettle = useMay('attention.settle');
  if (!maySettle) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CheckCheck />
        {t('outbox.approving.open')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <SettleDialog action="approve" items={[item]} sentence={sentence} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
