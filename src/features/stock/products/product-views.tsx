import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '../../../../domain/money.ts';
import type { CategoryResource, ProductResource } from '../../../../domain/stock/resources.ts';
import { useCurrency } from '../../../local-data/use-clinic-settings.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { Thumbnail } from '../../../ui/thumbnail.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Swatch } from '../../../ui/swatch.tsx';
import { callServer } from '../../../api/client.ts';
import { useServerCall } from '../../../server-data/use-server-call.ts';
import { Switch } from '../../../ui/switch.tsx';
import { RowButtons } from '../row-buttons.tsx';

interface ProductViewOptions {
  categories: readonly CategoryResource[];
  onEdit: (product: ProductResource) => void;
  onDelete: (product: ProductResource) => void;
}

/** Returns the table columns, whose keys are the server's sort keys, and the phone card of a product. */
export function useProductViews({ categories, onEdit, onDelete }: ProductViewOptions) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const price = (product: ProductResource) => <MoneyText minor={minorFromWire(product.price)} currency={currency} />;
  const categoryOf = (product: ProductResource) => categories.find(({ id }) => id === product.category_id);
  const buttons = (product: ProductResource) => (
    <RowButtons name={product.name} onEdit={() => onEdit(product)} onDelete={() => onDelete(product)} />
  );
  const columns: Column<ProductResource>[] = [
    { key: 'name', header: t('stock.fields.name'), sortable: true, cell: (product) => <Named product={product} /> },
    {
      key: 'category',
      header: t('stock.fields.category'),
      cell: (product) => <CategoryText category={categoryOf(product)} />,
    },
    { key: 'price', header: t('services.fields.price'), numeric: true, sortable: true, cell: price },
    {
      key: 'ingredients',
      header: t('services.fields.ingredients'),
      numeric: true,
      cell: ({ ingredients }) => ingredients.length,
    },
    {
      key: 'available',
      header: t('stock.fields.available'),
      width: '7rem',
      cell: (product) => <AvailabilitySwitch product={product} />,
    },
    { key: 'actions', header: t('stock.fields.actions'), actions: true, cell: buttons },
  ];
  const card = (product: ProductResource) => (
    <Flex direction="column" gap="3">
      <Flex gap="3" justify="space-between">
        <Named product={product} />
        <chakra.span flexShrink={0} fontWeight="medium">
          {price(product)}
        </chakra.span>
      </Flex>
      <Flex gap="3" justify="space-between" fontSize="sm">
        <CategoryText category={categoryOf(product)} />
        <chakra.span color="fg.muted" flexShrink={0}>
          {t('services.ingredientCount', { count: product.ingredients.length })}
        </chakra.span>
      </Flex>
      <Flex align="center" justify="space-between" gap="2" my="-2">
        <Flex align="center" gap="3" fontSize="sm">
          <AvailabilitySwitch product={product} />
          {t('stock.fields.available')}
        </Flex>
        <Flex gap="2">{buttons(product)}</Flex>
      </Flex>
    </Flex>
  );
  return { columns, card };
}

function Named({ product: { name, description, image_url } }: { product: ProductResource }) {
  return (
    <Flex align="center" gap="3" minWidth="0">
      {image_url && <Thumbnail key={image_url} src={image_url} />}
      <chakra.div minWidth={{ base: '0', md: '48' }} lineHeight="1.35">
        <chakra.p fontWeight="medium" lineClamp="2" overflowWrap="anywhere">
          {name}
        </chakra.p>
        {description && (
          <chakra.p fontSize="sm" color="fg.muted" lineClamp="1" overflowWrap="anywhere">
            {description}
          </chakra.p>
        )}
      </chakra.div>
    </Flex>
  );
}

function CategoryText({ category }: { category: CategoryResource | undefined }) {
  const { t } = useTranslation();
  if (!category) return <chakra.span color="fg.muted">{t('stock.form.noCategory')}</chakra.span>;
  return (
    <Flex align="center" gap="2" minWidth={{ base: '0', md: '32' }}>
      <Swatch color={category.color} />
      <chakra.span minWidth="0" lineClamp="2" overflowWrap="anywhere">
        {category.name}
      </chakra.span>
    </Flex>
  );
}

/** Switch for the availability of a product. It shows the new state at once and reverts when the server refuses it. */
function AvailabilitySwitch({ product: { id, name, is_available, updated_at } }: { product: ProductResource }) {
  const { t } = useTranslation();
  /** The chosen state and the version of the product it applies to; dropped when a newer version arrives. */
  const [wanted, setWanted] = useState<{ isAvailable: boolean; of: string } | null>(null);
  const shown = wanted?.of === updated_at ? wanted.isAvailable : is_available;
  const change = useServerCall(
    (isAvailable: boolean, headers) => callServer('put', `products/${id}`, { is_available: isAvailable }, headers),
    {
      refreshes: ['products'],
      done: (isAvailable) => t(isAvailable ? 'services.offered' : 'services.withdrawn', { name }),
      failed: t('services.updateFailed'),
    },
  );
  async function choose(next: boolean) {
    setWanted({ isAvailable: next, of: updated_at });
    if (!(await change.run(next))) setWanted(null);
  }
  return (
    <Switch
      label={t('services.availability', { name })}
      checked={shown}
      disabled={change.isRunning}
      onChange={(next) => void choose(next)}
    />
  );
}
