import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '../../../../domain/money.ts';
import type { StockResource } from '../../../../domain/stock/resources.ts';
import { useCurrency } from '../../../device/use-clinic-settings.ts';
import { MoneyText } from '../../../formats/money-text.tsx';
import { StockStateBadge } from '../../../clinic/stock-state-badge.tsx';
import { Thumbnail } from '../../../ui/thumbnail.tsx';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { RowButtons } from '../row-buttons.tsx';
import { useUnitName } from '../use-unit-name.ts';
import { ItemCard } from './item-card.tsx';

interface ItemActions {
  onEdit: (item: StockResource) => void;
  onDelete: (item: StockResource) => void;
}

/** How a stock item looks in a list: in a table, whose column keys are the names by which the server sorts, and on a phone. */
export function useItemViews({ onEdit, onDelete }: ItemActions): {
  columns: Column<StockResource>[];
  card: (item: StockResource) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  const unitName = useUnitName();
  const actionsOf = (item: StockResource) => ({ onEdit: () => onEdit(item), onDelete: () => onDelete(item) });
  const columns: Column<StockResource>[] = [
    {
      key: 'name',
      header: t('stock.fields.name'),
      sortable: true,
      cell: ({ name, image_url }) => (
        <Flex align="center" gap="3" minWidth="48">
          {image_url && <Thumbnail key={image_url} src={image_url} />}
          <chakra.span fontWeight="medium" lineClamp="2" overflowWrap="anywhere">
            {name}
          </chakra.span>
        </Flex>
      ),
    },
    { key: 'unit', header: t('stock.fields.unit'), sortable: true, cell: ({ unit }) => unitName(unit) },
    {
      key: 'quantity',
      header: t('stock.columns.quantity'),
      numeric: true,
      sortable: true,
      cell: ({ quantity }) => formats.quantity(quantity),
    },
    {
      key: 'reserved_quantity',
      header: t('stock.columns.reserved'),
      numeric: true,
      sortable: true,
      cell: (item) => formats.quantity(item.reserved_quantity),
    },
    {
      key: 'low_stock_threshold',
      header: t('stock.columns.threshold'),
      numeric: true,
      sortable: true,
      cell: (item) => formats.quantity(item.low_stock_threshold),
    },
    {
      key: 'cost_per_unit',
      header: t('stock.columns.cost'),
      numeric: true,
      sortable: true,
      cell: ({ cost_per_unit }) => <MoneyText minor={minorFromWire(cost_per_unit)} currency={currency} />,
    },
    {
      key: 'supplier',
      header: t('stock.fields.supplier'),
      sortable: true,
      cell: ({ supplier }) => (
        <chakra.span lineClamp="2" maxWidth="48" overflowWrap="break-word">
          {supplier}
        </chakra.span>
      ),
    },
    {
      key: 'last_restocked_at',
      header: t('stock.columns.restocked'),
      sortable: true,
      cell: ({ last_restocked_at: at }) => (
        <chakra.span whiteSpace="nowrap" color={at ? 'fg' : 'fg.muted'}>
          {at ? formats.date(at) : t('stock.never')}
        </chakra.span>
      ),
    },
    { key: 'status', header: t('stock.fields.status'), cell: (item) => <StockStateBadge item={item} /> },
    {
      key: 'actions',
      header: t('stock.fields.actions'),
      actions: true,
      cell: (item) => <RowButtons name={item.name} {...actionsOf(item)} />,
    },
  ];
  return { columns, card: (item) => <ItemCard item={item} {...actionsOf(item)} /> };
}
