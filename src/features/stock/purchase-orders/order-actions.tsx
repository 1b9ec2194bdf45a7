import { Flex } from '@chakra-ui/react';
import { Copy, PackageCheck, Pencil, Printer, Send, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { callServer } from '#src/api/client.ts';
import { purchaseOrderPaths } from '#src/server-data/purchasing.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/dialog.tsx';
import { useOrderDocument } from './use-order-document.ts';

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
  const cancelling = useStatusChange(order, 'cancel');
  const isOpen = status !== 'received' && status !== 'cancelled';
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
        <Button variant="dangerQuiet" disabled={cancelling.isRunning} onClick={() => setConfirming(true)}>
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
        <Button variant="primary" disabled={sending.isRunning} onClick={() => void sending.run(null)}>
          <Send />
          {t('purchasing.actions.send')}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        danger
        title={t(`purchasing.confirm.${ending}.title`)}
        text={t(`purchasing.confirm.${ending}.text`, { number: po_number })}
        confirmLabel={t(`purchasing.actions.${ending}`)}
        cancelLabel={t('purchasing.confirm.keep')}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void cancelling.run(null);
        }}
      />
    </Flex>
  );
}

function useStatusChange({ id, po_number, status }: PurchaseOrderResource, change: 'send' | 'cancel') {
  const { t } = useTranslation();
  const done = change === 'send' ? 'sent' : status === 'partial' ? 'closed' : 'cancelled';
  return useServerCall<null>(
    (_input, headers) => callServer('post', `purchase-orders/${id}/${change}`, undefined, headers),
    {
      refreshes: purchaseOrderPaths,
      done: () => t(`purchasing.done.${done}`, { number: po_number }),
      failed: t('purchasing.moveFailed', { number: po_number }),
    },
  );
}
