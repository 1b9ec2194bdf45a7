import { Plus, Truck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { purchaseOrderStatuses } from '#domain/stock/vocabulary.ts';
import { usePurchaseOrders } from '#src/server-data/purchasing.ts';
import { optional } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { Button } from '#src/ui/button.tsx';
import { useOpened } from '#src/navigation/use-opened.ts';
import { OrderDetail } from './order-detail.tsx';
import { OrderForm } from './order-form.tsx';
import { useOrderViews } from './order-views.tsx';

const filters = { status: optional(purchaseOrderStatuses) };

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

/** Opens the form for a new order, which the list shows. */
export function CreateOrder() {
  const { t } = useTranslation();
  const { open } = useOpened('order');
  return (
    <Button variant="primary" onClick={() => open('new')}>
      <Plus />
      {t('purchasing.create')}
    </Button>
  );
}

function OrderList({ onOpen }: { onOpen: (id: number | 'new') => void }) {
  const { t } = useTranslation();
  const list = useList({
    name: 'purchase-orders',
    filters,
    sorts: ['po_number', 'vendor', 'status', 'total', 'created_at'],
    sort: { by: 'created_at', order: 'desc' },
  });
  const orders = usePurchaseOrders(list);
  return (
    <ListScreen
      label={t('purchasing.tabs.orders')}
      icon={<Truck />}
      list={list}
      data={orders}
      rows={orders.value?.data}
      total={orders.value?.pagination.total}
      rowKey={({ id }) => id}
      nameOf={({ po_number }) => po_number}
      {...useOrderViews(onOpen)}
      isDimmed={({ status }) => status === 'cancelled'}
      onOpen={({ id }) => onOpen(id)}
      search={t('purchasing.search')}
      filters={[
        {
          name: 'status',
          label: t('purchasing.columns.status'),
          options: [
            { value: '', label: t('purchasing.allStatuses') },
            ...purchaseOrderStatuses.map((value) => ({ value, label: t(`purchasing.status.${value}`) })),
          ],
        },
      ]}
      noMatch={{ title: t('purchasing.noMatch.title'), text: t('purchasing.noMatch.text') }}
      empty={{ title: t('purchasing.empty.title'), text: t('purchasing.empty.text'), action: <CreateOrder /> }}
    />
  );
}
