import { chakra, Flex } from '@chakra-ui/react';
import { Copy, PackageCheck, Pencil, Printer, Send, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { orderSeen } from '#domain/stock/seen.ts';
import { callServer } from '#src/api/client.ts';
import { AskedAgain } from '#src/decisions/asked-again.tsx';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { purchaseOrderPaths } from '#src/server-data/purchasing.ts';
import { Button } from '#src/ui/button.tsx';
import { useOrderWords } from './order-words.ts';
import { useOrderDocument } from './use-order-document.ts';

const isOpenOrder = ({ status }: PurchaseOrderResource): boolean => status !== 'received' && status !== 'cancelled';

interface OrderActionsProps {
  order: PurchaseOrderResource;
  onEdit: () => void;
  onReceive: () => void;
}

/** Actions allowed in the order's current status. The next step of its life cycle is the primary button. */
export function OrderActions({ order, onEdit, onReceive }: OrderActionsProps) {
  const { t } = useTranslation();
  const orderDocument = useOrderDocument(order);
  const { status, po_number } = order;
  const [isConfirming, setConfirming] = useState(false);
  const sending = useStatusChange(order, 'send');
  const isOpen = isOpenOrder(order);
  const ending = status === 'partial' ? 'close' : 'cancel';
  return (
    // Words are enough where six signs would make a line of their own.
    <Flex
      gap="2"
      wrap="wrap"
      css={{
        '@media (width < 64rem)': { '& > button svg': { display: 'none' } },
        // Two equal columns on a phone; what is done next takes a line of its own.
        '@media (width < 48rem)': {
          width: '100%',
          '& > button': { flex: '1 1 calc(50% - {spacing.2})' },
        },
      }}
    >
      <Button onClick={() => void orderDocument.copy()}>
        <Copy />
        {t('purchasing.actions.copy')}
      </Button>
      <Button onClick={() => void orderDocument.print()}>
        <Printer />
        {t('purchasing.actions.print')}
      </Button>
      {isOpen && (
        <Button variant="dangerQuiet" onClick={() => setConfirming(true)}>
          <X />
          {t(`purchasing.actions.${ending}`)}
        </Button>
      )}
      {status === 'draft' && (
        <Button onClick={onEdit}>
          <Pencil />
          {t('purchasing.actions.edit')}
        </Button>
      )}
      {isOpen && (
        <Button variant={status === 'draft' ? 'secondary' : 'primary'} onClick={onReceive}>
          <PackageCheck />
          {t('purchasing.actions.receive')}
        </Button>
      )}
      {status === 'draft' && (
        <Button variant="primary" disabled={sending.isRunning} onClick={() => void sending.run({})}>
          <Send />
          {t('purchasing.actions.send')}
        </Button>
      )}
      {isConfirming && <EndDialog order={order} onClose={() => setConfirming(false)} />}
      <AskedAgain
        decision={sending}
        title={po_number}
        confirmLabel={t('purchasing.actions.send')}
        isPossible={sending.shown.status === 'draft'}
      />
    </Flex>
  );
}

/** Cancels an order, or closes one of which a part has arrived. */
function EndDialog({ order, onClose }: { order: PurchaseOrderResource; onClose: () => void }) {
  const { t } = useTranslation();
  const cancelling = useStatusChange(order, 'cancel');
  const { status, po_number } = cancelling.shown;
  const ending = status === 'partial' ? 'close' : 'cancel';
  return (
    <DecisionDialog
      decision={cancelling}
      danger
      title={t(`purchasing.confirm.${ending}.title`)}
      confirmLabel={t(`purchasing.actions.${ending}`)}
      cancelLabel={t('purchasing.confirm.keep')}
      isPossible={isOpenOrder(cancelling.shown)}
      onClose={onClose}
      onConfirm={() => void cancelling.run({}).then((done) => done && onClose())}
    >
      <chakra.p color="fg.muted">{t(`purchasing.confirm.${ending}.text`, { number: po_number })}</chakra.p>
    </DecisionDialog>
  );
}

function useStatusChange(order: PurchaseOrderResource, change: 'send' | 'cancel') {
  const { t } = useTranslation();
  const number = order.po_number;
  return useDecision(order, {
    fields: orderSeen,
    isLive: change === 'send',
    words: useOrderWords(),
    call: (body, headers, { id }) => callServer('post', `purchase-orders/${id}/${change}`, body, headers),
    refreshes: purchaseOrderPaths,
    done: () =>
      t(`purchasing.done.${change === 'send' ? 'sent' : order.status === 'partial' ? 'closed' : 'cancelled'}`, {
        number,
      }),
    failed: t('purchasing.moveFailed', { number }),
  });
}
