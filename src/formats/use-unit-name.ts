import { useTranslation } from 'react-i18next';
import type { StockUnit } from '../../domain/stock/vocabulary.ts';

/** How a unit is called; one that is not of the list is called by its own name. */
export function useUnitName(): (unit: string) => string {
  const { t } = useTranslation();
  return (unit) => t(`stock.units.${unit as StockUnit}`, { defaultValue: unit });
}
