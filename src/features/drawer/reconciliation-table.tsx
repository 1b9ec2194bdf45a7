import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { sumOf } from '#domain/drawer/report.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { AmountCell, AmountRow, AmountTable } from './amount-table.tsx';

interface ReconciliationTableProps {
  expected: ByMethod;
  counted: ByMethod | null;
  currency: string;
}

export function ReconciliationTable({ expected, counted, currency }: ReconciliationTableProps) {
  const { t } = useTranslation();
  const rows = paymentMethods.map((method) => ({
    name: t(`counter.methods.${method}`),
    expected: expected[method],
    counted: counted?.[method] ?? null,
  }));
  const all = [
    ...rows,
    { name: t('drawer.report.total'), expected: sumOf(expected), counted: counted && sumOf(counted) },
  ];
  const columns = [
    t('drawer.report.method', { currency: currencyLabel(currency) }),
    t('drawer.report.expected'),
    ...(counted ? [t('drawer.report.counted'), t('drawer.report.difference')] : []),
  ];
  return (
    <AmountTable columns={columns}>
      {all.map((row, index) => (
        <AmountRow key={row.name} name={row.name} isTotal={index === rows.length}>
          <AmountCell>{formatDigits(row.expected)}</AmountCell>
          {row.counted !== null && (
            <>
              <AmountCell>{formatDigits(row.counted)}</AmountCell>
              <AmountCell>
                <Difference minor={row.counted - row.expected} />
              </AmountCell>
            </>
          )}
        </AmountRow>
      ))}
    </AmountTable>
  );
}

const formatDigits = (minor: number): string => formatMinor(minor, '').trim();

/**
 * Shows a difference between counted and expected, in a colour that tells short from over.
 * @param currency omitted where a heading names it
 */
export function Difference({ minor, currency }: { minor: number; currency?: string }) {
  const { t } = useTranslation();
  if (minor === 0) {
    return (
      <Flex as="span" justify="flex-end" color="fg.muted">
        {t('drawer.report.exact')}
      </Flex>
    );
  }
  return (
    <chakra.span
      color={minor < 0 ? 'refused.fg' : 'due.fg'}
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
    >
      {currency ? formatMinor(minor, currencyLabel(currency)) : formatDigits(minor)}
    </chakra.span>
  );
}
