import { chakra, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import type { OrderRow } from '../../../db/database.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { OrderLines } from '../order-lines.tsx';
import { useCustomerName } from '../../../formats/use-customer-name.ts';
import { useRoomName } from '../../../formats/use-room-name.ts';
import { SentBadge } from '../../../sync/sent-badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { usePlan } from '../plan-store.ts';

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
    <chakra.li borderBottomWidth="1px" borderColor="border" bg={selected ? 'accent.subtle' : undefined}>
      <Flex align="center">
        <chakra.button
          type="button"
          aria-pressed={selected}
          onClick={() => usePlan.getState().openPayment(order.id)}
          flex="1"
          minWidth="0"
          minHeight="16"
          textAlign="start"
          ps="4"
          py="2"
          cursor="pointer"
          boxShadow={selected ? 'inset 3px 0 0 var(--chakra-colors-accent-solid)' : undefined}
          _hover={{ bg: selected ? 'accent.subtle' : 'bg.hover' }}
          _focusVisible={{ outlineOffset: '-3px' }}
        >
          <Flex as="span" justify="space-between" align="baseline" gap="3" lineHeight="1.3">
            <chakra.span fontWeight="medium" minWidth="0" truncate color={customer ? 'fg' : 'fg.muted'}>
              {customer || t('counter.orders.noCustomer')}
            </chakra.span>
            <MoneyText minor={order.balanceMinor} currency={order.currency} fontWeight="semibold" />
          </Flex>
          <Flex as="span" wrap="wrap" align="center" columnGap="2" fontSize="sm" color="fg.muted" mt="0.5">
            <chakra.span fontVariantNumeric="tabular-nums">
              {[order.number, order.roomNumber && nameOf(order.roomNumber)].filter(Boolean).join(' · ')}
            </chakra.span>
            <chakra.span ms="auto" fontVariantNumeric="tabular-nums" color={overdue ? 'due.fg' : undefined}>
              {overdue && <chakra.span srOnly>{t('counter.orders.openFor', { time: overdue })}</chakra.span>}
              <span aria-hidden={overdue !== null}>{overdue ?? createdAt}</span>
            </chakra.span>
          </Flex>
          {(order.paidMinor > 0 || order.unsent === 1) && (
            <Flex as="span" wrap="wrap" gap="2" mt="1">
              {order.paidMinor > 0 && <Badge tone="due">{t('counter.orders.partPaid')}</Badge>}
              {order.unsent === 1 && <SentBadge unsent />}
            </Flex>
          )}
        </chakra.button>
        <IconButton
          label={`${t('counter.orders.show')} ${order.number}`}
          color="fg.muted"
          aria-expanded={open}
          aria-controls={detailsId}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown style={{ rotate: open ? '180deg' : '0deg', transition: 'rotate 120ms' }} />
        </IconButton>
      </Flex>
      <chakra.div id={detailsId} hidden={!open} px="4" pb="3">
        {open && <OrderDetails order={order} createdAt={createdAt} />}
      </chakra.div>
    </chakra.li>
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
    [t('counter.payment.total'), amount(order.totalMinor)],
    ...(order.paidMinor === 0 ? [] : [[t('counter.payment.paid'), amount(order.paidMinor)]]),
  ];
  return (
    <>
      <chakra.dl
        display="grid"
        gridTemplateColumns="auto 1fr"
        columnGap="3"
        rowGap="1"
        fontSize="sm"
        py="2"
        borderTopWidth="1px"
        borderColor="border"
      >
        {details.map(([name, value]) => (
          <Flex key={name} display="contents">
            <chakra.dt color="fg.muted">{name}</chakra.dt>
            <chakra.dd textAlign="end" fontVariantNumeric="tabular-nums">
              {value}
            </chakra.dd>
          </Flex>
        ))}
      </chakra.dl>
      <chakra.div borderTopWidth="1px" borderColor="border" pt="1">
        <OrderLines lines={order.lines} currency={order.currency} />
      </chakra.div>
      {order.notes && (
        <chakra.p
          mt="2"
          pt="2"
          fontSize="sm"
          borderTopWidth="1px"
          borderColor="border"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          <chakra.span color="fg.muted">{t('counter.orders.notes')}: </chakra.span>
          {order.notes}
        </chakra.p>
      )}
    </>
  );
}
