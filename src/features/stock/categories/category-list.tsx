import { Pencil, Tags } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { seenOf } from '#domain/seen.ts';
import { categorySeen } from '#domain/stock/seen.ts';
import type { CategoryResource } from '#domain/stock/resources.ts';
import { cataloguePaths, useCategories } from '#src/server-data/catalogue.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { useOpened } from '#src/navigation/use-opened.ts';
import { useCatalogueWords } from '../catalogue-words.ts';
import { AddCategory } from './add-category.tsx';
import { CategoryForm } from './category-form.tsx';
import { useCategoryViews } from './category-views.tsx';

/** List of the categories that group the counter's services. */
export function CategoryList() {
  const { t } = useTranslation();
  const list = useList({
    name: 'categories',
    filters: {},
    sorts: ['id', 'name', 'created_at', 'updated_at'],
    sort: { by: 'name', order: 'asc' },
  });
  const categories = useCategories(list);
  const [editing, setEditing] = useState<CategoryResource | null>(null);
  // As the list has the category now: the form tells what others change.
  const edited = editing && (categories.value?.data.find(({ id }) => id === editing.id) ?? editing);
  const added = useOpened('category');
  return (
    <>
      <ListScreen
        label={t('categories.title')}
        icon={<Tags />}
        list={list}
        data={categories}
        rows={categories.value?.data}
        total={categories.value?.pagination.total}
        rowKey={({ id }) => id}
        nameOf={({ name }) => name}
        {...useCategoryViews()}
        skeletonRows={4}
        search={t('categories.search')}
        noMatch={{ title: t('categories.noMatch.title'), text: t('categories.noMatch.text') }}
        empty={{ title: t('categories.empty.title'), text: t('categories.empty.text'), action: <AddCategory /> }}
        onOpen={setEditing}
        actions={(category) => [
          { key: 'edit', label: t('list.edit'), icon: <Pencil />, onSelect: () => setEditing(category) },
        ]}
        refreshes={cataloguePaths}
        deletion={{
          path: ({ id }) => `categories/${id}`,
          seen: (category) => seenOf(category, categorySeen),
          words: useCatalogueWords(),
          title: t('categories.confirmDelete.title'),
          text: ({ name }) => t('categories.confirmDelete.text', { name }),
          done: ({ name }) => t('categories.deleted', { name }),
          failed: t('categories.deleteFailed'),
        }}
      />
      {edited && <CategoryForm key={edited.id} category={edited} onClose={() => setEditing(null)} />}
      {added.opened === 'new' && <CategoryForm category="new" onClose={added.close} />}
    </>
  );
}
