import { useTranslation } from 'react-i18next';
import type { DashboardStats } from '../../../domain/report/resources.ts';
import { useClinicFormats } from '../../formats/use-clinic-formats.ts';
import { useMoney } from '../../formats/use-money.ts';
import { ChartPanel } from '../../figures/chart-panel.tsx';

/** What came in on each of the last seven days. */
export function WeekChart({ week }: { week: DashboardStats['week'] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <ChartPanel
      title={t('dashboard.week.title')}
      pointHead={t('dashboard.week.day')}
      heads={[t('dashboard.week.revenue'), t('dashboard.week.orders')]}
      points={week?.map(({ day, orders, revenue }) => ({
        key: day,
        tick: formats.shortWeekday(day),
        name: formats.day(day),
        value: revenue,
        cells: [money(revenue), formats.quantity(orders)],
      }))}
      empty={t('dashboard.week.empty')}
    />
  );
}
