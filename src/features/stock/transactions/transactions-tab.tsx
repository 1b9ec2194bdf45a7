import { ArrowLeftRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { stockTransactionStatuses, stockTransactionTypes } from '#domain/stock/vocabulary.ts';
import { useTransactions } from '#src/server-data/inventory.ts';
import { aDay, optional } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { useTransactionViews } from './transaction-views.tsx';

/** Without `adjustment`, an alias of `manual_adjustment` that the ledger never writes. */
const types = stockTransactionTypes.filter((type) => type !== 'adjustment');
const filters = { type: optional(types), status: optional(stockTransactionStatuses), from: aDay, to: aDay };

/** Stock ledger, latest transaction first. The server searches, filters and pages it. */
export function TransactionsTab() {
  const { t } = useTranslation();
  const list = useList({ name: 'transactions', filters });
  const found = useTransactions(list);
  return (
    <ListScreen
      label={t('stock.tabs.transactions')}
      icon={<ArrowLeftRight />}
      list={list}
      data={found}
      rows={found.value?.transactions}
      total={found.value?.pagination.total}
      rowKey={({ id }) => id}
      nameOf={({ Stock }) => Stock.name}
      {...useTransactionViews()}
      tableFrom={52}
      search={t('stock.transactions.search')}
      filters={[
        {
          name: 'type',
          label: t('stock.transactions.type'),
          options: [
            { value: '', label: t('stock.transactions.allTypes') },
            ...types.map((value) => ({ value, label: t(`stock.transactionTypes.${value}`) })),
          ],
        },
        {
          name: 'status',
          label: t('stock.transactions.status'),
          options: [
            { value: '', label: t('stock.transactions.allStatuses') },
            ...stockTransactionStatuses.map((value) => ({ value, label: t(`stock.transactions.statuses.${value}`) })),
          ],
        },
        { from: 'from', to: 'to' },
      ]}
      noMatch={{ title: t('stock.transactions.noMatch'), text: t('stock.transactions.noMatchText') }}
      empty={{ title: t('stock.transactions.empty'), text: t('stock.transactions.emptyText') }}
    />
  );
}
