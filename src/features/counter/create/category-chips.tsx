import { Flex } from '@chakra-ui/react';
import { Star } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '../../../../domain/stock/resources.ts';
import { Chip } from '../../../ui/chip.tsx';
import type { Search } from './catalogue-search.ts';

export const CategoryChips = memo(function CategoryChips({
  categories,
  chosen,
  hasFavourites,
  onChoose,
}: {
  categories: readonly CategoryResource[];
  chosen: Search['category'];
  hasFavourites: boolean;
  onChoose: (category: Search['category']) => void;
}) {
  const { t } = useTranslation();
  return (
    <Flex
      as="fieldset"
      aria-label={t('counter.categories.label')}
      gap="2"
      mx="-4"
      px="4"
      minHeight="12"
      // By default a fieldset is as wide as its content and would not scroll.
      minWidth="0"
      overflowX="auto"
      flexShrink={0}
      css={{ scrollbarWidth: 'none', scrollPaddingInline: '1rem' }}
    >
      <Chip type="button" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {t('counter.categories.all')}
      </Chip>
      {hasFavourites && (
        <Chip type="button" aria-pressed={chosen === 'favourites'} onClick={() => onChoose('favourites')}>
          <Star size={16} aria-hidden />
          {t('counter.categories.favourites')}
        </Chip>
      )}
      {categories.map(({ id, name, color }) => (
        <Chip key={id} type="button" aria-pressed={chosen === id} onClick={() => onChoose(id)}>
          {color && (
            <span
              aria-hidden
              style={{ width: 10, height: 10, borderRadius: 8, background: color, boxShadow: '0 0 0 1px currentColor' }}
            />
          )}
          {name}
        </Chip>
      ))}
    </Flex>
  );
});
