import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { OrderStatusBadge } from './order-status-badge.tsx';

/** Returns the table columns and the phone card of a purchase order. Its number opens it. */
export function useOrderViews(onOpen: (id: number) => void) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  const total = (order: PurchaseOrderResource) => <MoneyText minor={minorFromWire(order.total)} currency={currency} />;
  const columns: Column<PurchaseOrderResource>[] = [
    {
      key: 'po_number',
      sortable: true,
      header: t('purchasing.columns.number'),
      cell: (order) => <NumberLink order={order} onOpen={onOpen} />,
    },
    {
      key: 'vendor',
      sortable: true,
      header: t('purchasing.fields.vendor'),
      cell: ({ vendor }) => (
        <chakra.span lineClamp="2" overflowWrap="anywhere" minWidth="32">
          {vendor}
        </chakra.span>
      ),
    },
    {
      key: 'status',
      sortable: true,
      header: t('purchasing.columns.status'),
      cell: ({ status }) => <OrderStatusBadge status={status} />,
    },
    {
      key: 'items',
      header: t('purchasing.columns.items'),
      numeric: true,
      from: 46,
      cell: ({ items }) => items.length,
    },
    { key: 'total', header: t('purchasing.columns.total'), numeric: true, sortable: true, cell: total },
    {
      key: 'created_at',
      sortable: true,
      header: t('purchasing.columns.created'),
      cell: ({ created_at }) => <chakra.span whiteSpace="nowrap">{formats.date(created_at)}</chakra.span>,
    },
  ];
  const card = (order: PurchaseOrderResource) => (
    <Flex direction="column" gap="2" fontSize="sm">
      <Flex align="center" justify="space-between" gap="3">
        <NumberLink order={order} onOpen={onOpen} />
        <OrderStatusBadge status={order.status} />
      </Flex>
      <chakra.p overflowWrap="anywhere">{order.vendor}</chakra.p>
      <Flex justify="space-between" gap="3" color="fg.muted">
        <span>{`${formats.date(order.created_at)} · ${t('purchasing.itemCount', { count: order.items.length })}`}</span>
        <chakra.span color="fg" fontWeight="medium">
          {total(order)}
        </chakra.span>
      </Flex>
    </Flex>
  );
  return { columns, card };
}

function NumberLink({
  order: { id, po_number },
  onOpen,
}: {
  order: PurchaseOrderResource;
  onOpen: (id: number) => void;
}) {
  return (
    <chakra.button
      type="button"
      onClick={() => onOpen(id)}
      minHeight="10"
      my="-2"
      fontWeight="medium"
      color="accent.fg"
      whiteSpace="nowrap"
      fontVariantNumeric="tabular-nums"
      cursor="pointer"
      borderRadius="md"
      _hover={{ textDecoration: 'underline' }}
    >
      {po_number}
    </chakra.button>
  );
}
