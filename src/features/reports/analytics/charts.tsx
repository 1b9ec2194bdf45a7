import { useTranslation } from 'react-i18next';
import type { Analytics } from '#domain/report/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMoney } from '#src/formats/money.tsx';
import { ChartPanel } from '#src/back-office/chart-panel.tsx';
import { useGrowth } from '#src/formats/use-growth.ts';
import { comparedOf } from './compared-of.ts';
import { openHours } from './open-hours.ts';

/** Up to this many days, columns are labelled by weekday; in a longer period weekdays would repeat. */
const weekLength = 7;

export function DayChart({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const days = analytics?.byDay;
  const { nameOf } = useGrowth();
  const before = analytics && nameOf(comparedOf(analytics));
  return (
    <ChartPanel
      title={t('reports.charts.byDay')}
      pointHead={t('reports.charts.day')}
      heads={[t('reports.charts.revenue'), before ?? '', t('reports.charts.orders')]}
      points={days?.map(({ day, orders, revenue, compared }) => ({
        key: day,
        tick: days.length > weekLength ? String(Number(day.slice(8))) : formats.shortWeekday(day),
        name: formats.weekdayAndDay(day),
        value: revenue,
        compared: compared?.revenue ?? null,
        cells: [
          money(revenue),
          compared ? `${money(compared.revenue)} (${formats.weekdayAndDay(compared.day)})` : '–',
          formats.quantity(orders),
        ],
      }))}
      target={analytics?.target?.day}
      comparedName={before}
      empty={t('reports.charts.empty')}
    />
  );
}

export function HourChart({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const money = useMoney();
  return (
    <ChartPanel
      title={t('reports.charts.byHour')}
      pointHead={t('reports.charts.hour')}
      heads={[t('reports.charts.revenue')]}
      points={
        analytics &&
        openHours(analytics.byHour).map(({ hour, amount }) => ({
          key: String(hour),
          tick: t('reports.charts.hourTick', { hour: String(hour).padStart(2, '0') }),
          name: t('reports.charts.hourSpan', { from: clock(hour), to: clock(hour + 1) }),
          value: amount,
          cells: [money(amount)],
        }))
      }
      empty={t('reports.charts.empty')}
    />
  );
}

const clock = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
