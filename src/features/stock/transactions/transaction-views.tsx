import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isServerCode } from '#domain/device.ts';
import { minorFromWire } from '#domain/money.ts';
import type { StockTransactionResource } from '#domain/stock/resources.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useSession } from '#src/session/session.ts';
import { Badge } from '#src/ui/badge.tsx';
import type { Column } from '#src/ui/columns.ts';
import { desk, oneLineAtDesk } from '#src/ui/desk.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { noEffectReason } from './no-effect-reason.ts';

/** Returns the table columns and the phone card of a transaction. */
export function useTransactionViews(): {
  columns: Column<StockTransactionResource>[];
  card: (row: StockTransactionResource) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  const status = (row: StockTransactionResource) => (
    <Badge tone={row.status === 'completed' ? 'neutral' : 'due'}>
      {t(`stock.transactions.statuses.${row.status}`)}
    </Badge>
  );
  const columns: Column<StockTransactionResource>[] = [
    {
      key: 'item',
      header: t('stock.transactions.columns.item'),
      width: '22%',
      wideWidth: { from: 62, width: '17%' },
      cell: ({ Stock }) => (
        <chakra.span
          fontWeight="medium"
          lineClamp="2"
          overflowWrap="anywhere"
          minWidth="32"
          title={Stock.name}
          css={{ [desk]: { lineClamp: 'none', display: 'block', ...oneLineAtDesk[desk] } }}
        >
          {Stock.name}
        </chakra.span>
      ),
    },
    {
      key: 'type',
      header: t('stock.transactions.type'),
      cell: ({ transaction_type }) => (
        <chakra.span whiteSpace="nowrap">{t(`stock.transactionTypes.${transaction_type}`)}</chakra.span>
      ),
    },
    {
      key: 'quantity',
      header: t('stock.transactions.columns.quantity'),
      numeric: true,
      cell: (row) => <Change row={row} />,
    },
    { key: 'status', header: t('stock.transactions.status'), from: 66, cell: status },
    { key: 'by', header: t('stock.transactions.columns.by'), from: 62, cell: (row) => <Performer row={row} isShort /> },
    {
      key: 'date',
      header: t('stock.transactions.columns.date'),
      cell: ({ transaction_date }) => (
        <chakra.span whiteSpace="nowrap">{formats.dateTime(transaction_date)}</chakra.span>
      ),
    },
    {
      key: 'cost',
      header: t('stock.transactions.cost'),
      numeric: true,
      cell: ({ total_cost }) => <MoneyText minor={minorFromWire(total_cost)} currency={currency} />,
    },
    {
      key: 'notes',
      header: t('stock.transactions.columns.notes'),
      width: '18%',
      cell: (row) => <Notes row={row} />,
    },
  ];
  const card = (row: StockTransactionResource) => (
    <Flex direction="column" gap="2" fontSize="sm">
      <Flex justify="space-between" align="flex-start" gap="3">
        <chakra.h3 fontSize="md" fontWeight="medium" overflowWrap="anywhere" minWidth="0">
          {row.Stock.name}
        </chakra.h3>
        {status(row)}
      </Flex>
      <Flex justify="space-between" gap="3">
        <span>{t(`stock.transactionTypes.${row.transaction_type}`)}</span>
        <Change row={row} isLine />
      </Flex>
      <Flex justify="space-between" gap="3" color="fg.muted">
        <Performer row={row} isShort isLine />
        <chakra.span textAlign="end" whiteSpace="nowrap">
          {formats.dateTime(row.transaction_date)}
        </chakra.span>
      </Flex>
      <Flex justify="space-between" align="flex-end" gap="3">
        <Notes row={row} />
        <chakra.span color="fg.muted" whiteSpace="nowrap" ms="auto">
          {t('stock.transactions.cost')} <MoneyText minor={minorFromWire(row.total_cost)} currency={currency} />
        </chakra.span>
      </Flex>
    </Flex>
  );
  return { columns, card };
}

const inLine = { display: 'inline-flex', gap: '{spacing.2}' };

