import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { DashboardStats } from '../../../domain/report/resources.ts';
import { NoAnswer } from '../../api/load-error.tsx';
import { useOldestAnswer, useRefresh, useServerData } from '../../api/server-data.ts';
import { useClinicFormats } from '../../formats/use-clinic-formats.ts';
import { useToday } from '../../formats/use-today.ts';
import { PageFrame } from '../../layout/page-frame.tsx';
import { IncomeReportSection } from './income-report.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { TodayCards } from './today-cards.tsx';
import { WeekChart } from './week-chart.tsx';

/** How the clinic stands today, how the week went, what came in, and the ways on. */
export function DashboardScreen() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const today = useToday();
  const refresh = useRefresh('admin/dashboard');
  const stats = useServerData<{ data: DashboardStats }>('admin/dashboard/stats');
  return (
    <PageFrame
      title={t('dashboard.title')}
      // The line is there before the day is known, so that nothing below it jumps.
      text={today ? formats.longDay(today) : '\u00a0'}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestAnswer()}
    >
      {stats.fault ? (
        <NoAnswer data={stats} />
      ) : (
        <chakra.section aria-labelledby="today" display="flex" flexDirection="column" gap="4">
          <chakra.h2 id="today" srOnly>
            {t('reports.periods.today')}
          </chakra.h2>
          <TodayCards stats={stats.value?.data} />
          <chakra.div
            display="grid"
            gap="4"
            gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 3fr)' }}
          >
            <WeekChart week={stats.value?.data.week} />
            <Shortcuts />
          </chakra.div>
        </chakra.section>
      )}
      <IncomeReportSection />
    </PageFrame>
  );
}
