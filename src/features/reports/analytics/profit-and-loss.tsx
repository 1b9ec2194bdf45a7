import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { Analytics } from '../../../../domain/report/resources.ts';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import { useMoney } from '../../../formats/use-money.ts';
import { FigureStrip } from '../../../ui/figure-strip.tsx';

/** What is left of the month's revenue after what was spent and approved. */
export function ProfitAndLoss({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const profit = analytics?.netProfit;
  const isLoss = profit?.isPositive === false;
  return (
    <section aria-labelledby="profit-and-loss">
      <chakra.h3 id="profit-and-loss" fontWeight="semibold" mb="2">
        {t('reports.profit.title')}
      </chakra.h3>
      <FigureStrip
        figures={[
          { label: t('reports.cards.revenue'), value: analytics && money(analytics.totalRevenue.amount) },
          { label: t('reports.profit.expenses'), value: analytics && money(analytics.totalExpenses.amount) },
          {
            label: t(isLoss ? 'reports.profit.loss' : 'reports.profit.profit'),
            value: profit && money(Math.abs(profit.amount)),
            tone: isLoss ? 'refused' : 'paid',
          },
          {
            label: t('reports.profit.margin'),
            value: profit && formats.margin(profit.margin),
            tone: isLoss ? 'refused' : 'paid',
          },
        ]}
      />
    </section>
  );
}
