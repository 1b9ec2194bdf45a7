import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Analytics } from '../../../../domain/report/resources.ts';
import { reportPeriods } from '../../../../domain/report/vocabulary.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { useAddressChoice } from '../../../navigation/use-address-choice.ts';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import { PeriodChoice } from '../../../back-office/period-choice.tsx';
import { DayChart, HourChart } from './charts.tsx';
import { MethodMix, SalesByType, TopProducts } from './breakdowns.tsx';
import { PeriodCards, ProfitAndLoss } from './period-figures.tsx';
import { PeriodOrders } from './period-orders.tsx';

/** As many beside each other as there is room for, at least so wide. */
const beside = (least: string) => ({ gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${least}), 1fr))` });

/** What a period brought in, and what made it up. */
export function AnalyticsTab() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [period, setPeriod] = useAddressChoice('period', reportPeriods);
  const answer = useServerData<{ data: Analytics }>('reports/analytics', { period });
  const analytics = answer.value?.data;
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      <Flex align="center" justify="space-between" wrap="wrap" gap="3">
        <PeriodChoice value={period} onChange={setPeriod} />
        <chakra.p color="fg.muted" fontVariantNumeric="tabular-nums" minHeight="6">
          {analytics && `${t(`reports.periods.${analytics.period}`)} · ${formats.days(analytics.dateRange)}`}
        </chakra.p>
      </Flex>
      {answer.fault ? (
        <LoadError data={answer} />
      ) : (
        <>
          <PeriodCards analytics={analytics} />
          {period === 'month' && <ProfitAndLoss analytics={analytics} />}
          <chakra.div display="grid" gap="4" css={beside('26rem')}>
            {period !== 'today' && <DayChart analytics={analytics} />}
            <HourChart analytics={analytics} />
          </chakra.div>
          <chakra.div display="grid" gap="4" css={beside('20rem')}>
            <SalesByType analytics={analytics} />
            <TopProducts analytics={analytics} />
            <MethodMix analytics={analytics} />
          </chakra.div>
          <PeriodOrders analytics={analytics} />
        </>
      )}
    </chakra.div>
  );
}
