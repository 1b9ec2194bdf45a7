import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { PackageCheck } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { milliToWire } from '#domain/quantity.ts';
import { db } from '#src/local-data/database.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { shortageCounts, shortItems } from '#src/db/queries/stock-levels.ts';
import { Pagination } from '#src/lists/pagination.tsx';
import { StockStateBadge } from '../stock-state-badge.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';

const collapsedSize = 5;
const pageSize = 50;
const filters = ['all', 'low_stock', 'out_of_stock'] as const;
type Filter = (typeof filters)[number];

/**
 * Items that are low or out of stock in the device's database. The list updates with each sale and adjustment.
 *
 * @param children stand below the list, once it is there
 */
export function LowStockList({ onAdjust, children }: { onAdjust: (item: CatalogueItem) => void; children: ReactNode }) {
  const { t } = useTranslation();
  const headingId = useId();
  const [{ filter, showsAll, page }, setView] = useState({ filter: 'all' as Filter, showsAll: false, page: 1 });
  const limit = showsAll ? pageSize : collapsedSize;
  const counts = useLiveQuery(() => shortageCounts(db), []);
  const items = useLiveQuery(
    () => shortItems(db, { of: filter, limit, offset: (page - 1) * limit }),
    [filter, limit, page],
  );
  if (!counts || !items) return null;
  const byFilter = { ...counts, all: counts.low_stock + counts.out_of_stock };
  const total = byFilter[filter];
  return (
    <Flex direction="column" gap="6" minWidth="0">
      <chakra.section aria-labelledby={headingId} display="flex" flexDirection="column" gap="3" minWidth="0">
        <Flex align="center" justify="space-between" wrap="wrap" gap="3">
          <chakra.h2 id={headingId} fontSize="lg" fontWeight="semibold">
            {t('stock.adjust.short.title')}
          </chakra.h2>
          <Segmented
            kind="choice"
            label={t('stock.adjust.short.filter')}
            value={filter}
            onChange={(chosen) => setView({ filter: chosen, showsAll, page: 1 })}
            segments={filters.map((each) => ({
              value: each,
              label: t(`stock.adjust.short.${each}`),
              count: byFilter[each],
            }))}
          />
        </Flex>
        {total === 0 ? (
          <EmptyState
            icon={<PackageCheck />}
            title={t('stock.adjust.short.empty')}
            text={t('stock.adjust.short.emptyText')}
          />
        ) : (
          <chakra.ul
            aria-labelledby={headingId}
            bg="bg.surface"
            borderWidth="1px"
            borderColor="border"
            borderRadius="md"
          >
            {items.map((item) => (
              <Row key={item.key} item={item} onAdjust={() => onAdjust(item)} />
            ))}
          </chakra.ul>
        )}
        {total > collapsedSize && (
          <Flex>
            <Button
              variant="quiet"
              aria-expanded={showsAll}
              onClick={() => setView({ filter, showsAll: !showsAll, page: 1 })}
            >
              {showsAll ? t('stock.adjust.short.showFewer') : t('stock.adjust.short.showAll', { count: total })}
            </Button>
          </Flex>
        )}
        {showsAll && (
          <Pagination
            page={page}
            size={pageSize}
            total={total}
            onPage={(next) => setView({ filter, showsAll, page: next })}
          />
        )}
      </chakra.section>
      {children}
    </Flex>
  );
}

function Row({ item, onAdjust }: { item: CatalogueItem; onAdjust: () => void }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const quantity = milliToWire(item.quantity_milli ?? 0);
  const threshold = milliToWire(item.low_stock_threshold_milli ?? 0);
  const unit = useUnitName()(item.unit);
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) auto auto' }}
      alignItems="center"
      columnGap="3"
      rowGap="1"
      ps="4"
      pe="2"
      py="2"
      css={{ '& + &': { borderTop: '1px solid {colors.border}' } }}
    >
      <div>
        <chakra.p fontWeight="medium" overflowWrap="anywhere">
          {item.name}
        </chakra.p>
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('stock.adjust.short.level', {
            quantity: formats.quantity(quantity),
            threshold: formats.quantity(threshold),
            unit,
          })}
        </chakra.p>
      </div>
      {/* Below the name on a phone, where there is no room beside it. */}
      <chakra.div gridRow={{ base: '2', md: 'auto' }} gridColumn={{ base: '1', md: 'auto' }}>
        <StockStateBadge item={{ quantity, low_stock_threshold: threshold }} />
      </chakra.div>
      <chakra.div gridRow={{ base: '1 / 3', md: 'auto' }} gridColumn={{ base: '2', md: 'auto' }}>
        <StyledButton
          variant="quiet"
          color="accent.fg"
          aria-label={t('stock.adjust.short.adjustItem', { name: item.name })}
          onClick={onAdjust}
        >
          {t('stock.adjust.short.adjust')}
        </StyledButton>
      </chakra.div>
    </chakra.li>
  );
}
