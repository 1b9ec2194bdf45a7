import { useTranslation } from 'react-i18next';
import type { ReportPeriod } from '../../domain/report/vocabulary.ts';
import { useClinicFormats } from './use-formats.ts';

/** Returns functions that say how something has changed: a percentage, or that it is new, because it was 0 before. */
export function useGrowth() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  return {
    growth: (percent: number | null): string => (percent === null ? t('comparison.new') : formats.growth(percent)),
    /** Names what a period is compared with. */
    versus: (period: ReportPeriod, percent: number | null): string =>
      percent === null
        ? t(`comparison.fromZero.${period}`)
        : t(`comparison.${period}`, { change: formats.growth(percent) }),
  };
}
