import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '#domain/stock/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { Swatch } from '#src/ui/swatch.tsx';
import { Thumbnail } from '#src/ui/thumbnail.tsx';

/** Returns the table columns, whose keys are the server's sort keys, and the phone card of a category. */
export function useCategoryViews() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const columns: Column<CategoryResource>[] = [
    {
      key: 'name',
      header: t('categories.fields.name'),
      sortable: true,
      width: '70%',
      cell: (category) => <Named category={category} isRow />,
    },
    {
      key: 'id',
      header: t('categories.columns.id'),
      numeric: true,
      sortable: true,
      width: '4rem',
      from: 50,
      cell: ({ id }) => <chakra.span color="fg.muted">{id}</chakra.span>,
    },
    {
      key: 'created_at',
      header: t('categories.columns.created'),
      sortable: true,
      width: '8rem',
      from: 50,
      cell: ({ created_at }) => <chakra.span whiteSpace="nowrap">{formats.date(created_at)}</chakra.span>,
    },
    {
      key: 'updated_at',
      header: t('categories.columns.updated'),
      sortable: true,
      width: '8rem',
      cell: ({ updated_at }) => <chakra.span whiteSpace="nowrap">{formats.date(updated_at)}</chakra.span>,
    },
  ];
  const card = (category: CategoryResource) => (
    <Flex direction="column" gap="3">
      <Named category={category} />
      <chakra.p fontSize="sm" color="fg.muted">
        {t('categories.updatedOn', { date: formats.date(category.updated_at) })}
      </chakra.p>
    </Flex>
  );
  return { columns, card };
}

/** Name and description: below each other in a card, in one line of a row. */
function Named({
  category: { name, description, color, image_url },
  isRow = false,
}: {
  category: CategoryResource;
  isRow?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Flex gap="3" {...(isRow ? { width: '0', minWidth: 'full', align: 'center' } : { minWidth: '0' })}>
      {image_url && <Thumbnail src={image_url} />}
      <Flex align="center" height="1.35em">
        <Swatch color={color} />
      </Flex>
      <chakra.div
        minWidth="0"
        lineHeight="1.35"
        {...(isRow && { display: 'flex', alignItems: 'baseline', gap: '3', title: [name, description].join(' · ') })}
      >
        <chakra.p
          fontWeight="medium"
          {...(isRow ? { maxWidth: '20rem', flexShrink: 0, truncate: true } : { overflowWrap: 'anywhere' })}
        >
          {name}
        </chakra.p>
        <chakra.p
          fontSize="sm"
          color="fg.muted"
          {...(isRow ? { minWidth: '0', truncate: true } : { lineClamp: 2, overflowWrap: 'anywhere' })}
        >
          {description || t('categories.noDescription')}
        </chakra.p>
      </chakra.div>
    </Flex>
  );
}
