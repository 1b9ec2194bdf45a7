import { chakra, Flex } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { faultText } from '#src/api/client.ts';
import { usePurchaseOrder } from '#src/server-data/purchasing.ts';
import { isGoneFault } from '#src/server-data/use-server-data.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { DataTable } from '#src/ui/data-table.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { DescriptionItem } from '../description-item.tsx';
import { useOrderLineViews } from './order-line-views.tsx';
import { OrderActions } from './order-actions.tsx';
import { OrderForm } from './order-form.tsx';
import { OrderStatusBadge } from './order-status-badge.tsx';
import { DeliveryForm } from './delivery-form.tsx';

/** One purchase order with its lines and actions. */
export function OrderDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const order = usePurchaseOrder(id);
  return (
    <Flex direction="column" gap="5">
      <div>
        <StyledButton size="sm" variant="quiet" ms="-3" onClick={onClose}>
          <ArrowLeft />
          {t('purchasing.back')}
        </StyledButton>
      </div>
      {order.fault && <NotLoaded data={order} />}
      {order.value && (
        <LoadedOrder
          order={order.value.data}
          gone={order.fault && isGoneFault(order.fault) ? faultText(t, order.fault) : undefined}
        />
      )}
      {!order.value && !order.fault && <Skeleton height="48" />}
    </Flex>
  );
}

/** @param gone why the order is no more; a form that is open stays, so that what was typed can be read */
function LoadedOrder({ order, gone }: { order: PurchaseOrderResource; gone: string | undefined }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const views = useOrderLineViews();
  const [openForm, setOpenForm] = useState<'edit' | 'receive' | null>(null);
  const closeForm = () => setOpenForm(null);
  return (
    <>
      <Flex align="flex-start" justify="space-between" wrap="wrap" gap="4">
        <Flex align="center" gap="3" minHeight="12">
          <chakra.h2 fontSize="lg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
            {order.po_number}
          </chakra.h2>
          <OrderStatusBadge status={order.status} />
        </Flex>
        {gone === undefined && (
          <OrderActions order={order} onEdit={() => setOpenForm('edit')} onReceive={() => setOpenForm('receive')} />
        )}
      </Flex>
      <OrderDetails order={order} />
      <DataTable
        label={t('purchasing.columns.items')}
        {...views}
        rows={order.items}
        rowKey={({ id }) => id}
        empty={null}
      />
      <Flex align="baseline" justify="flex-end" gap="4" px={{ base: '4', md: '3' }}>
        <chakra.span color="fg.muted">{t('purchasing.columns.total')}</chakra.span>
        <MoneyText fontSize="lg" fontWeight="semibold" minor={minorFromWire(order.total)} currency={currency} />
      </Flex>
      {openForm === 'edit' && <OrderForm order={order} gone={gone} onClose={closeForm} />}
      {openForm === 'receive' && <DeliveryForm order={order} onClose={closeForm} />}
    </>
  );
}

function OrderDetails({
  order: { vendor, vendor_contact, created_by, created_at, sent_at, closed_at, notes, delivery_notes },
}: {
  order: PurchaseOrderResource;
}) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(14rem, 1fr))' }}
      columnGap="8"
      rowGap="3"
      fontSize="sm"
      py="4"
      borderTopWidth="1px"
      borderBottomWidth="1px"
      borderColor="border"
    >
      <DescriptionItem term={t('purchasing.fields.vendor')}>{vendor}</DescriptionItem>
      {vendor_contact && <DescriptionItem term={t('purchasing.fields.contact')}>{vendor_contact}</DescriptionItem>}
      <DescriptionItem term={t('purchasing.columns.created')}>
        {t('purchasing.createdBy', { date: formats.dateTime(created_at), name: created_by })}
      </DescriptionItem>
      {sent_at && <DescriptionItem term={t('purchasing.sentAt')}>{formats.dateTime(sent_at)}</DescriptionItem>}
      {closed_at && <DescriptionItem term={t('purchasing.closedAt')}>{formats.dateTime(closed_at)}</DescriptionItem>}
      {delivery_notes.length > 0 && (
        <DescriptionItem term={t('purchasing.deliveryNotes')}>{delivery_notes.join(', ')}</DescriptionItem>
      )}
      {notes && <DescriptionItem term={t('purchasing.fields.notes')}>{notes}</DescriptionItem>}
    </chakra.dl>
  );
}
