import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { BookDocument, BookSummary } from '#domain/report/book.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { oneLineAtDesk } from '#src/ui/desk.ts';
import type { Tone } from '#src/ui/tone.ts';

const tones = {
  unsent: 'due',
  accepted: 'paid',
  accepted_with_errors: 'low',
  rejected: 'refused',
  not_sent: 'neutral',
} as const satisfies Record<NonNullable<BookDocument['state']>, Tone>;

/** The newest documents of the book, by day. */
export function Documents({ book: { documents, latest } }: { book: BookSummary }) {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const money = (wire: number, currency: string) => formatMinor(minorFromWire(wire), currencyLabel(currency));
  const type = ({ type: code }: BookDocument) => (code === '' ? '–' : code);
  const named = ({ type: code }: BookDocument) => (code === '' ? undefined : t(`fiscal.list.types.${code}`));
  const state = ({ state: of }: BookDocument) =>
    of === null ? '–' : <Badge tone={tones[of]}>{t(`fiscal.list.states.${of}`)}</Badge>;
  const head = (column: 'number' | 'day' | 'type' | 'recipient' | 'base' | 'amount' | 'total' | 'state') =>
    t(`reports.book.list.${column}`);
  const columns: Column<BookDocument>[] = [
    { key: 'day', header: head('day'), cell: (row) => <chakra.span whiteSpace="nowrap">{day(row.day)}</chakra.span> },
    {
      key: 'number',
      header: head('number'),
      cell: ({ number }) => (
        <chakra.span fontWeight="medium" whiteSpace="nowrap">
          {number}
        </chakra.span>
      ),
    },
    { key: 'type', header: head('type'), cell: (row) => <span title={named(row)}>{type(row)}</span> },
    {
      key: 'recipient',
      header: head('recipient'),
      width: '36%',
      cell: ({ recipient }) => (
        <chakra.div overflowWrap="anywhere" css={oneLineAtDesk} title={recipient}>
          {recipient || '–'}
        </chakra.div>
      ),
    },
    { key: 'base', header: head('base'), numeric: true, from: 68, cell: (row) => money(row.base, row.currency) },
    { key: 'amount', header: head('amount'), numeric: true, from: 68, cell: (row) => money(row.amount, row.currency) },
    {
      key: 'total',
      header: head('total'),
      numeric: true,
      cell: (row) => <chakra.span fontWeight="medium">{money(row.total, row.currency)}</chakra.span>,
    },
    { key: 'state', header: head('state'), cell: state },
  ];
  return (
    <chakra.div minWidth="0" pt="2">
      <chakra.h3 fontWeight="semibold" pb="2">
        {documents > latest.length
          ? t('reports.book.list.newest', { most: latest.length })
          : t('reports.book.list.title')}
      </chakra.h3>
      <DataTable
        label={t('reports.book.list.title')}
        rows={latest}
        rowKey={({ number, day: of }) => `${of} ${number}`}
        columns={columns}
        tableFrom={48}
        firstRows={{ desk: 20, cards: 8, showAll: t('list.showAll') }}
        card={(row) => (
          <Flex direction="column" gap="1" fontSize="sm" minWidth="0">
            <Flex justify="space-between" gap="3" fontSize="md">
              <chakra.span fontWeight="medium">{row.number}</chakra.span>
              <chakra.span fontWeight="medium" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
                {money(row.total, row.currency)}
              </chakra.span>
            </Flex>
            <Flex justify="space-between" align="center" gap="3" color="fg.muted">
              <chakra.span minWidth="0" overflowWrap="anywhere">
                {[day(row.day), type(row), row.recipient].filter(Boolean).join(' · ')}
              </chakra.span>
              {row.state && state(row)}
            </Flex>
          </Flex>
        )}
        empty={null}
      />
    </chakra.div>
  );
}
