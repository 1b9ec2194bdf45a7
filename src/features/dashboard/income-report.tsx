import { chakra, Flex } from '@chakra-ui/react';
import { CalendarX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { IncomeReport } from '#domain/report/resources.ts';
import { reportPeriods } from '#domain/report/vocabulary.ts';
import { useIncomeReport } from '#src/server-data/dashboard.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { DataTable } from '#src/ui/data-table.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { FigureStrip } from '#src/ui/figure-strip.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMoney } from '#src/formats/money.tsx';
import { OtherCurrencies } from '#src/back-office/other-currencies.tsx';
import { PeriodChoice } from '#src/back-office/period-choice.tsx';
import { useIncomeViews } from './income-views.tsx';

/** Rows shown before the user asks for all. */
const firstRows = { desk: 10, cards: 5 };

/** Income of the chosen period: totals, and a row for each hour or day. */
export function IncomeReportSection() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const [period, setPeriod] = useAddressChoice('period', reportPeriods);
  const report = useIncomeReport(period);
  const income = report.value?.data;
  const views = useIncomeViews(income);
  return (
    <chakra.section aria-labelledby="income-report" display="flex" flexDirection="column" gap="4" minWidth="0">
      <Flex justify="space-between" align="center" wrap="wrap" gap="3">
        <div>
          <chakra.h2 id="income-report" fontSize="lg" fontWeight="semibold" lineHeight="tight">
            {t('dashboard.income.title')}
          </chakra.h2>
          <chakra.p fontSize="sm" color="fg.muted" mt="1" minHeight="5">
            {income && formats.days(income.dateRange)}
          </chakra.p>
        </div>
        <PeriodChoice value={period} onChange={setPeriod} />
      </Flex>
      {report.fault ? (
        <LoadError data={report} />
      ) : (
        <>
          <Totals income={income} />
          <OtherCurrencies others={income?.others} />
          <DataTable
            label={t('dashboard.income.breakdown')}
            {...views}
            rows={income?.breakdown}
            rowKey={(row) => row.period}
            firstRows={{
              ...firstRows,
              showAll: t('dashboard.income.showAll', { count: income?.breakdown.length ?? 0 }),
            }}
            empty={
              <EmptyState
                icon={<CalendarX />}
                title={t('dashboard.income.empty')}
                text={t('dashboard.income.emptyText')}
              />
            }
          />
        </>
      )}
    </chakra.section>
  );
}

function Totals({ income }: { income: IncomeReport | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const summary = income?.summary;
  return (
    <FigureStrip
      figures={[
        { label: t('dashboard.income.orders'), value: summary && formats.quantity(summary.totalOrders) },
        { label: t('dashboard.income.gross'), value: summary && money(summary.grossIncome) },
        ...(summary && summary.refunds > 0
          ? [{ label: t('dashboard.income.refunds'), value: money(-summary.refunds) }]
          : []),
        ...(summary && summary.serviceCharge > 0
          ? [{ label: t('dashboard.income.serviceCharge'), value: money(summary.serviceCharge) }]
          : []),
        { label: t('dashboard.income.net'), value: summary && money(summary.netIncome) },
      ]}
    />
  );
}
