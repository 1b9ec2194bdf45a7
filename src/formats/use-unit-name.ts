import { useTranslation } from 'react-i18next';
import type { StockUnit } from '#domain/stock/vocabulary.ts';

/** Returns a function that translates the name of a unit. A unit outside the list keeps its own name. */
export function useUnitName(): (unit: string) => string {
  const { t } = useTranslation();
  return (unit) => t(`stock.units.${unit as StockUnit}`, { defaultValue: unit });
}
