/** Reads of what is in stock: ledger, lots and alerts. */
import type {
  LotResource,
  RecalledLot,
  StockActivity,
  StockAlertResource,
  StockAlertStats,
  StockStats,
  StockTransactionResource,
} from '#domain/stock/resources.ts';
import { expiringSoonDays } from '#domain/stock/vocabulary.ts';
import type { StockTransactionStatus, StockTransactionType } from '#domain/stock/vocabulary.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Page, Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

/** Filters of the ledger; an empty string filters nothing. Days are YYYY-MM-DD, both inclusive. */
export interface LedgerFilters {
  type: StockTransactionType | '';
  status: StockTransactionStatus | '';
  from: string;
  to: string;
}

export interface LotFilters {
  expiry: 'any' | 'soon';
}

export interface AlertFilters {
  status: 'open' | 'all';
}

type Transactions = Omit<Page<never>, 'data'> & { transactions: StockTransactionResource[] };

export const useTransactions = (list: ListQuery<LedgerFilters>) =>
  useServerData<Transactions>('stock/inventory/transactions', { ...listParams(list), ...list.filters });

export const useLatestTransactions = (count: number) =>
  useServerData<Transactions>('stock/inventory/transactions', { per_page: count });

export const useStockStats = () => useServerData<Reply<StockStats>>('stock/stats');

/** Reads the week's movements of the ledger. */
export const useStockActivity = () => useServerData<Reply<StockActivity>>('stock/inventory/transactions/stats');

export const useLots = (list: ListQuery<LotFilters>) =>
  useServerData<Page<LotResource>>('stock/lots', {
    ...listParams(list),
    expiring: list.filters.expiry === 'soon' ? expiringSoonDays : undefined,
  });

/** Reads who received a lot; nothing without its number. */
export const useLotRecipients = (lot: string) =>
  useServerData<Reply<RecalledLot[]>>('stock/lots/recipients', { lot }, { enabled: lot !== '' });

export const useAlerts = (list: ListQuery<AlertFilters>) =>
  useServerData<Page<StockAlertResource>>('stock/inventory/alerts', { ...listParams(list), ...list.filters });

export const useLatestAlerts = (count: number) =>
  useServerData<Page<StockAlertResource>>('stock/inventory/alerts', { status: 'open', per_page: count });

export const useOpenAlertCount = (): number =>
  useServerData<Reply<StockAlertStats>>('stock/inventory/alerts/stats').value?.data.total ?? 0;

export const inventoryPaths = ['stock'];
