import { chakra, Flex } from '@chakra-ui/react';
import { Plus, Tags } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '../../../../domain/stock/resources.ts';
import { PageToolbar } from '../../../back-office/page-frame.tsx';
import { useCategories } from '../../../server-data/catalogue.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { Pagination } from '../../../lists/pagination.tsx';
import { SearchField } from '../../../lists/search-field.tsx';
import { useList } from '../../../lists/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { CategoryForm } from './category-form.tsx';
import { useCategoryViews } from './category-views.tsx';

/** List of the categories that group the counter's services, with forms to add, edit and delete them. */
export function CategoryList() {
  const { t } = useTranslation();
  const list = useList({ filters: {}, sort: { by: 'name', order: 'asc' } });
  const { page, size, settledSearch, sort } = list;
  const categories = useCategories(list);
  const [editing, setEditing] = useState<CategoryResource | 'new' | null>(null);
  const [deleting, setDeleting] = useState<CategoryResource | null>(null);
  const views = useCategoryViews({ onEdit: setEditing, onDelete: setDeleting });
  const add = (
    <Button variant="primary" onClick={() => setEditing('new')}>
      <Plus />
      {t('categories.add')}
    </Button>
  );
  return (
    <Flex direction="column" gap="4">
      <PageToolbar>
        <Flex gap="3" align="center" justify="space-between" wrap="wrap">
          <chakra.div flex="1" minWidth="56" maxWidth="96">
            <SearchField
              label={t('categories.search')}
              value={list.search}
              onChange={list.setSearch}
              isPending={list.isSearchPending}
            />
          </chakra.div>
          {add}
        </Flex>
      </PageToolbar>
      {categories.fault ? (
        <LoadError data={categories} />
      ) : (
        <DataTable
          label={t('categories.title')}
          {...views}
          rows={categories.value?.data}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={list.setSort}
          skeletonRows={4}
          empty={
            settledSearch !== '' ? (
              <EmptyState icon={<Tags />} title={t('categories.noMatch.title')} text={t('categories.noMatch.text')} />
            ) : (
              <EmptyState icon={<Tags />} title={t('categories.empty.title')} text={t('categories.empty.text')}>
                {add}
              </EmptyState>
            )
          }
        />
      )}
      {categories.value && (
        <Pagination
          page={page}
          size={size}
          total={categories.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      {editing && (
        <CategoryForm
          key={editing === 'new' ? 'new' : editing.id}
          category={editing}
          onClose={() => setEditing(null)}
        />
      )}
      <DeleteDialog
        record={deleting}
        path="categories"
        title={t('categories.confirmDelete.title')}
        textOf={(name) => t('categories.confirmDelete.text', { name })}
        confirmLabel={t('categories.confirmDelete.confirm')}
        done={(name) => t('categories.deleted', { name })}
        failed={t('categories.deleteFailed')}
        onClose={() => setDeleting(null)}
      />
    </Flex>
  );
}
