import { ReceiptText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OrderRow } from '#src/db/database.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useMinute } from '#src/formats/clock.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { intlTag } from '#src/ui/intl-tag.ts';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { usePlan } from '../plan-store.ts';
import { useMay } from '#src/session/session.ts';
import { useMoment } from '#src/formats/use-formats.ts';
import { OrderCard } from './order-card.tsx';
import styles from './order-list.module.css';

interface OrderListProps {
  /** Undefined until the database has answered. */
  orders: OrderRow[] | undefined;
  selectedId: string | null;
  onMore: (() => void) | null;
}

export function OrderList({ orders, selectedId, onMore }: OrderListProps) {
  const { t } = useTranslation();
  const formatMoment = useMoment();
  const mayCreate = useMay('order.create');
  const overdue = useOverdue();
  if (!orders) {
    return (
      <div className={styles['loading']}>
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} height="16" />
        ))}
      </div>
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
    <div className={styles['scroller']}>
      <ul aria-label={t('counter.orders.title')} className={styles['orders']}>
        {orders.map((order) => (
          <OrderCard
            key={order.id}
            order={order}
            selected={order.id === selectedId}
            createdAt={formatMoment(order.createdAtMs)}
            overdue={overdue(order.createdAtMs)}
          />
        ))}
      </ul>
      {onMore && (
        <div className={styles['more']}>
          <Button wide onClick={onMore}>
            {t('counter.orders.more')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns a function that returns how long a treatment has been open, or null within the clinic's time limit. */
function useOverdue(): (createdAtMs: number) => string | null {
  const { i18n } = useTranslation();
  const now = useMinute();
  const { order_timeout_minutes: limit } = useClinicSettings();
  return (createdAtMs) => {
    const minutes = Math.floor((now - createdAtMs) / 60_000);
    if (minutes < limit) return null;
    const [value, unit] =
      minutes < 120 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
    return new Intl.NumberFormat(intlTag(i18n.language), { style: 'unit', unit, unitDisplay: 'short' }).format(
      Math.floor(value),
    );
  };
}
