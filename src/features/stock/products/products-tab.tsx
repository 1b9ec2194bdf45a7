import { chakra, Flex } from '@chakra-ui/react';
import { HandHeart, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource, ProductResource } from '../../../../domain/stock/resources.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { Pagination } from '../../../lists/pagination.tsx';
import { SearchField } from '../../../lists/search-field.tsx';
import { useList } from '../../../lists/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useOpened } from '../../../navigation/use-opened.ts';
import { DeleteDialog } from '../delete-dialog.tsx';
import { CategorySelect } from '../form/category-select.tsx';
import { CsvButtons } from '../csv/csv-buttons.tsx';
import { ProductForm } from './product-form.tsx';
import { useProductViews } from './product-views.tsx';

/** List of products. The server searches, filters, sorts and pages it. */
export function ProductsTab() {
  const { t } = useTranslation();
  const { opened, open, close } = useOpened('service');
  const list = useList({ filters: { category_id: '' }, sort: { by: 'name', order: 'asc' } });
  const { page, size, settledSearch, filters, sort } = list;
  const products = useServerData<{ data: ProductResource[]; pagination: { total: number } }>('products', {
    page,
    per_page: size,
    search: settledSearch,
    ...filters,
    sort: sort?.by,
    order: sort?.order,
  });
  const categories = useServerData<{ data: CategoryResource[] }>('categories').value?.data ?? [];
  const [deleting, setDeleting] = useState<ProductResource | null>(null);
  const views = useProductViews({ categories, onEdit: ({ id }) => open(id), onDelete: setDeleting });
  const isFiltered = settledSearch !== '' || filters.category_id !== '';
  const add = (
    <Button variant="primary" onClick={() => open('new')}>
      <Plus />
      {t('services.add')}
    </Button>
  );
  return (
    <Flex direction="column" gap="4">
      <Flex gap="3" align="center" wrap="wrap">
        <chakra.div flex="1" minWidth="56" maxWidth="96">
          <SearchField
            label={t('services.search')}
            value={list.search}
            onChange={list.setSearch}
            isPending={list.isSearchPending}
          />
        </chakra.div>
        <chakra.div flex={{ base: '1', md: '0 0 14rem' }} minWidth="48">
          <CategorySelect
            label={t('stock.fields.category')}
            labelHidden
            noneLabel={t('stock.inventory.allCategories')}
            value={filters.category_id}
            onChange={({ target }) => list.setFilters({ category_id: target.value })}
          />
        </chakra.div>
        <Flex gap="2" wrap="wrap" ms="auto">
          <CsvButtons noun="products" />
          {add}
        </Flex>
      </Flex>
      {products.fault ? (
        <LoadError data={products} />
      ) : (
        <DataTable
          label={t('stock.tabs.menu-management')}
          {...views}
          rows={products.value?.data}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={list.setSort}
          empty={
            isFiltered ? (
              <EmptyState icon={<HandHeart />} title={t('services.noMatch.title')} text={t('services.noMatch.text')} />
            ) : (
              <EmptyState icon={<HandHeart />} title={t('services.empty.title')} text={t('services.empty.text')}>
                {add}
              </EmptyState>
            )
          }
        />
      )}
      {products.value && (
        <Pagination
          page={page}
          size={size}
          total={products.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      {opened !== null && <ProductForm key={opened} id={opened} onClose={close} />}
      <DeleteDialog
        record={deleting}
        path="products"
        refreshes={['products']}
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
