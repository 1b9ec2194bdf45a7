import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { StockTransactionResource } from '#domain/stock/resources.ts';
import { useLatestTransactions } from '#src/server-data/inventory.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Button } from '#src/ui/button.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { useStockTab } from '../use-stock-tab.ts';
import { EmptyNote, Rows, SkeletonRows } from '#src/ui/panel-rows.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';

const shown = 5;

/** Latest stock transactions. */
export function RecentTransactions() {
  const { t } = useTranslation();
  const { openTab } = useStockTab();
  const recent = useLatestTransactions(shown);
  const rows = recent.value?.transactions;
  return (
    <Panel
      title={t('stock.dashboard.recent')}
      action={
        <Button size="sm" variant="quiet" onClick={() => openTab('transactions')}>
          {t('stock.dashboard.viewTransactions')}
        </Button>
      }
    >
      <LoadError data={recent} />
      {!rows && !recent.fault && <SkeletonRows rows={shown} />}
      {rows?.length === 0 && <EmptyNote>{t('stock.dashboard.noTransactions')}</EmptyNote>}
      {rows && rows.length > 0 && (
        <Rows>
          {rows.map((transaction) => (
            <li key={transaction.id}>
              <TransactionLine transaction={transaction} />
            </li>
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function TransactionLine({ transaction }: { transaction: StockTransactionResource }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { Stock, User, transaction_type, effect, previous_quantity, new_quantity, transaction_date } = transaction;
  const unit = useUnitName()(Stock.unit);
  const details = [t(`stock.transactionTypes.${transaction_type}`), formats.dateTime(transaction_date), User?.name]
    .filter(Boolean)
    .join(' · ');
  return (
    <Flex justify="space-between" gap="4" fontVariantNumeric="tabular-nums">
      <chakra.span minWidth="0">
        <chakra.span display="block" fontWeight="medium" truncate>
          {Stock.name}
        </chakra.span>
        <chakra.span display="block" fontSize="sm" color="fg.muted">
          {details}
        </chakra.span>
      </chakra.span>
      <chakra.span textAlign="end" whiteSpace="nowrap">
        <chakra.span display="block" fontWeight="medium" color={effect > 0 ? 'paid.fg' : 'fg'}>
          {`${formats.change(effect)} ${unit}`}
        </chakra.span>
        <chakra.span display="block" fontSize="sm" color="fg.muted">
          {`${formats.quantity(previous_quantity)} → ${formats.quantity(new_quantity)}`}
        </chakra.span>
      </chakra.span>
    </Flex>
  );
}
