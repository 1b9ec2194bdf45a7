import { chakra, Flex } from '@chakra-ui/react';
import { PackageOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StockResource } from '../../../../domain/stock/resources.ts';
import { PageToolbar } from '../../../back-office/page-frame.tsx';
import type { SupplyFilters } from '../../../server-data/catalogue.ts';
import { useSupplies } from '../../../server-data/catalogue.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { Pagination } from '../../../lists/pagination.tsx';
import { SearchField } from '../../../lists/search-field.tsx';
import { useList } from '../../../lists/use-list.ts';
import type { ListState } from '../../../lists/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useOpened } from '../../../navigation/use-opened.ts';
import { DeleteDialog } from '../delete-dialog.tsx';
import { CategorySelect } from '../form/category-select.tsx';
import { CsvButtons } from '../csv/csv-buttons.tsx';
import { useItemViews } from './item-views.tsx';

const states: SupplyFilters['status'][] = ['all', 'in_stock', 'low_stock', 'out_of_stock'];

const noFilters: SupplyFilters = { status: 'all', category_id: '' };

/** List of the supplies: what is only sold stands under Services. The server searches, filters, sorts and pages it. */
export function ItemsTab() {
  const { t } = useTranslation();
  const { open: openItem } = useOpened('item');
  const list = useList<SupplyFilters>({ filters: noFilters, sort: { by: 'name', order: 'asc' } });
  const { page, size, settledSearch, filters, sort } = list;
  const items = useSupplies(list);
  const [deleting, setDeleting] = useState<StockResource | null>(null);
  const views = useItemViews({ onEdit: ({ id }) => openItem(id), onDelete: setDeleting });
  const isFiltered = settledSearch !== '' || filters.status !== 'all' || filters.category_id !== '';
  return (
    <Flex direction="column" gap="4">
      <PageToolbar>
        <Flex wrap="wrap" align="center" justify="space-between" gap="3">
          <Filters list={list} />
          <Flex gap="2">
            <CsvButtons noun="stock" />
          </Flex>
        </Flex>
      </PageToolbar>
      {items.fault ? (
        <LoadError data={items} />
      ) : (
        <DataTable
          label={t('stock.tabs.inventory')}
          {...views}
          rows={items.value?.stocks}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={list.setSort}
          empty={
            isFiltered ? (
              <EmptyState
                icon={<PackageOpen />}
                title={t('stock.inventory.noMatch')}
                text={t('stock.inventory.noMatchText')}
              >
                <Button
                  onClick={() => {
                    list.setSearch('');
                    list.setFilters(noFilters);
                  }}
                >
                  {t('stock.inventory.showAll')}
                </Button>
              </EmptyState>
            ) : (
              <EmptyState
                icon={<PackageOpen />}
                title={t('stock.inventory.empty')}
                text={t('stock.inventory.emptyText')}
              >
                <Button variant="primary" onClick={() => openItem('new')}>
                  {t('stock.add')}
                </Button>
              </EmptyState>
            )
          }
        />
      )}
      {items.value && (
        <Pagination
          page={page}
          size={size}
          total={items.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      <DeleteDialog
        record={deleting}
        path="stock"
        title={t('stock.delete.title')}
        textOf={(name) => t('stock.delete.text', { name })}
        confirmLabel={t('stock.delete.confirm')}
        done={(name) => t('stock.delete.done', { name })}
        failed={t('stock.delete.failed')}
        onClose={() => setDeleting(null)}
      />
    </Flex>
  );
}

function Filters({ list }: { list: ListState<SupplyFilters> }) {
  const { t } = useTranslation();
  return (
    <chakra.div
      flex="1 1 26rem"
      minWidth="0"
      display="grid"
      gridTemplateColumns={{ base: '1fr 1fr', md: 'minmax(10rem, 24rem) minmax(0, 12rem) minmax(0, 14rem)' }}
      gap="3"
    >
      <chakra.div gridColumn={{ base: '1 / -1', md: 'auto' }}>
        <SearchField
          label={t('stock.inventory.search')}
          value={list.search}
          onChange={list.setSearch}
          isPending={list.isSearchPending}
        />
      </chakra.div>
      <SelectField
        label={t('stock.inventory.status')}
        labelHidden
        value={list.filters.status}
        onChange={({ target }) => list.setFilters({ status: target.value as SupplyFilters['status'] })}
        options={states.map((state) => ({ value: state, label: t(`stock.states.${state}`) }))}
      />
      <CategorySelect
        label={t('stock.inventory.category')}
        labelHidden
        noneLabel={t('stock.inventory.allCategories')}
        value={list.filters.category_id}
        onChange={({ target }) => list.setFilters({ category_id: target.value })}
      />
    </chakra.div>
  );
}
