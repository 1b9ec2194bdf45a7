import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { StockStateBadge } from '../stock-state-badge.tsx';
import { NoThumbnail, Thumbnail } from '#src/ui/thumbnail.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { desk, oneLineAtDesk } from '#src/ui/desk.ts';
import { SecondLine } from '#src/ui/second-line.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { DescriptionItem } from '../description-item.tsx';

/** Width in rem from which the unit has a column of its own. In a narrower place it stands beside the quantity. */
const unitColumnFrom = 64;
/** The same of what is reserved, below the quantity, and of the threshold, below the status. */
const levelColumnsFrom = 52;
/** The same of the supplier, below the name, and of the day of the last delivery, below the cost. */
const supplyColumnsFrom = 68;

/** Returns the table columns, whose keys are the server's sort keys, and the phone card of a stock item. */
export function useItemViews(): {
  columns: Column<StockResource>[];
  card: (item: StockResource) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  const unitName = useUnitName();
  const restocked = (at: string | null) => (at ? formats.date(at) : t('stock.never'));
  const columns: Column<StockResource>[] = [
    {
      key: 'name',
      header: t('stock.fields.name'),
      sortable: true,
      cell: ({ name, image_url, supplier }) => (
        <Flex align="center" gap="3" minWidth="48">
          {image_url ? <Thumbnail key={image_url} src={image_url} /> : <NoThumbnail />}
          <chakra.div minWidth="0">
            <chakra.span fontWeight="medium" lineClamp="2" overflowWrap="anywhere">
              {name}
            </chakra.span>
            <SecondLine until={supplyColumnsFrom}>
              <chakra.span display="block" truncate title={supplier}>
                {supplier}
              </chakra.span>
            </SecondLine>
          </chakra.div>
        </Flex>
      ),
    },
    {
      key: 'unit',
      header: t('stock.fields.unit'),
      sortable: true,
      from: unitColumnFrom,
      cell: ({ unit }) => unitName(unit),
    },
    {
      key: 'quantity',
      header: t('stock.columns.quantity'),
      numeric: true,
      sortable: true,
      cell: ({ quantity, unit, reserved_quantity: reserved }) => (
        <>
          {formats.quantity(quantity)}
          <chakra.span css={{ [`@container (min-width: ${unitColumnFrom}rem)`]: { display: 'none' } }}>
            {` ${unitName(unit)}`}
          </chakra.span>
          <SecondLine until={levelColumnsFrom}>
            {`${t('stock.columns.reserved')} ${formats.quantity(reserved)}`}
          </SecondLine>
        </>
      ),
    },
    {
      key: 'reserved_quantity',
      header: t('stock.columns.reserved'),
      numeric: true,
      sortable: true,
      from: levelColumnsFrom,
      cell: (item) => formats.quantity(item.reserved_quantity),
    },
    {
      key: 'low_stock_threshold',
      header: t('stock.columns.threshold'),
      numeric: true,
      sortable: true,
      from: levelColumnsFrom,
      cell: (item) => formats.quantity(item.low_stock_threshold),
    },
    {
      key: 'cost_per_unit',
      header: t('stock.columns.cost'),
      numeric: true,
      sortable: true,
      cell: ({ cost_per_unit, last_restocked_at: at }) => (
        <>
          <MoneyText minor={minorFromWire(cost_per_unit)} currency={currency} />
          <SecondLine until={supplyColumnsFrom}>{restocked(at)}</SecondLine>
        </>
      ),
    },
    {
      key: 'supplier',
      header: t('stock.fields.supplier'),
      sortable: true,
      from: supplyColumnsFrom,
      width: '10%',
      cell: ({ supplier }) => (
        <chakra.span
          lineClamp="2"
          maxWidth="48"
          overflowWrap="break-word"
          title={supplier}
          css={{ [desk]: { lineClamp: 'none', display: 'block', ...oneLineAtDesk[desk] } }}
        >
          {supplier}
        </chakra.span>
      ),
    },
    {
      key: 'last_restocked_at',
      header: t('stock.columns.restocked'),
      sortable: true,
      from: supplyColumnsFrom,
      cell: ({ last_restocked_at: at }) => (
        <chakra.span whiteSpace="nowrap" color={at ? 'fg' : 'fg.muted'}>
          {restocked(at)}
        </chakra.span>
      ),
    },
    {
      key: 'status',
      header: t('stock.fields.status'),
      cell: (item) => (
        <>
          <StockStateBadge item={item} />
          <SecondLine until={levelColumnsFrom}>
            {`${t('stock.columns.threshold')} ${formats.quantity(item.low_stock_threshold)}`}
          </SecondLine>
        </>
      ),
    },
  ];
  return { columns, card: (item) => <ItemCard item={item} /> };
}

function ItemCard({ item }: { item: StockResource }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  const unit = useUnitName()(item.unit);
  return (
    <Flex direction="column" gap="3">
      <Flex gap="3" align="flex-start">
        {item.image_url && <Thumbnail key={item.image_url} src={item.image_url} />}
        <chakra.div flex="1" minWidth="0">
          <chakra.h3 fontWeight="medium" overflowWrap="anywhere">
            {item.name}
          </chakra.h3>
          <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {item.supplier}
          </chakra.p>
        </chakra.div>
        <StockStateBadge item={item} />
      </Flex>
      <chakra.dl
        display="grid"
        gridTemplateColumns="1fr 1fr"
        columnGap="4"
        rowGap="2"
        fontSize="sm"
        fontVariantNumeric="tabular-nums"
      >
        <DescriptionItem
          term={t('stock.columns.quantity')}
        >{`${formats.quantity(item.quantity)} ${unit}`}</DescriptionItem>
        <DescriptionItem term={t('stock.fields.cost')}>
          <MoneyText minor={minorFromWire(item.cost_per_unit)} currency={currency} />
        </DescriptionItem>
        <DescriptionItem term={t('stock.columns.reserved')}>{formats.quantity(item.reserved_quantity)}</DescriptionItem>
        <DescriptionItem term={t('stock.columns.threshold')}>
          {formats.quantity(item.low_stock_threshold)}
        </DescriptionItem>
      </chakra.dl>
      <chakra.p fontSize="sm" color="fg.muted">
        {t('stock.inventory.restocked', {
          date: item.last_restocked_at ? formats.date(item.last_restocked_at) : t('stock.never'),
        })}
      </chakra.p>
    </Flex>
  );
}
