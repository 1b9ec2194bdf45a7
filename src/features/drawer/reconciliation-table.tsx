import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { sumOf } from '#domain/drawer/report.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';

interface ReconciliationTableProps {
  expected: ByMethod;
  counted: ByMethod | null;
  currency: string;
}

/** Between amounts of five figures, which a phone has just room for. */
const gap = { base: '3', md: '4' };

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
    <chakra.table width="full" css={{ borderCollapse: 'collapse' }} fontSize={{ base: 'sm', md: 'md' }}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <chakra.th
              key={column}
              scope="col"
              pb="2"
              ps={index === 0 ? '0' : gap}
              fontSize="sm"
              fontWeight="medium"
              color="fg.muted"
              textAlign={index === 0 ? 'start' : 'end'}
            >
              {column}
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map((row, index) => (
          <chakra.tr
            key={row.name}
            borderTopWidth="1px"
            borderColor={index === rows.length ? 'border.strong' : 'border'}
            fontWeight={index === rows.length ? 'semibold' : 'normal'}
          >
            <chakra.th scope="row" py="3" textAlign="start" fontWeight="inherit">
              {row.name}
            </chakra.th>
            <Amount minor={row.expected} />
            {row.counted !== null && (
              <>
                <Amount minor={row.counted} />
                <chakra.td py="3" ps={gap} textAlign="end">
                  <Difference minor={row.counted - row.expected} />
                </chakra.td>
              </>
            )}
          </chakra.tr>
        ))}
      </tbody>
    </chakra.table>
  );
}

/** Shows an amount without the currency, which stands in the heading: on a phone the columns would be too wide. */
function Amount({ minor }: { minor: number }) {
  return (
    <chakra.td py="3" ps={gap} textAlign="end" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      {formatDigits(minor)}
    </chakra.td>
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
