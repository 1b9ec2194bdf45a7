import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncomeReport, IncomeRow } from '#domain/report/resources.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useMoney } from '#src/formats/money.tsx';
import type { Column } from '#src/ui/columns.ts';

/** Returns the table columns and the phone card of the income report. Refunds have a column only when there were some. */
export function useIncomeViews(income: IncomeReport | undefined): {
  columns: Column<IncomeRow>[];
  card: (row: IncomeRow) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const hasRefunds = (income?.summary.refunds ?? 0) > 0;
  const nameOf = ({ period }: IncomeRow) => (income?.period === 'today' ? period : formats.day(period));
  const refunds = (row: IncomeRow) => money(row.refunds === 0 ? 0 : -row.refunds);
  const columns: Column<IncomeRow>[] = [
    {
      key: 'period',
      header: t('dashboard.income.columns.period'),
      cell: (row) => <chakra.span whiteSpace="nowrap">{nameOf(row)}</chakra.span>,
    },
    {
      key: 'orders',
      header: t('dashboard.income.columns.orders'),
      numeric: true,
      cell: ({ orders }) => formats.quantity(orders),
    },
    { key: 'gross', header: t('dashboard.income.columns.gross'), numeric: true, cell: ({ gross }) => money(gross) },
    ...(hasRefunds
      ? [{ key: 'refunds', header: t('dashboard.income.columns.refunds'), numeric: true, cell: refunds }]
      : []),
    {
      key: 'service_charge',
      header: t('dashboard.income.columns.serviceCharge'),
      numeric: true,
      cell: ({ service_charge }) => money(service_charge),
    },
    {
      key: 'net',
      header: t('dashboard.income.columns.net'),
      numeric: true,
      cell: ({ net }) => <chakra.span fontWeight="medium">{money(net)}</chakra.span>,
    },
  ];
  const card = (row: IncomeRow) => (
    <Flex direction="column" gap="1" fontVariantNumeric="tabular-nums">
      <Flex justify="space-between" gap="3" fontWeight="medium">
        <span>{nameOf(row)}</span>
        <span>{money(row.net)}</span>
      </Flex>
      <Flex justify="space-between" gap="3" fontSize="sm" color="fg.muted">
        <span>{t('dashboard.income.orderCount', { count: row.orders })}</span>
        <span>{t('dashboard.income.ofGross', { amount: money(row.gross) })}</span>
      </Flex>
      {(hasRefunds || row.service_charge > 0) && (
        <Flex justify="space-between" gap="3" fontSize="sm" color="fg.muted">
          <span>
            {row.service_charge > 0 && `${t('dashboard.income.columns.serviceCharge')}: ${money(row.service_charge)}`}
          </span>
          <span>{row.refunds > 0 && `${t('dashboard.income.columns.refunds')}: ${refunds(row)}`}</span>
        </Flex>
      )}
    </Flex>
  );
  return { columns, card };
}
