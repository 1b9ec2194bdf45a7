import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { comparisons, reportPeriods } from '#domain/report/vocabulary.ts';
import type { Comparison } from '#domain/report/vocabulary.ts';
import { useAnalytics } from '#src/server-data/reports.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { OtherCurrencies } from '#src/back-office/other-currencies.tsx';
import { PeriodChoice } from '#src/back-office/period-choice.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { DayChart, HourChart } from './charts.tsx';
import { PaymentMethods, SalesByType, TopProducts } from './breakdowns.tsx';
import { PeriodCards, ProfitAndLoss } from './period-figures.tsx';
import { PeriodOrders } from './period-orders.tsx';

/** Style of a grid with as many columns as fit, none narrower than the given width. */
const columnsOf = (minWidth: string) => ({
  gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${minWidth}), 1fr))`,
});

/** Revenue of a period, with breakdowns by day, hour, type, product and payment method. */
export function AnalyticsTab() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [period, setPeriod] = useAddressChoice('period', reportPeriods);
  const [compare, setCompare] = useAddressChoice('compare', comparisons);
  const response = useAnalytics(period, compare);
  const analytics = response.value?.data;
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      <Flex align="center" justify="space-between" wrap="wrap" gap="3">
        <Flex align="center" wrap="wrap" gap="3">
          <PeriodChoice value={period} onChange={setPeriod} />
          <ComparisonChoice value={compare} onChange={setCompare} />
        </Flex>
        <chakra.p color="fg.muted" fontVariantNumeric="tabular-nums" minHeight="6">
          {analytics && `${t(`reports.periods.${analytics.period}`)} · ${formats.days(analytics.dateRange)}`}
        </chakra.p>
      </Flex>
      {response.fault ? (
        <NotLoaded data={response} />
      ) : (
        <>
          <PeriodCards analytics={analytics} />
          {/* What is above has its height only with the data. */}
          {analytics ? (
            <>
              <OtherCurrencies others={analytics.others} />
              {period === 'month' && <ProfitAndLoss analytics={analytics} />}
              <chakra.div display="grid" gap="4" css={columnsOf('26rem')}>
                {period !== 'today' && <DayChart analytics={analytics} />}
                <HourChart analytics={analytics} />
              </chakra.div>
              <chakra.div display="grid" gap="4" css={columnsOf('17rem')}>
                <SalesByType analytics={analytics} />
                <TopProducts analytics={analytics} />
                <PaymentMethods analytics={analytics} />
              </chakra.div>
              <PeriodOrders analytics={analytics} />
            </>
          ) : (
            <chakra.span aria-busy />
          )}
        </>
      )}
    </chakra.div>
  );
}

function ComparisonChoice({ value, onChange }: { value: Comparison; onChange: (comparison: Comparison) => void }) {
  const { t } = useTranslation();
  return (
    <chakra.div width="18rem" maxWidth="full">
      <SelectField
        label={t('comparison.choice.label')}
        labelHidden
        value={value}
        options={comparisons.map((each) => ({ value: each, label: t(`comparison.choice.${each}`) }))}
        onChange={(event) => onChange(event.target.value as Comparison)}
      />
    </chakra.div>
  );
}
