import { useTranslation } from 'react-i18next';
import { reportPeriods } from '#domain/report/vocabulary.ts';
import type { ReportPeriod } from '#domain/report/vocabulary.ts';
import { Segmented } from '../ui/segmented.tsx';

/** Chooses the period of a report. */
export function PeriodChoice({ value, onChange }: { value: ReportPeriod; onChange: (period: ReportPeriod) => void }) {
  const { t } = useTranslation();
  return (
    <Segmented
      kind="choice"
      label={t('reports.periods.label')}
      value={value}
      segments={reportPeriods.map((period) => ({ value: period, label: t(`reports.periods.${period}`) }))}
      onChange={onChange}
    />
  );
}
