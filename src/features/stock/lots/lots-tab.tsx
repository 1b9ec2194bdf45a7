import { chakra, Flex } from '@chakra-ui/react';
import { PackageSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RecalledLot } from '../../../../domain/stock/resources.ts';
import { PageToolbar } from '../../../back-office/page-frame.tsx';
import type { LotFilters } from '../../../server-data/inventory.ts';
import { useLotRecipients, useLots } from '../../../server-data/inventory.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { Pagination } from '../../../lists/pagination.tsx';
import { SearchField } from '../../../lists/search-field.tsx';
import { useList } from '../../../lists/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { LotRecall } from './lot-recall.tsx';
import { useLotViews } from './lot-views.tsx';

/** Lots of supplies. Searching for a lot number also lists its recipients, for a recall by the manufacturer. */
export function LotsTab() {
  const { t } = useTranslation();
  const list = useList<LotFilters>({ filters: { expiry: 'any' } });
  const {
    settledSearch: search,
    filters: { expiry },
  } = list;
  const lots = useLots(list);
  const recall = useLotRecipients(search);
  const isSearchedLot = (lot: RecalledLot) => lot.lot_number.toLowerCase() === search.toLowerCase();
  const { columns, card } = useLotViews({ onRecall: ({ lot_number }) => list.setSearch(lot_number) });
  return (
    <Flex direction="column" gap="6">
      <PageToolbar>
        <chakra.div
          display="grid"
          gridTemplateColumns={{ base: '1fr', md: 'minmax(10rem, 24rem) minmax(0, 20rem)' }}
          gap="3"
        >
          <SearchField
            label={t('stock.lots.search')}
            value={list.search}
            onChange={list.setSearch}
            isPending={list.isSearchPending}
          />
          <SelectField
            label={t('stock.lots.expiring')}
            labelHidden
            value={expiry}
            onChange={({ target }) => list.setFilters({ expiry: target.value as LotFilters['expiry'] })}
            options={[
              { value: 'any', label: t('stock.lots.anyExpiry') },
              { value: 'soon', label: t('stock.lots.expiringOnly') },
            ]}
          />
        </chakra.div>
      </PageToolbar>
      {recall.value?.data.filter(isSearchedLot).map((lot) => (
        <LotRecall key={lot.id} lot={lot} />
      ))}
      <Flex direction="column" gap="4">
        {lots.fault ? (
          <LoadError data={lots} />
        ) : (
          <DataTable
            label={t('purchasing.tabs.lots')}
            columns={columns}
            rows={lots.value?.data}
            rowKey={({ id }) => id}
            card={card}
            empty={
              <NoLots
                reason={search ? 'noMatch' : expiry === 'soon' ? 'noneExpiring' : 'empty'}
                onShowAll={() => {
                  list.setSearch('');
                  list.setFilters({ expiry: 'any' });
                }}
              />
            }
          />
        )}
        {lots.value && (
          <Pagination
            page={list.page}
            size={list.size}
            total={lots.value.pagination.total}
            onPage={list.setPage}
            onSize={list.setSize}
          />
        )}
      </Flex>
    </Flex>
  );
}

function NoLots({ reason, onShowAll }: { reason: 'noMatch' | 'noneExpiring' | 'empty'; onShowAll: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<PackageSearch />} title={t(`stock.lots.${reason}`)} text={t(`stock.lots.${reason}Text`)}>
      {reason !== 'empty' && <Button onClick={onShowAll}>{t('stock.lots.showAll')}</Button>}
    </EmptyState>
  );
}
