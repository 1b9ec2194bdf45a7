import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useEffect, useState } from 'react';
import type { OrderRow } from '../db/database.ts';
import { RefundForm } from './refund-form.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useCreditNotePreview } from './use-credit-note-preview.ts';
import { useRefund } from './use-refund.ts';
import { useLiveQuery } from '../local-data/live.ts';
import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { api } from '../api/client.ts';
import { orderRow } from '../db/rows.ts';
import { orderById } from '../db/queries/orders.ts';
import { db } from '../local-data/database.ts';

export interface RefundDialogProps {
  orderId: string;
  /** The treatment from the server, if the caller has already loaded it. */
  foreign?: OrderRow;
  /** Proposed amount: everything paid, or only the surplus over the price. */
  propose?: 'everything' | 'surplus';
  onClose: () => void;
}

/** Refunds a treatment and prints the credit note, online or offline. */
export function RefundDialog({ orderId, foreign, propose = 'everything', onClose }: RefundDialogProps) {
  const { t } = useTranslation();
  const order = useOrderAtHand(orderId, foreign);
  const { pending, refund } = useRefund(onClose);
  const documentOf = useCreditNotePreview();
  // One dialog opens, not one for another: it would take the focus from it.
  if (order === undefined) return null;
  if (order !== 'asking' && order && order.paidMinor > 0)
    return (
      <RefundForm
        key={order.id}
        order={order}
        proposedMinor={propose === 'surplus' ? proposedSurplus(order) : order.paidMinor}
        pending={pending}
        documentOf={(chosen) => documentOf(order, chosen)}
        onRefund={(chosen) => void refund(order, chosen)}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('refund.title')}
      width="44rem"
      actions={<Button onClick={onClose}>{t('refund.keep')}</Button>}
    >
      {order === 'asking' && <Skeleton height="64" />}
      {order === null && <Banner tone="refused">{t('refund.away')}</Banner>}
      {order !== 'asking' && order && <chakra.p color="fg.muted">{t('refund.nothing')}</chakra.p>}
    </Dialog>
  );
}

/** Returns 0 if the surplus is gone meanwhile, so that the proposal never reduces the price. */
const proposedSurplus = ({ balanceMinor }: OrderRow): number => Math.max(0, -balanceMinor);

/**
 * Returns the treatment from this device, or else from the server: devices drop treatments closed over a week ago.
 *
 * @returns undefined until the device has looked; null if neither has it, or the server does not answer
 */
function useOrderAtHand(orderId: string, foreign?: OrderRow): OrderRow | 'asking' | null | undefined {
  const here = useLiveQuery(async () => (await orderById(db, orderId)) ?? null, [orderId]);
  const [told, setTold] = useState<OrderRow | null | undefined>(foreign);
  const mustAsk = here === null && told === undefined;
  useEffect(() => {
    if (!mustAsk) return;
    const end = new AbortController();
    void api
      .get(`orders/${orderId}`, { signal: end.signal })
      .json<{ data: OrderResource }>()
      .then(({ data }) => setTold(orderRow(orderFromResource(data), 0)))
      .catch(() => {
        if (!end.signal.aborted) setTold(null);
      });
    return () => end.abort();
  }, [mustAsk, orderId]);
  return here === null ? (told === undefined ? 'asking' : told) : here;
}
