import { Truck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { PurchaseOrderResource, StockAlertResource } from '#domain/stock/resources.ts';
import { purchaseFormOf } from '#domain/stock/purchasing.ts';
import { changeOf, changeRecord } from '#src/api/change-record.ts';
import { callServer } from '#src/api/client.ts';
import { readPage } from '#src/api/read-page.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { purchaseOrderPaths, usePurchaseSuggestions } from '#src/server-data/purchasing.ts';
import type { Page } from '#src/server-data/list-query.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { useMay, useSession } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { restockQuantity } from './advice.ts';

/** Returns the order to a supplier that has not been sent yet; undefined without one. */
async function draftFor(supplier: string): Promise<PurchaseOrderResource | undefined> {
  const searchParams = { search: supplier, status: 'draft', per_page: 50 };
  const { data } = await readPage<Page<PurchaseOrderResource>>('purchase-orders', { searchParams });
  return data.find(({ vendor }) => vendor === supplier);
}

/** Puts a line on the draft order to its supplier, or on a new one. A draft that has the item already stays as it is. */
async function putOnOrder(
  { supplier, supplier_contact }: StockAlertResource['Stock'],
  line: { stock_id: number; quantity: number },
  headers: Record<string, string>,
): Promise<PurchaseOrderResource> {
  type Reply = { data: PurchaseOrderResource };
  const draft = await draftFor(supplier);
  if (!draft) {
    const body = { vendor: supplier, vendor_contact: supplier_contact, items: [line] };
    return (await callServer<Reply>('post', 'stock/purchase-orders', body, headers)).data;
  }
  if (draft.items.some(({ stock_id }) => stock_id === line.stock_id)) return draft;
  const shown = purchaseFormOf(draft);
  const change = changeOf(shown, { items: [...shown.items, line] });
  return (await changeRecord<Reply>(`purchase-orders/${draft.id}`, change, headers)).data;
}

/** Puts the item of an alert on the draft order to its supplier, or on a new one, and opens that order. */
export function OrderButton({ alert, size }: { alert: StockAlertResource; size?: 'sm' }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayOrder = useMay('purchase.write');
  const role = useSession(({ user }) => user?.role) ?? 'manager';
  const suggested = usePurchaseSuggestions().value?.data.flatMap(({ items }) => items);
  const { stock_id, Stock } = alert;
  const ordering = useServerCall(
    async (quantity: number, headers) => {
      const { id } = await putOnOrder(Stock, { stock_id, quantity }, headers);
      void navigate(`${pathOf(role, 'purchase-orders')}?order=${id}`);
    },
    { refreshes: purchaseOrderPaths, failed: t('stock.alerts.orderFailed') },
  );
  if (!mayOrder || Stock.supplier === '') return null;
  const quantity = suggested?.find((item) => item.stock_id === stock_id)?.suggested ?? restockQuantity(alert);
  return (
    <Button size={size} disabled={ordering.isRunning} onClick={() => void ordering.run(quantity)}>
      <Truck />
      {t('stock.alerts.order')}
    </Button>
  );
}
