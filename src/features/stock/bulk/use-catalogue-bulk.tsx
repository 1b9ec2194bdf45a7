import { Eye, EyeOff, Percent, Tags } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { minorToWire } from '#domain/money.ts';
import type { BulkAction } from '#src/lists/bulk-bar.tsx';
import type { RowChange } from '#src/lists/row-changes.tsx';
import { useCatalogueWords } from '../catalogue-words.ts';
import { CategoryDialog } from './category-dialog.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { settingOf } from './row-setting.ts';

/** A supply or a service, as far as many of them are changed at once. */
export interface CatalogueRow {
  name: string;
  is_available: boolean;
  category_id: number | null;
}

interface CatalogueBulk<Row> {
  /** The path of one row. */
  pathOf: (row: Row) => string;
  /** The field that holds the price, and its value in minor units. */
  priceFieldOf: (row: Row) => string;
  priceOf: (row: Row) => number;
}

/** What is done with several supplies or services at once: each is changed by the request that its form sends. */
export function useCatalogueBulk<Row extends CatalogueRow>({
  pathOf,
  priceFieldOf,
  priceOf,
}: CatalogueBulk<Row>): BulkAction<Row>[] {
  const { t } = useTranslation();
  const words = useCatalogueWords();
  /** Sets a field of each row, and back to what it was. */
  const setting = (
    fieldOf: (row: Row) => string,
    next: (row: Row) => unknown,
    before: (row: Row) => unknown,
  ): RowChange<Row> => ({
    ...settingOf({ pathOf, words, fieldOf, from: before, to: next }),
    undo: settingOf({ pathOf, words, fieldOf, from: next, to: before }),
    done: (rows) => t('stock.bulk.done', { count: rows.length }),
    failed: t('stock.bulk.failed'),
  });
  const available = (isOn: boolean) =>
    setting(
      () => 'is_available',
      () => isOn,
      ({ is_available }) => is_available,
    );
  return [
    {
      key: 'price',
      label: t('stock.bulk.price'),
      icon: <Percent />,
      dialog: ({ rows, onClose, run }) => (
        <PriceDialog
          rows={rows.map((row) => ({ name: row.name, minor: priceOf(row) }))}
          onClose={onClose}
          onChange={(wireOf) =>
            run(
              setting(
                priceFieldOf,
                (row) => wireOf(priceOf(row)),
                (row) => minorToWire(priceOf(row)),
              ),
            )
          }
        />
      ),
    },
    { key: 'offer', label: t('stock.bulk.offer'), icon: <Eye />, change: available(true) },
    { key: 'withdraw', label: t('stock.bulk.withdraw'), icon: <EyeOff />, change: available(false) },
    {
      key: 'category',
      label: t('stock.bulk.category'),
      icon: <Tags />,
      dialog: ({ rows, onClose, run }) => (
        <CategoryDialog
          count={rows.length}
          onClose={onClose}
          onChoose={(id) =>
            run(
              setting(
                () => 'category_id',
                () => id,
                ({ category_id }) => category_id,
              ),
            )
          }
        />
      ),
    },
  ];
}
