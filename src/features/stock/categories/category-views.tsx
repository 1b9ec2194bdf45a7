import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '#domain/stock/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { desk } from '#src/ui/desk.ts';
import { Swatch } from '#src/ui/swatch.tsx';
import { Thumbnail } from '#src/ui/thumbnail.tsx';

/** Returns the table columns, whose keys are the server's sort keys, and the phone card of a category. */
export function useCategoryViews() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const columns: Column<CategoryResource>[] = [
    {
      key: 'id',
      header: t('categories.columns.id'),
      numeric: true,
      sortable: true,
      width: '5rem',
      cell: ({ id }) => <chakra.span color="fg.muted">{id}</chakra.span>,
    },
    {
      key: 'name',
      header: t('categories.fields.name'),
      sortable: true,
      cell: (category) => <Named category={category} />,
    },
    {
      key: 'created_at',
      header: t('categories.columns.created'),
      sortable: true,
      width: '10rem',
      cell: ({ created_at }) => formats.date(created_at),
    },
    {
      key: 'updated_at',
      header: t('categories.columns.updated'),
      sortable: true,
      width: '10rem',
      cell: ({ updated_at }) => formats.date(updated_at),
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

function Named({ category: { name, description, color, image_url } }: { category: CategoryResource }) {
  const { t } = useTranslation();
  return (
    <Flex gap="3" minWidth="0">
      {image_url && <Thumbnail src={image_url} />}
      <Flex align="center" height="1.35em">
        <Swatch color={color} />
      </Flex>
      <chakra.div
        minWidth="0"
        lineHeight="1.35"
        css={{ [desk]: { display: 'flex', gap: '{spacing.3}', '& > :last-child': { lineClamp: '1' } } }}
      >
        <chakra.p fontWeight="medium" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p fontSize="sm" color="fg.muted" lineClamp="2" overflowWrap="anywhere">
          {description || t('categories.noDescription')}
        </chakra.p>
      </chakra.div>
    </Flex>
  );
}
