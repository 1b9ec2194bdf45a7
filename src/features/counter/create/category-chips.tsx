import { Star } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CategoryResource } from '#domain/stock/resources.ts';
import { Chip } from '#src/ui/chip.tsx';
import type { Search } from './catalogue-search.ts';
import styles from './category-chips.module.css';

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
    <fieldset className={styles['chips']} aria-label={t('counter.categories.label')}>
      <Chip aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        {t('counter.categories.all')}
      </Chip>
      {hasFavourites && (
        <Chip aria-pressed={chosen === 'favourites'} onClick={() => onChoose('favourites')}>
          <Star size={16} aria-hidden />
          {t('counter.categories.favourites')}
        </Chip>
      )}
      {categories.map(({ id, name, color }) => (
        <Chip key={id} aria-pressed={chosen === id} onClick={() => onChoose(id)}>
          {color && <span className={styles['colour']} style={{ background: color }} aria-hidden />}
          {name}
        </Chip>
      ))}
    </fieldset>
  );
});
