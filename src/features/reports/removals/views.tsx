import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import { removalKinds } from '#domain/report/removals.ts';
import type { PersonRemovals, Removal } from '#domain/report/removals.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { desk, oneLineAtDesk } from '#src/ui/desk.ts';

interface Views<Row> {
  columns: Column<Row>[];
  card: (row: Row) => ReactNode;
}

/** Below what it belongs to, at a desk behind it. */
const behind = {
  display: 'block',
  color: 'fg.muted',
  css: { [desk]: { display: 'inline', marginInlineStart: '{spacing.2}' } },
};

const amountOf = ({ amount, currency }: { amount: number; currency: string }) => (
  <MoneyText minor={minorFromWire(amount)} currency={currency} />
);

/** Returns the table columns and the phone card of a person's sums. */
export function usePeopleViews(): Views<PersonRemovals> {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const kinds = ({ kinds: sums, currency }: PersonRemovals) => (
    // No amount is far from its name.
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1" minWidth="0" maxWidth="24rem">
      {removalKinds.map((kind) => {
        const sum = sums[kind];
        return (
          sum && (
            <Flex as="li" key={kind} justify="space-between" gap="4" wrap="wrap">
              <span>
                {t(`reports.removals.kinds.${kind}`)} ({formats.quantity(sum.count)})
              </span>
              {amountOf({ amount: sum.amount, currency })}
            </Flex>
          )
        );
      })}
    </chakra.ul>
  );
  return {
    columns: [
      { key: 'person', header: t('reports.removals.columns.person'), width: '14rem', cell: nameOf },
      { key: 'kinds', header: t('reports.removals.columns.kinds'), cell: kinds },
      {
        key: 'count',
        header: t('reports.removals.columns.count'),
        width: '6rem',
        numeric: true,
        cell: ({ count }) => formats.quantity(count),
      },
      {
        key: 'amount',
        header: t('reports.removals.columns.amount'),
        width: '9rem',
        numeric: true,
        cell: (row) => <chakra.span fontWeight="medium">{amountOf(row)}</chakra.span>,
      },
    ],
    card: (row) => (
      <Flex direction="column" gap="2" fontSize="sm" minWidth="0">
        <Flex justify="space-between" gap="3">
          <chakra.span fontWeight="medium" overflowWrap="anywhere">
            {nameOf(row)}
          </chakra.span>
          <chakra.span fontWeight="medium" flexShrink="0">
            {amountOf(row)}
          </chakra.span>
        </Flex>
        <chakra.div color="fg.muted">{kinds(row)}</chakra.div>
      </Flex>
    ),
  };
}

const nameOf = ({ person }: { person: string }) => (
  <chakra.span css={{ overflowWrap: 'anywhere' }}>{person === '' ? '–' : person}</chakra.span>
);

/** Returns the table columns and the phone card of an event. */
export function useEventViews(): Views<Removal> {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const who = ({ person, approver }: Removal) => (
    <chakra.div overflowWrap="anywhere" minWidth="0" css={oneLineAtDesk}>
      {person === '' ? '–' : person}
      {approver !== null && (
        <chakra.span {...behind}>{t('reports.removals.approvedBy', { name: approver })}</chakra.span>
      )}
    </chakra.div>
  );
  const what = ({ kind, what: service, reason, number }: Removal) => (
    <chakra.div overflowWrap="anywhere" minWidth="0" css={oneLineAtDesk}>
      <chakra.span fontWeight="medium">{t(`reports.removals.one.${kind}`)}</chakra.span>
      <chakra.span {...behind}>{[number, service, reason].filter(Boolean).join(' · ')}</chakra.span>
    </chakra.div>
  );
  return {
    columns: [
      {
        key: 'at',
        header: t('reports.removals.columns.at'),
        width: '11rem',
        cell: ({ at }) => <chakra.span whiteSpace="nowrap">{formats.dateTime(at)}</chakra.span>,
      },
      { key: 'person', header: t('reports.removals.columns.person'), width: '14rem', cell: who },
      { key: 'what', header: t('reports.removals.columns.what'), cell: what },
      {
        key: 'amount',
        header: t('reports.removals.columns.amount'),
        width: '9rem',
        numeric: true,
        cell: amountOf,
      },
    ],
    card: (row) => (
      <Flex direction="column" gap="2" fontSize="sm" minWidth="0">
        <Flex justify="space-between" gap="3">
          {what(row)}
          <chakra.span flexShrink="0" fontWeight="medium">
            {amountOf(row)}
          </chakra.span>
        </Flex>
        <Flex justify="space-between" gap="3" color="fg.muted">
          {who(row)}
          <chakra.span textAlign="end" flexShrink="0">
            {formats.dateTime(row.at)}
          </chakra.span>
        </Flex>
      </Flex>
    ),
  };
}
