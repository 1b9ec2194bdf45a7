import { PackageOpen, Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import { seenOf } from '#domain/seen.ts';
import { itemSeen } from '#domain/stock/seen.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { cataloguePaths, useSupplies } from '#src/server-data/catalogue.ts';
import { anId, oneOf } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { Button } from '#src/ui/button.tsx';
import { useOpened } from '#src/navigation/use-opened.ts';
import { useCatalogueWords } from '../catalogue-words.ts';
import { useCatalogueBulk } from '../bulk/use-catalogue-bulk.tsx';
import { CsvButtons } from '../csv/csv-buttons.tsx';
import { useCategoryOptions } from '../form/category-select.tsx';
import { useItemViews } from './item-views.tsx';

const states = ['all', 'in_stock', 'low_stock', 'out_of_stock'] as const;
const filters = { status: oneOf(states), category_id: anId };
const sorts = [
  'name',
  'unit',
  'quantity',
  'reserved_quantity',
  'low_stock_threshold',
  'cost_per_unit',
  'supplier',
  'last_restocked_at',
];

/** List of the supplies: what is only sold is under Services. The server searches, filters, sorts and pages it. */
export function ItemsTab() {
  const { t } = useTranslation();
  const { open } = useOpened('item');
  const list = useList({ name: 'supplies', filters, sorts, sort: { by: 'name', order: 'asc' } });
  const items = useSupplies(list);
  const edit = ({ id }: StockResource) => open(id);
  return (
    <ListScreen
      label={t('stock.tabs.inventory')}
      icon={<PackageOpen />}
      list={list}
      data={items}
      rows={items.value?.stocks}
      total={items.value?.pagination.total}
      rowKey={({ id }) => id}
      nameOf={({ name }) => name}
      {...useItemViews()}
      search={t('stock.inventory.search')}
      filters={[
        {
          name: 'status',
          label: t('stock.inventory.status'),
          options: states.map((value) => ({
            value,
            label: t(value === 'all' ? 'stock.inventory.allStates' : `stock.states.${value}`),
          })),
        },
        {
          name: 'category_id',
          label: t('stock.inventory.category'),
          options: useCategoryOptions(t('stock.inventory.allCategories')),
        },
      ]}
      tools={<CsvButtons noun="stock" />}
      noMatch={{ title: t('stock.inventory.noMatch'), text: t('stock.inventory.noMatchText') }}
      empty={{
        title: t('stock.inventory.empty'),
        text: t('stock.inventory.emptyText'),
        action: (
          <Button variant="primary" onClick={() => open('new')}>
            {t('stock.add')}
          </Button>
        ),
      }}
      onOpen={edit}
      actions={(item) => [{ key: 'edit', label: t('list.edit'), icon: <Pencil />, onSelect: () => edit(item) }]}
      refreshes={cataloguePaths}
      deletion={{
        path: ({ id }) => `stock/${id}`,
        seen: (item) => seenOf(item, itemSeen),
        words: useCatalogueWords(),
        isRestorable: true,
        title: t('stock.delete.title'),
        text: ({ name }) => t('stock.delete.text', { name }),
        done: ({ name }) => t('stock.delete.done', { name }),
        failed: t('stock.delete.failed'),
      }}
      bulk={useCatalogueBulk<StockResource>({
        pathOf: ({ id }) => `stock/${id}`,
        priceFieldOf: () => 'cost_per_unit',
        priceOf: ({ cost_per_unit }) => minorFromWire(cost_per_unit),
      })}
    />
  );
}
