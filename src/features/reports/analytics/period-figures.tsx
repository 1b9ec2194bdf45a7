import { chakra } from '@chakra-ui/react';
import { ClipboardCheck, Receipt, TrendingDown, TrendingUp, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Analytics } from '#domain/report/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useGrowth } from '#src/formats/use-growth.ts';
import { useMoney } from '#src/formats/money.tsx';
import { comparedOf } from './compared-of.ts';
import { StatCard } from '#src/ui/stat-card.tsx';
import { FigureStrip } from '#src/ui/figure-strip.tsx';

export function PeriodCards({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const { growth, versus, before } = useGrowth();
  const percentage = analytics ? analytics.growthRate.percentage : 0;
  const isGain = percentage === null ? analytics!.totalRevenue.amount > 0 : percentage >= 0;
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' }}
    >
      <StatCard
        label={t('reports.cards.revenue')}
        icon={<Wallet size={18} />}
        value={analytics && money(analytics.totalRevenue.amount)}
        note={analytics && versus(comparedOf(analytics), percentage)}
      />
      <StatCard
        label={t('reports.cards.completed')}
        icon={<ClipboardCheck size={18} />}
        value={analytics && formats.quantity(analytics.completedOrders)}
        note={analytics && t('reports.cards.cancelled', { count: analytics.cancelledOrders })}
      />
      <StatCard
        label={t('reports.cards.average')}
        icon={<Receipt size={18} />}
        value={analytics && money(analytics.averageOrder.amount)}
        note={t('reports.cards.averageNote')}
      />
      <StatCard
        label={t('reports.cards.growth')}
        icon={isGain ? <TrendingUp size={18} /> : <TrendingDown size={18} />}
        value={analytics && growth(percentage)}
        tone={isGain ? 'paid' : 'refused'}
        note={analytics && before(comparedOf(analytics), money(analytics.totalRevenue.previous))}
      />
    </chakra.div>
  );
}

/** Net profit of the month: revenue less approved expenses. */
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
