import { chakra, Flex } from '@chakra-ui/react';
import { Star } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource, ServiceResource } from '#domain/stock/resources.ts';
import { callServer } from '#src/api/client.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { cataloguePaths } from '#src/server-data/catalogue.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import type { Column } from '#src/ui/columns.ts';
import { desk } from '#src/ui/desk.ts';
import { Swatch } from '#src/ui/swatch.tsx';
import { Switch } from '#src/ui/switch.tsx';
import { StyledIconButton } from '#src/ui/styled.tsx';
import { PriceEditor } from './price-editor.tsx';
import { servicePath } from './service-paths.ts';
import { Thumbnail } from '#src/ui/thumbnail.tsx';

/** The room that the price keeps while it is edited, so that nothing beside it moves. */
const priceWidth = '13.5rem';

/** Returns the table columns, whose keys are the server's sort keys, and the card of a service. */
export function useServiceViews(categories: readonly CategoryResource[]): {
  columns: Column<ServiceResource>[];
  card: (service: ServiceResource) => ReactNode;
} {
  const { t } = useTranslation();
  const categoryOf = ({ category_id }: ServiceResource) => categories.find(({ id }) => id === category_id);
  const named = (service: ServiceResource) => <Named service={service} color={categoryOf(service)?.color ?? null} />;
  const columns: Column<ServiceResource>[] = [
    { key: 'name', header: t('stock.fields.name'), sortable: true, cell: named },
    {
      key: 'category',
      header: t('stock.fields.category'),
      sortable: true,
      cell: (service) => <CategoryText category={categoryOf(service)} />,
    },
    {
      key: 'price',
      header: t('services.fields.price'),
      numeric: true,
      sortable: true,
      cell: (service) => (
        <chakra.div width={priceWidth} ms="auto">
          <PriceEditor service={service} />
        </chakra.div>
      ),
    },
    {
      key: 'favourite',
      header: t('services.fields.favourite'),
      width: '5rem',
      cell: (service) => <FavouriteButton service={service} />,
    },
    {
      key: 'available',
      header: t('stock.fields.available'),
      width: '6rem',
      cell: (service) => <AvailabilitySwitch service={service} />,
    },
  ];
  const card = (service: ServiceResource) => (
    <Flex direction="column" gap="2" height="full">
      <Flex gap="2" justify="space-between" align="flex-start">
        {named(service)}
        <chakra.div flexShrink={0} mt="-3" me="-2">
          <FavouriteButton service={service} />
        </chakra.div>
      </Flex>
      <Flex gap="3" align="center" justify="space-between" fontSize="sm" mt="auto" my="-2">
        <CategoryText category={categoryOf(service)} />
        <Flex align="center" gap="2" flexShrink={0}>
          {t('stock.fields.available')}
          <AvailabilitySwitch service={service} />
        </Flex>
      </Flex>
      <chakra.div width={priceWidth} maxWidth="full" ms="auto" me="-2" mb="-2">
        <PriceEditor service={service} />
      </chakra.div>
    </Flex>
  );
  return { columns, card };
}

function Named({ service, color }: { service: ServiceResource; color: string | null }) {
  const { name } = service;
  const detail = useDetail(service);
  return (
    <Flex align="center" gap="3" minWidth="0">
      <ServicePicture service={service} color={color} />
      <chakra.div
        minWidth={{ base: '0', lg: '32' }}
        lineHeight="1.35"
        css={{ [desk]: { display: 'flex', alignItems: 'baseline', gap: '{spacing.2}' } }}
      >
        <chakra.p fontWeight="medium" lineClamp="2" overflowWrap="anywhere" css={{ [desk]: { maxWidth: '20rem' } }}>
          {name}
        </chakra.p>
        {detail && (
          <chakra.p
            fontSize="sm"
            color="fg.muted"
            lineClamp="1"
            overflowWrap="anywhere"
            // It has the room that the name leaves.
            css={{ [desk]: { flex: '1 1 0', minWidth: '0' } }}
          >
            {detail}
          </chakra.p>
        )}
      </chakra.div>
    </Flex>
  );
}

/** Returns what is to be known of a service besides its name: its level, its description or what it uses. */
function useDetail({ description, stock, ingredients }: ServiceResource): string {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  if (stock) return t('services.inStock', { quantity: formats.quantity(stock.quantity), unit: unitName(stock.unit) });
  return description || (ingredients > 0 ? t('services.ingredientCount', { count: ingredients }) : '');
}

function CategoryText({ category }: { category: CategoryResource | undefined }) {
  const { t } = useTranslation();
  if (!category) return <chakra.span color="fg.muted">{t('stock.form.noCategory')}</chakra.span>;
  return (
    <Flex align="center" gap="2" minWidth={{ base: '0', lg: '28' }}>
      <Swatch color={category.color} />
      <chakra.span minWidth="0" lineClamp="2" overflowWrap="break-word">
        {category.name}
      </chakra.span>
    </Flex>
  );
}

/** Keeps a flag of a service. The new state shows at once and reverts when the server refuses it. */
function useFlag(service: ServiceResource, field: 'is_available' | 'is_favourite', done?: (isOn: boolean) => string) {
  const { t } = useTranslation();
  /** The chosen state and the version of the service it applies to; dropped when a newer version arrives. */
  const [wanted, setWanted] = useState<{ isOn: boolean; of: string } | null>(null);
  const shown = wanted?.of === service.updated_at ? wanted.isOn : service[field];
  const change = useServerCall(
    (isOn: boolean, headers) => callServer('put', servicePath(service), { [field]: isOn }, headers),
    { refreshes: cataloguePaths, done, failed: t('services.updateFailed') },
  );
  async function choose(next: boolean) {
    setWanted({ isOn: next, of: service.updated_at });
    if (!(await change.run(next))) setWanted(null);
  }
  return { shown, choose: (next: boolean) => void choose(next), isRunning: change.isRunning };
}

function AvailabilitySwitch({ service }: { service: ServiceResource }) {
  const { t } = useTranslation();
  const { name } = service;
  const flag = useFlag(service, 'is_available', (isOn) =>
    t(isOn ? 'services.offered' : 'services.withdrawn', { name }),
  );
  return (
    <Switch
      label={t('services.availability', { name })}
      checked={flag.shown}
      disabled={flag.isRunning}
      onChange={flag.choose}
    />
  );
}

function FavouriteButton({ service }: { service: ServiceResource }) {
  const { t } = useTranslation();
  const flag = useFlag(service, 'is_favourite');
  return (
    <StyledIconButton
      css={{ [desk]: { width: '2rem', minHeight: '2rem' } }}
      label={t('services.favourite', { name: service.name })}
      aria-pressed={flag.shown}
      disabled={flag.isRunning}
      color={flag.shown ? 'accent.fg' : 'fg.muted'}
      onClick={() => flag.choose(!flag.shown)}
    >
      <Star fill={flag.shown ? 'currentColor' : 'none'} />
    </StyledIconButton>
  );
}

/** The picture of a service; without one a field in the colour of its category. */
function ServicePicture({ service: { image_url }, color }: { service: ServiceResource; color: string | null }) {
  if (image_url) return <Thumbnail key={image_url} src={image_url} />;
  return (
    <chakra.span
      aria-hidden
      width="var(--picture, 2.5rem)"
      height="var(--picture, 2.5rem)"
      flexShrink={0}
      borderRadius="md"
      bg="bg.sunken"
      {...(color && { style: { background: `color-mix(in srgb, ${color} 24%, transparent)` } })}
    />
  );
}
