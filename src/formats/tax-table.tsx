import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { Column } from '../ui/columns.ts';
import { DataTable } from '../ui/data-table.tsx';
import { useTaxRows } from './use-tax-rows.ts';
import type { TaxRow } from './use-tax-rows.ts';

/** Amounts by tax, and their sum, as a table of a page. */
export function TaxTable({ label, totals }: { label: string; totals: readonly TaxTotalPayload[] }) {
  const { t } = useTranslation();
  const weightOf = ({ isSum }: TaxRow) => (isSum ? 'semibold' : undefined);
  const column = (key: 'name' | 'base' | 'tax' | 'value'): Column<TaxRow> => ({
    key,
    header: t(`tax.report.columns.${key}`),
    numeric: key !== 'name',
    cell: (row) => <chakra.span fontWeight={weightOf(row)}>{row[key]}</chakra.span>,
  });
  return (
    <DataTable
      label={label}
      tableFrom={32}
      rows={useTaxRows()(totals)}
      rowKey={({ key }) => key}
      columns={[column('name'), column('base'), column('tax'), column('value')]}
      card={(row) => (
        <>
          <Flex justify="space-between" gap="3" fontWeight={weightOf(row)}>
            <span>{row.name}</span>
            <chakra.span whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
              {row.value}
            </chakra.span>
          </Flex>
          <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {row.note}
          </chakra.p>
        </>
      )}
      empty={null}
    />
  );
}
