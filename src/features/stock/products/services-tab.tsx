import { HandHeart, Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import { seenOfService } from '#domain/stock/seen.ts';
import type { ServiceResource } from '#domain/stock/resources.ts';
import { cataloguePaths, useCategoryChoices, useKnowsCategories, useServices } from '#src/server-data/catalogue.ts';
import { anId, oneOf } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { useOpened } from '#src/navigation/use-opened.ts';
import { useCatalogueWords } from '../catalogue-words.ts';
import { useCatalogueBulk } from '../bulk/use-catalogue-bulk.tsx';
import { useCategoryOptions } from '../form/category-select.tsx';
import { CsvButtons } from '../csv/csv-buttons.tsx';
import { ServiceForm } from './service-form.tsx';
import { AddService } from './add-service.tsx';
import { priceFields, servicePath } from './service-paths.ts';
import { useServiceViews } from './service-views.tsx';

const offers = ['all', 'yes', 'no', 'favourites'] as const;
const filters = { category_id: anId, offered: oneOf(offers) };

/** List of everything that the counter offers. The server searches, filters, sorts and pages it. */
export function ServicesTab() {
  const { t } = useTranslation();
  const product = useOpened('service');
  const stockItem = useOpened('sold');
  const list = useList({
    name: 'services',
    filters,
    sorts: ['name', 'category', 'price'],
    sort: { by: 'name', order: 'asc' },
    size: 20,
  });
  const services = useServices(list);
  const categories = useCategoryChoices();
  // Their names decide how wide a column is.
  const isReady = useKnowsCategories();
  const edit = ({ type, id }: ServiceResource) => ({ product, stock: stockItem })[type].open(id);
  return (
    <>
      <ListScreen
        label={t('services.title')}
        icon={<HandHeart />}
        list={list}
        data={services}
        rows={isReady ? services.value?.data : undefined}
        total={isReady ? services.value?.pagination.total : undefined}
        rowKey={({ type, id }) => `${type}${id}`}
        nameOf={({ name }) => name}
        {...useServiceViews(categories)}
        tableFrom={53}
        isDimmed={({ is_available }) => !is_available}
        search={t('services.search')}
        filters={[
          {
            name: 'category_id',
            label: t('stock.fields.category'),
            options: useCategoryOptions(t('stock.inventory.allCategories')),
          },
          {
            name: 'offered',
            label: t('services.filter.label'),
            options: offers.map((value) => ({ value, label: t(`services.filter.${value}`) })),
          },
        ]}
        tools={<CsvButtons noun="products" />}
        noMatch={{ title: t('services.noMatch.title'), text: t('services.noMatch.text') }}
        empty={{ title: t('services.empty.title'), text: t('services.empty.text'), action: <AddService /> }}
        onOpen={edit}
        actions={(service) => [{ key: 'edit', label: t('list.edit'), icon: <Pencil />, onSelect: () => edit(service) }]}
        refreshes={cataloguePaths}
        deletion={{
          path: servicePath,
          seen: seenOfService,
          words: useCatalogueWords(),
          // A supply is only taken off the counter; it is deleted where its stock is.
          may: ({ stock }) => !stock,
          isRestorable: true,
          title: t('services.confirmDelete.title'),
          text: ({ name }) => t('services.confirmDelete.text', { name }),
          done: ({ name }) => t('services.deleted', { name }),
          failed: t('services.deleteFailed'),
        }}
        bulk={useCatalogueBulk<ServiceResource>({
          pathOf: servicePath,
          priceFieldOf: ({ type }) => priceFields[type],
          priceOf: ({ price }) => minorFromWire(price),
        })}
      />
      {product.opened !== null && (
        <ServiceForm key={product.opened} type="product" id={product.opened} onClose={product.close} />
      )}
      {stockItem.opened !== null && (
        <ServiceForm key={stockItem.opened} type="stock" id={stockItem.opened} onClose={stockItem.close} />
      )}
    </>
  );
}
