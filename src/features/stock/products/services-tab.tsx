import { chakra, Flex } from '@chakra-ui/react';
import { HandHeart } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceResource } from '../../../../domain/stock/resources.ts';
import { PageToolbar } from '../../../back-office/page-frame.tsx';
import type { ServiceFilters } from '../../../server-data/catalogue.ts';
import { useCategoryChoices, useServices } from '../../../server-data/catalogue.ts';
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
import { ServiceForm } from './service-form.tsx';
import { AddService } from './add-service.tsx';
import { servicePaths } from './service-paths.ts';
import { useServiceViews } from './service-views.tsx';

const offers: ServiceFilters['offered'][] = ['all', 'yes', 'no', 'favourites'];

const noFilters: ServiceFilters = { category_id: '', offered: 'all' };

/** List of everything that the counter offers. The server searches, filters, sorts and pages it. */
export function ServicesTab() {
  const { t } = useTranslation();
  const product = useOpened('service');
  const stockItem = useOpened('sold');
  const list = useList<ServiceFilters>({ filters: noFilters, sort: { by: 'name', order: 'asc' }, size: 20 });
  const { page, size, settledSearch, filters, sort } = list;
  const services = useServices(list);
  const categories = useCategoryChoices();
  const [deleting, setDeleting] = useState<ServiceResource | null>(null);
  const openedOf = { product, stock: stockItem };
  const views = useServiceViews({
    categories,
    onEdit: ({ type, id }) => openedOf[type].open(id),
    onDelete: setDeleting,
  });
  const isFiltered = settledSearch !== '' || filters.category_id !== '' || filters.offered !== 'all';
  return (
    <Flex direction="column" gap="4">
      <PageToolbar>
        <Flex gap="3" align="center" wrap="wrap">
          <Filters list={list} />
          <Flex gap="2" ms="auto">
            <CsvButtons noun="products" />
          </Flex>
        </Flex>
      </PageToolbar>
      {services.fault ? (
        <LoadError data={services} />
      ) : (
        <DataTable
          label={t('services.title')}
          {...views}
          tableFrom={53}
          rows={services.value?.data}
          rowKey={({ type, id }) => `${type}${id}`}
          sort={sort}
          onSort={list.setSort}
          isDimmed={({ is_available }) => !is_available}
          empty={
            isFiltered ? (
              <EmptyState icon={<HandHeart />} title={t('services.noMatch.title')} text={t('services.noMatch.text')}>
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
              <EmptyState icon={<HandHeart />} title={t('services.empty.title')} text={t('services.empty.text')}>
                <AddService />
              </EmptyState>
            )
          }
        />
      )}
      {services.value && (
        <Pagination
          page={page}
          size={size}
          total={services.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      {product.opened !== null && (
        <ServiceForm key={product.opened} type="product" id={product.opened} onClose={product.close} />
      )}
      {stockItem.opened !== null && (
        <ServiceForm key={stockItem.opened} type="stock" id={stockItem.opened} onClose={stockItem.close} />
      )}
      <DeleteDialog
        record={deleting}
        path={deleting ? servicePaths[deleting.type] : ''}
        title={t('services.confirmDelete.title')}
        textOf={(name) => t('services.confirmDelete.text', { name })}
        confirmLabel={t('services.confirmDelete.confirm')}
        done={(name) => t('services.deleted', { name })}
        failed={t('services.deleteFailed')}
        onClose={() => setDeleting(null)}
      />
    </Flex>
  );
}

function Filters({ list }: { list: ListState<ServiceFilters> }) {
  const { t } = useTranslation();
  return (
    <chakra.div
      flex="1 1 26rem"
      minWidth="0"
      display="grid"
      gridTemplateColumns={{ base: '1fr 1fr', md: 'minmax(9rem, 22rem) minmax(0, 12.5rem) minmax(0, 12rem)' }}
      gap="3"
    >
      <chakra.div gridColumn={{ base: '1 / -1', md: 'auto' }}>
        <SearchField
          label={t('services.search')}
          value={list.search}
          onChange={list.setSearch}
          isPending={list.isSearchPending}
        />
      </chakra.div>
      <CategorySelect
        label={t('stock.fields.category')}
        labelHidden
        noneLabel={t('stock.inventory.allCategories')}
        value={list.filters.category_id}
        onChange={({ target }) => list.setFilters({ category_id: target.value })}
      />
      <SelectField
        label={t('services.filter.label')}
        labelHidden
        value={list.filters.offered}
        onChange={({ target }) => list.setFilters({ offered: target.value as ServiceFilters['offered'] })}
        options={offers.map((value) => ({ value, label: t(`services.filter.${value}`) }))}
      />
    </chakra.div>
  );
}