/** Lines below each other, at a desk and in a card in one line. */
const oneLine = (isLine: boolean) => (isLine ? inLine : { [desk]: inLine });

/** Quantity before and after, and the change or count. */
function Change({ row, isLine = false }: { row: StockTransactionResource; isLine?: boolean }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unit = useUnitName()(row.Stock.unit);
  const [previous, next] = [formats.quantity(row.previous_quantity), formats.quantity(row.new_quantity)];
  return (
    <chakra.span
      display={isLine ? 'inline-flex' : 'inline-block'}
      gap="2"
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
      css={oneLine(isLine)}
    >
      <chakra.span display="block" fontWeight="medium">
        <span aria-hidden>{`${previous} → ${next} ${unit}`}</span>
        <chakra.span srOnly>{`${t('stock.transactions.changeHeard', { previous, next })} ${unit}`}</chakra.span>
      </chakra.span>
      <chakra.span display="block" color="fg.muted">
        {row.is_count
          ? t('stock.transactions.counted', { quantity: formats.quantity(row.quantity) })
          : formats.change(row.quantity)}
      </chakra.span>
    </chakra.span>
  );
}

interface PerformerProps {
  row: StockTransactionResource;
  isShort?: boolean;
  isLine?: boolean;
}

/** Who did it and where. In a table the code of the device is enough. */
function Performer({ row: { User, device }, isShort = false, isLine = false }: PerformerProps) {
  const { t } = useTranslation();
  return (
    <chakra.span css={oneLine(isLine)} whiteSpace="nowrap">
      <chakra.span display="block">{User?.name ?? t('stock.transactions.unknown')}</chakra.span>
      {/* What the server does itself has no place that anybody could go to. */}
      {device && !isServerCode(device) && (
        <chakra.span display="block" color="fg.muted" whiteSpace="nowrap">
          {isShort && <span aria-hidden>{device}</span>}
          <chakra.span srOnly={isShort}>{t('stock.transactions.device', { code: device })}</chakra.span>
        </chakra.span>
      )}
    </chakra.span>
  );
}

/** Notes and reference of a transaction. The note of a usage is the number of its treatment. */
function Notes({ row }: { row: StockTransactionResource }) {
  const { t } = useTranslation();
  const { notes, reference_type, reference_id, approved_by } = row;
  const reason = noEffectReason(row);
  const treatment = reference_type === 'order' && notes;
  const purchase =
    reference_type === 'purchase_order' && reference_id && t('stock.transactions.purchaseOrder', { id: reference_id });
  const approval = approved_by && t('stock.transactions.approvedBy', { name: approved_by });
  return (
    <chakra.div
      minWidth="0"
      overflowWrap="anywhere"
      title={[notes, reason && t(`stock.transactions.${reason}`), purchase, approval].filter(Boolean).join('\n')}
      css={{
        [desk]: {
          ...oneLineAtDesk[desk],
          '&& > *': { display: 'inline', whiteSpace: 'nowrap', marginInlineEnd: '{spacing.2}' },
        },
      }}
    >
      {reference_type !== 'order' && notes && <chakra.p lineClamp="2">{notes}</chakra.p>}
      {reason && <chakra.p color="low.fg">{t(`stock.transactions.${reason}`)}</chakra.p>}
      {(treatment || purchase || approval) && (
        <chakra.p color="fg.muted">
          {treatment && <TreatmentLink number={treatment} />}
          {treatment && approval && ' · '}
          {[purchase, approval].filter(Boolean).join(' · ')}
        </chakra.p>
      )}
    </chakra.div>
  );
}

/** Leads to the treatment in the report of all treatments. */
function TreatmentLink({ number }: { number: string }) {
  const { t } = useTranslation();
  const role = useSession(({ user }) => user?.role) ?? 'counter';
  return (
    <chakra.a asChild color="accent.fg" _hover={{ textDecoration: 'underline' }}>
      <Link to={`${pathOf(role, 'reports')}?${new URLSearchParams({ tab: 'export', searchTerm: number }).toString()}`}>
        <chakra.span srOnly>{t('stock.transactions.order')} </chakra.span>
        {number}
      </Link>
    </chakra.a>
  );
}
