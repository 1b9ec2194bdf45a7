import { chakra, Flex } from '@chakra-ui/react';
import { CheckCheck, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { maxCollected } from '#domain/order/collective.ts';
import { mostBillable } from '#domain/report/uninvoiced.ts';
import type { UninvoicedTreatment } from '#domain/report/uninvoiced.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { SearchField } from '#src/lists/search-field.tsx';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import type { ServerData } from '#src/server-data/use-server-data.ts';
import { CheckField } from '#src/ui/check-field.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';

interface BillableListProps {
  found: ServerData<{ data: readonly UninvoicedTreatment[] }>;
  /** Those that match the search; undefined while loading. */
  rows: readonly UninvoicedTreatment[] | undefined;
  search: string;
  onSearch: (text: string) => void;
  chosen: ReadonlySet<string>;
  onMark: (ids: readonly string[], isMarked: boolean) => void;
}

/** The treatments that can be billed, each with a box to choose it. */
export function BillableList({ found, rows, search, onSearch, chosen, onMark }: BillableListProps) {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  if (found.fault) return <NotLoaded data={found} />;
  if (found.value?.data.length === 0)
    return (
      <chakra.p display="flex" alignItems="center" gap="2" py="2" color="fg.muted">
        <CheckCheck size={20} aria-hidden />
        {t('reports.collective.none')}
      </chakra.p>
    );
  // What one invoice takes at most.
  const first = (rows ?? []).slice(0, maxCollected);
  const areAllChosen = first.length > 0 && first.every(({ order_id }) => chosen.has(order_id));
  const box = ({ order_id, number }: UninvoicedTreatment) => (
    <chakra.label
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="var(--control-small, 2.5rem)"
      cursor="pointer"
      whiteSpace="nowrap"
    >
      <chakra.input
        type="checkbox"
        width="5"
        height="5"
        css={{ accentColor: '{colors.accent.solid}' }}
        checked={chosen.has(order_id)}
        onChange={({ target }) => onMark([order_id], target.checked)}
      />
      <chakra.span fontWeight="medium">{number}</chakra.span>
    </chakra.label>
  );
  const amount = ({ owed, invoiced, currency }: UninvoicedTreatment) =>
    formatMinor(minorFromWire(owed) - minorFromWire(invoiced), currencyLabel(currency));
  const head = (column: 'treatment' | 'day' | 'patient' | 'amount') => t(`reports.collective.columns.${column}`);
  return (
    <Flex direction="column" gap="3" minWidth="0">
      <Flex gap="4" wrap="wrap" align="center">
        <chakra.div flex="1 1 16rem" maxWidth="24rem">
          <SearchField label={t('reports.collective.search')} value={search} onChange={onSearch} />
        </chakra.div>
        {rows && rows.length > 0 && (
          <CheckField
            label={
              rows.length > maxCollected
                ? t('reports.collective.first', { most: maxCollected })
                : t('reports.collective.all', { count: rows.length })
            }
            checked={areAllChosen}
            onChange={({ target }) =>
              onMark(
                first.map(({ order_id }) => order_id),
                target.checked,
              )
            }
          />
        )}
      </Flex>
      {found.value?.data.length === mostBillable && (
        <chakra.p fontSize="sm" color="due.fg">
          {t('reports.collective.more', { most: mostBillable })}
        </chakra.p>
      )}
      <DataTable
        label={t('reports.collective.billable')}
        tableFrom={40}
        rows={rows}
        rowKey={({ order_id }) => order_id}
        skeletonRows={3}
        columns={[
          { key: 'treatment', header: head('treatment'), cell: box },
          {
            key: 'day',
            header: head('day'),
            cell: (row) => <chakra.span whiteSpace="nowrap">{day(row.day)}</chakra.span>,
          },
          { key: 'patient', header: head('patient'), cell: ({ customer }) => customer || '–' },
          { key: 'amount', header: head('amount'), numeric: true, cell: amount },
        ]}
        card={(row) => (
          <Flex justify="space-between" gap="3" align="center" minWidth="0">
            <chakra.div minWidth="0">
              {box(row)}
              <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
                {[day(row.day), row.customer].filter(Boolean).join(' · ')}
              </chakra.p>
            </chakra.div>
            <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
              {amount(row)}
            </chakra.span>
          </Flex>
        )}
        empty={<EmptyState icon={<SearchX />} title={t('reports.collective.noMatch')} />}
      />
    </Flex>
  );
}
