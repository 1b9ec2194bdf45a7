import { useTranslation } from 'react-i18next';
import { comparedName } from '#domain/report/periods.ts';
import type { Comparison, ReportPeriod } from '#domain/report/vocabulary.ts';
import { unbroken } from './money.tsx';
import { useClinicFormats } from './use-formats.ts';

/** What a period is compared with: `start` is the first day of that. */
export interface ComparedPeriod {
  period: ReportPeriod;
  comparison: Comparison;
  today: string;
  start: string;
}

/** Returns functions that say how something has changed: a percentage, or that it is new, because it was 0 before. */
export function useGrowth() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const keyOf = ({ period, comparison, today, start }: ComparedPeriod) =>
    comparedName(period, comparison, { today, day: start });
  const nameOf = (compared: ComparedPeriod) =>
    t(`comparison.name.${keyOf(compared)}`, { day: formats.longWeekday(compared.start) });
  return {
    growth: (percent: number | null): string => (percent === null ? t('comparison.new') : formats.growth(percent)),
    /** Says the change, and what it is against. */
    versus: (compared: ComparedPeriod, percent: number | null): string => {
      const day = formats.longWeekday(compared.start);
      return percent === null
        ? t(`comparison.fromZero.${keyOf(compared)}`, { day })
        : t(`comparison.versus.${keyOf(compared)}`, { change: formats.growth(percent), day });
    },
    /** Names what a period is compared with, and what was earned then. */
    before: (compared: ComparedPeriod, amount: string): string =>
      t('comparison.amount', { name: nameOf(compared), amount: unbroken(amount) }),
    /** Names what a period is compared with. */
    nameOf,
  };
}
