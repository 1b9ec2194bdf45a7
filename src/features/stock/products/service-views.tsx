import { chakra, Flex } from '@chakra-ui/react';
import { Star } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource, ServiceResource } from '#domain/stock/resources.ts';
import { changeRecord } from '#src/api/change-record.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { cataloguePaths } from '#src/server-data/catalogue.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import type { Column } from '#src/ui/columns.ts';
import { desk, wide } from '#src/ui/desk.ts';
import { Swatch } from '#src/ui/swatch.tsx';
import { Switch } from '#src/ui/switch.tsx';
import { StyledIconButton } from '#src/ui/styled.tsx';
import { PriceEditor } from './price-editor.tsx';
import { servicePath } from './service-paths.ts';
import { NoThumbnail, Thumbnail } from '#src/ui/thumbnail.tsx';

/** Width in rem of the table's place from which a price that is edited lies over nothing of its row. */
const roomyFrom = 62;

/** Returns the table columns, whose keys are the server's sort keys, and the card of a service. */
export function useServiceViews(categories: readonly CategoryResource[]): {
  columns: Column<ServiceResource>[];
  card: (service: ServiceResource) => ReactNode;
} {
  const { t } = useTranslation();
  const categoryOf = ({ category_id }: ServiceResource) => categories.find(({ id }) => id === category_id);
  const named = (service: ServiceResource, isRow = false) => (
    <Named service={service} color={categoryOf(service)?.color ?? null} isRow={isRow} />
  );
  const columns: Column<ServiceResource>[] = [
    {
      key: 'name',
      header: t('stock.fields.name'),
      sortable: true,
      width: '45%',
      cell: (service) => named(service, true),
    },
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
        <chakra.div width="9rem" ms="auto" css={{ [`@container (min-width: ${roomyFrom}rem)`]: { width: '13.5rem' } }}>
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
      <chakra.div fontSize="sm">
        <CategoryText category={categoryOf(service)} />
      </chakra.div>
      <Flex gap="2" align="center" fontSize="sm" mt="auto" my="-1.5" position="relative">
        <Flex align="center" gap="2" flexShrink={0}>
          <AvailabilitySwitch service={service} />
          {t('stock.fields.available')}
        </Flex>
        <chakra.div flex="1" minWidth="0" fontSize="md">
          <PriceEditor service={service} takesLine />
        </chakra.div>
      </Flex>
    </Flex>
  );
  return { columns, card };
}

const cutAtEnd = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** Name and detail of a service: below each other in a card; in one line of a row, where the detail has the room that the name leaves. */
function Named({ service, color, isRow }: { service: ServiceResource; color: string | null; isRow: boolean }) {
  const { name } = service;
  const detail = useDetail(service);
  const level = useLevel(service);
  const title = [name, detail].filter(Boolean).join(' · ');
  return (
    // As wide as its column, which it does not widen.
    <Flex align="center" gap="3" {...(isRow ? { width: '0', minWidth: 'full' } : { minWidth: '0' })}>
      <ServicePicture service={service} color={color} />
      <chakra.div
        minWidth="0"
        lineHeight="1.35"
        {...(isRow && {
          flex: '1',
          title,
          // What has no room beside the name would be the second line, which is cut off whole.
          css: { display: 'flex', flexWrap: 'wrap', columnGap: '{spacing.3}', height: '1.35em', overflow: 'hidden' },
        })}
      >
        <chakra.p
          fontWeight="medium"
          {...(isRow ? { maxWidth: 'full', css: cutAtEnd } : { lineClamp: 2, overflowWrap: 'anywhere' })}
        >
          {name}
        </chakra.p>
        {detail && (
          <chakra.p
            fontSize="sm"
            color="fg.muted"
            {...(isRow
              ? { flex: service.stock ? '1 0 auto' : '1 1 6rem', minWidth: service.stock ? '0' : '6rem', css: cutAtEnd }
              : { lineClamp: 1, overflowWrap: 'anywhere' })}
          >
            {isRow && level ? (
              <>
                <span aria-hidden>{level}</span>
                <chakra.span srOnly>{detail}</chakra.span>
              </>
            ) : (
              detail
            )}
          </chakra.p>
        )}
      </chakra.div>
    </Flex>
  );
}

/** Returns how much of a service is in stock, without words; empty for one that is not stocked. */
function useLevel({ stock }: ServiceResource): string {
  const formats = useClinicFormats();
  const unitName = useUnitName();
  return stock ? `${formats.quantity(stock.quantity)} ${unitName(stock.unit)}` : '';
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
    <Flex align="center" gap="2" minWidth="0">
      <Swatch color={category.color} />
      <chakra.span minWidth="0" title={category.name} css={{ ...cutAtEnd, [wide]: { maxWidth: '13rem' } }}>
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
    (isOn: boolean, headers) =>
      changeRecord(servicePath(service), { changes: { [field]: isOn }, seen: { [field]: !isOn } }, headers),
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
  return image_url ? <Thumbnail key={image_url} src={image_url} /> : <NoThumbnail color={color} />;
}
