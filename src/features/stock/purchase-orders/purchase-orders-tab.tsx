import { chakra, Flex } from '@chakra-ui/react';
import { Plus, Truck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { purchaseOrderStatuses } from '../../../../domain/stock/vocabulary.ts';
import { PageToolbar } from '../../../back-office/page-frame.tsx';
import type { PurchaseOrderFilters } from '../../../server-data/purchasing.ts';
import { usePurchaseOrders } from '../../../server-data/purchasing.ts';
import { LoadError } from '../../../server-data/load-error.tsx';
import { Pagination } from '../../../lists/pagination.tsx';
import { SearchField } from '../../../lists/search-field.tsx';
import { useList } from '../../../lists/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useOpened } from '../../../navigation/use-opened.ts';
import { OrderDetail } from './order-detail.tsx';
import { OrderForm } from './order-form.tsx';
import { useOrderViews } from './order-views.tsx';

/** List of purchase orders, or the details of the open one. */
export function PurchaseOrdersTab() {
  const { opened, open, close } = useOpened('order');
  if (typeof opened === 'number') return <OrderDetail key={opened} id={opened} onClose={close} />;
  return (
    <>
      <OrderList onOpen={open} />
      {opened === 'new' && <OrderForm order="new" onClose={(saved) => (saved ? open(saved) : close())} />}
    </>
  );
}

function OrderList({ onOpen }: { onOpen: (id: number | 'new') => void }) {
  const { t } = useTranslation();
  const list = useList<PurchaseOrderFilters>({ filters: { status: '' } });
  const { settledSearch, filters } = list;
  const orders = usePurchaseOrders(list);
  const views = useOrderViews(onOpen);
  const isFiltered = settledSearch !== '' || filters.status !== '';
  const create = (
    <Button variant="primary" onClick={() => onOpen('new')}>
      <Plus />
      {t('purchasing.create')}
    </Button>
  );
  return (
    <Flex direction="column" gap="4">
      <PageToolbar>
        <Flex gap="3" align="center" wrap="wrap">
          <chakra.div flex="1" minWidth="56" maxWidth="96">
            <SearchField
              label={t('purchasing.search')}
              value={list.search}
              onChange={list.setSearch}
              isPending={list.isSearchPending}
            />
          </chakra.div>
          <chakra.div flex={{ base: '1', md: '0 0 14rem' }} minWidth="48">
            <SelectField
              label={t('purchasing.columns.status')}
              labelHidden
              value={filters.status}
              onChange={({ target }) => list.setFilters({ status: target.value as PurchaseOrderFilters['status'] })}
              options={[
                { value: '', label: t('purchasing.allStatuses') },
                ...purchaseOrderStatuses.map((value) => ({ value, label: t(`purchasing.status.${value}`) })),
              ]}
            />
          </chakra.div>
          <chakra.div ms="auto">{create}</chakra.div>
        </Flex>
      </PageToolbar>
      {orders.fault ? (
        <LoadError data={orders} />
      ) : (
        <DataTable
          label={t('purchasing.tabs.orders')}
          {...views}
          rows={orders.value?.data}
          rowKey={({ id }) => id}
          isDimmed={({ status }) => status === 'cancelled'}
          empty={
            isFiltered ? (
              <EmptyState icon={<Truck />} title={t('purchasing.noMatch.title')} text={t('purchasing.noMatch.text')} />
            ) : (
              <EmptyState icon={<Truck />} title={t('purchasing.empty.title')} text={t('purchasing.empty.text')}>
                {create}
              </EmptyState>
            )
          }
        />
      )}
      {orders.value && (
        <Pagination
          page={list.page}
          size={list.size}
          total={orders.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
    </Flex>
  );
}
