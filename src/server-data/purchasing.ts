/** Reads of the purchase orders, and what a write of one reloads. */
import type { PurchaseOrderResource, PurchaseSuggestion } from '#domain/stock/resources.ts';
import type { PurchaseOrderStatus } from '#domain/stock/vocabulary.ts';
import { inventoryPaths } from './inventory.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Page, Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export interface PurchaseOrderFilters {
  status: PurchaseOrderStatus | '';
}

export const usePurchaseOrders = (list: ListQuery<PurchaseOrderFilters>) =>
  useServerData<Page<PurchaseOrderResource>>('purchase-orders', { ...listParams(list), ...list.filters });

export const usePurchaseOrder = (id: number) => useServerData<Reply<PurchaseOrderResource>>(`purchase-orders/${id}`);

/** Reads what should be ordered, by supplier. */
export const usePurchaseSuggestions = () => useServerData<Reply<PurchaseSuggestion[]>>('purchase-orders/suggestions');

export const purchaseOrderPaths = ['purchase-orders'];
/** A delivery changes the order and what is in stock. */
export const deliveryPaths = [...purchaseOrderPaths, ...inventoryPaths];
