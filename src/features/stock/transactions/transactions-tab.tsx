import { Flex } from '@chakra-ui/react';
import { ArrowLeftRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LedgerFilters } from '../../../server-data/inventory.ts';
import { useTransactions } from '../../../server-data/inventory.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { Pagination } from '../../../lists/pagination.tsx';
import { useList } from '../../../lists/use-list.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ActiveFilters, TransactionFilters, noFilters } from './transaction-filters.tsx';
import { useTransactionViews } from './transaction-views.tsx';

/** Stock ledger, latest transaction first. The server searches, filters and pages it. */
export function TransactionsTab() {
  const { t } = useTranslation();
  const list = useList<LedgerFilters>({ filters: noFilters });
  const { settledSearch, filters } = list;
  const found = useTransactions(list);
  const { columns, card } = useTransactionViews();
  const isFiltered = settledSearch !== '' || Object.values(filters).some((value) => value !== '');
  return (
    <Flex direction="column" gap="4">
      <TransactionFilters list={list} />
      <ActiveFilters list={list} />
      {found.fault ? (
        <LoadError data={found} />
      ) : (
        <DataTable
          label={t('stock.tabs.transactions')}
          columns={columns}
          rows={found.value?.transactions}
          rowKey={({ id }) => id}
          card={card}
          tableFrom={52}
          empty={
            isFiltered ? (
              <EmptyState
                icon={<ArrowLeftRight />}
                title={t('stock.transactions.noMatch')}
                text={t('stock.transactions.noMatchText')}
              />
            ) : (
              <EmptyState
                icon={<ArrowLeftRight />}
                title={t('stock.transactions.empty')}
                text={t('stock.transactions.emptyText')}
              />
            )
          }
        />
      )}
      {found.value && (
        <Pagination
          page={list.page}
          size={list.size}
          total={found.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
    </Flex>
  );
}
