import { ChevronDown } from 'lucide-react';
import { Fragment, memo, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { notesOf } from '#domain/order/order.ts';
import type { OrderRow } from '#src/db/database.ts';
import { OrderLines } from '../order-lines.tsx';
import { orderSums } from '../order-sums.ts';
import { useCustomerName } from '#src/formats/use-customer-name.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { classes } from '#src/ui/classes.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import text from '#src/ui/text.module.css';
import { usePlan } from '../plan-store.ts';
import styles from './order-card.module.css';

interface OrderCardProps {
  order: OrderRow;
  selected: boolean;
  createdAt: string;
  /** How long the treatment has been open; null within the clinic's time limit. */
  overdue: string | null;
}

export const OrderCard = memo(function OrderCard({ order, selected, createdAt, overdue }: OrderCardProps) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const customer = useCustomerName()(order);
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  return (
    <li className={styles['card']} data-selected={selected || undefined}>
      <div className={styles['row']}>
        <button
          type="button"
          aria-pressed={selected}
          className={styles['face']}
          onClick={() => usePlan.getState().openPayment(order.id)}
        >
          <span className={styles['about']}>
            <span className={classes(styles['customer'], text['clamp'])} data-named={Boolean(customer)}>
              {customer || t('counter.orders.noCustomer')}
            </span>
            <span className={styles['balance']}>{formatMinor(order.balanceMinor, currencyLabel(order.currency))}</span>
          </span>
          <span className={styles['when']}>
            <span>{[order.number, order.roomNumber && nameOf(order.roomNumber)].filter(Boolean).join(' · ')}</span>
            <span data-overdue={overdue !== null || undefined}>
              {overdue && <span className={text['srOnly']}>{t('counter.orders.openFor', { time: overdue })}</span>}
              <span aria-hidden={overdue !== null}>{overdue ?? createdAt}</span>
            </span>
          </span>
          {(order.paidMinor > 0 || order.unsent === 1) && (
            <span className={styles['badges']}>
              {order.paidMinor > 0 && <Badge tone="due">{t('counter.orders.partPaid')}</Badge>}
              {order.unsent === 1 && <SentBadge unsent />}
            </span>
          )}
        </button>
        <IconButton
          label={`${t('counter.orders.show')} ${order.number}`}
          className={styles['show']}
          aria-expanded={open}
          aria-controls={detailsId}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown />
        </IconButton>
      </div>
      <div id={detailsId} hidden={!open} className={styles['details']}>
        {open && <OrderDetails order={order} createdAt={createdAt} />}
      </div>
    </li>
  );
});

function OrderDetails({ order, createdAt }: { order: OrderRow; createdAt: string }) {
  const { t } = useTranslation();
  const amount = (minor: number) => formatMinor(minor, currencyLabel(order.currency));
  const discountName = [t('counter.discount.label'), order.discountReason].filter(Boolean).join(': ');
  const details = [
    [t('counter.orders.type'), t(`counter.types.${order.type}`)],
    ...(order.roomNumber ? [[t('counter.room.label'), order.roomNumber]] : []),
    [t('counter.orders.createdAt'), createdAt],
    ...(order.discountMinor === 0 ? [] : [[discountName, amount(-order.discountMinor)]]),
    ...orderSums(order).map(({ name, minor }) => [t(`counter.payment.${name}`), amount(minor)]),
  ];
  return (
    <>
      <dl className={styles['facts']}>
        {details.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <div className={styles['lines']}>
        <OrderLines order={order} />
      </div>
      {notesOf(order) && (
        <p className={styles['notes']}>
          <span>{t('counter.orders.notes')}: </span>
          {notesOf(order)}
        </p>
      )}
    </>
  );
}
