import { chakra, Flex } from '@chakra-ui/react';
import { ChevronDown, ListPlus } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import type { OrderRow } from '../../../db/database.ts';
import { useMay } from '../../../session/session.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { OrderLines } from '../order-lines.tsx';
import { useCustomerName } from '../../../formats/use-customer-name.ts';
import { useRoomName } from '../../../formats/use-room-name.ts';
import { SentBadge } from '../../../sync/sent-badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { usePlan } from '../plan-store.ts';

interface OrderCardProps {
  order: OrderRow;
  selected: boolean;
  createdAt: string;
  /** Text with the time that the treatment has been open; null within the clinic's time limit. */
  overdue: string | null;
}

export const OrderCard = memo(function OrderCard({ order, selected, createdAt, overdue }: OrderCardProps) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const customer = useCustomerName()(order);
  const [open, setOpen] = useState(false);
  const mayAdd = useMay('order.add_services');
  const detailsId = useId();
  return (
    <chakra.li
      bg={selected ? 'accent.subtle' : 'bg.surface'}
      borderWidth="1px"
      borderColor={selected ? 'accent.solid' : 'border'}
      borderRadius="md"
    >
      <chakra.button
        type="button"
        aria-pressed={selected}
        onClick={() => usePlan.getState().openPayment(order.id)}
        display="block"
        width="full"
        textAlign="start"
        p="3"
        pb="2"
        borderRadius="md"
        cursor="pointer"
        _hover={{ bg: selected ? 'accent.subtle' : 'bg.hover' }}
        _focusVisible={{ outlineOffset: '-3px' }}
      >
        <chakra.span
          display="block"
          fontWeight="medium"
          lineHeight="1.3"
          overflowWrap="anywhere"
          color={customer ? 'fg' : 'fg.muted'}
        >
          {customer || t('counter.orders.noCustomer')}
        </chakra.span>
        <Flex as="span" justify="space-between" gap="3" align="baseline" mt="1">
          <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {[order.number, order.roomNumber && nameOf(order.roomNumber)].filter(Boolean).join(' · ')}
          </chakra.span>
          <MoneyText minor={order.balanceMinor} currency={order.currency} fontWeight="semibold" />
        </Flex>
        <Flex as="span" wrap="wrap" align="center" gap="2" mt="2">
          <SentBadge unsent={order.unsent === 1} />
          <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" ms="auto" order={1}>
            {createdAt}
          </chakra.span>
          {overdue && <Badge tone="due">{overdue}</Badge>}
          {order.paidMinor > 0 && <Badge tone="due">{t('counter.orders.partPaid')}</Badge>}
        </Flex>
      </chakra.button>
      <Flex gap="1" px="1" pb="1">
        <Button
          variant="quiet"
          px="2"
          gap="1"
          fontSize="sm"
          aria-expanded={open}
          aria-controls={detailsId}
          aria-label={`${t('counter.orders.show')} ${order.number}`}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown style={{ rotate: open ? '180deg' : '0deg', transition: 'rotate 120ms' }} />
          {t('counter.orders.show')}
        </Button>
        {mayAdd && (
          <Button
            variant="quiet"
            px="2"
            ml="auto"
            gap="1"
            fontSize="sm"
            aria-label={t('counter.orders.editFor', { number: order.number })}
            onClick={() => usePlan.getState().editTreatment(order)}
          >
            <ListPlus />
            {t('counter.orders.edit')}
          </Button>
        )}
      </Flex>
      <chakra.div id={detailsId} hidden={!open} px="3" pb="3">
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
