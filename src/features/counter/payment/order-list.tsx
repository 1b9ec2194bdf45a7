import { chakra, Flex } from '@chakra-ui/react';
import { ReceiptText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '../../../db/database.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePlan } from '../plan-store.ts';
import { useMay } from '../../../session/use-may.ts';
import { useMoment } from '../../../formats/use-moment.ts';
import { OrderCard } from './order-card.tsx';
import { useOverdue } from './use-overdue.ts';

interface OrderListProps {
  /** Undefined until the database has answered. */
  orders: OrderRow[] | undefined;
  selectedId: string | null;
  onMore: (() => void) | null;
}

export function OrderList({ orders, selectedId, onMore }: OrderListProps) {
  const { t } = useTranslation();
  const moment = useMoment();
  const mayCreate = useMay('order.create');
  const overdue = useOverdue();
  if (!orders) {
    return (
      <Flex direction="column" gap="2" p="4">
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} height="32" />
        ))}
      </Flex>
    );
  }
  if (orders.length === 0) {
    return (
      <EmptyState icon={<ReceiptText />} title={t('counter.orders.empty')} text={t('counter.orders.emptyText')}>
        {mayCreate && (
          <Button onClick={() => usePlan.getState().setMode('create')}>{t('counter.orders.newTreatment')}</Button>
        )}
      </EmptyState>
    );
  }
  return (
    <chakra.div
      flex="1"
      minHeight="0"
      overflowY="auto"
      overscrollBehavior="contain"
      css={{ scrollbarWidth: 'thin' }}
      p="4"
    >
      <chakra.ul
        aria-label={t('counter.orders.title')}
        display="flex"
        flexDirection="column"
        gap="2"
        listStyleType="none"
      >
        {orders.map((order) => (
          <OrderCard
            key={order.id}
            order={order}
            selected={order.id === selectedId}
            moment={moment(order.createdAtMs)}
            overdue={overdue(order.createdAtMs)}
          />
        ))}
      </chakra.ul>
      {onMore && (
        <Button wide mt="2" onClick={onMore}>
          {t('counter.orders.more')}
        </Button>
      )}
    </chakra.div>
  );
}
