import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '../../../../domain/money.ts';
import type { StockResource } from '../../../../domain/stock/resources.ts';
import { useCurrency } from '../../../device/use-clinic-settings.ts';
import { MoneyText } from '../../../formats/money-text.tsx';
import { StockStateBadge } from '../../../clinic/stock-state-badge.tsx';
import { Thumbnail } from '../../../ui/thumbnail.tsx';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import { Fact } from '../description-item.tsx';
import { RowButtons } from '../row-buttons.tsx';
import { useUnitName } from '../use-unit-name.ts';

/** A stock item in a phone's list. */
export function ItemCard({ item, ...actions }: { item: StockResource; onEdit: () => void; onDelete: () => void }) {
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
        <Fact name={t('stock.columns.quantity')}>{`${formats.quantity(item.quantity)} ${unit}`}</Fact>
        <Fact name={t('stock.fields.cost')}>
          <MoneyText minor={minorFromWire(item.cost_per_unit)} currency={currency} />
        </Fact>
        <Fact name={t('stock.columns.reserved')}>{formats.quantity(item.reserved_quantity)}</Fact>
        <Fact name={t('stock.columns.threshold')}>{formats.quantity(item.low_stock_threshold)}</Fact>
      </chakra.dl>
      <Flex align="center" justify="space-between" gap="2" my="-2">
        <chakra.p fontSize="sm" color="fg.muted">
          {t('stock.inventory.restocked', {
            date: item.last_restocked_at ? formats.date(item.last_restocked_at) : t('stock.never'),
          })}
        </chakra.p>
        <Flex gap="2">
          <RowButtons name={item.name} {...actions} />
        </Flex>
      </Flex>
    </Flex>
  );
}
