/**
 * Reads of what the clinic keeps and sells: supplies, services and their categories. A service is stored as a product or
 * as a stock item.
 */
import type {
  CategoryResource,
  ProductResource,
  ServiceResource,
  StarterList,
  StockResource,
} from '#domain/stock/resources.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Page, Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export interface SupplyFilters {
  status: 'all' | 'in_stock' | 'low_stock' | 'out_of_stock';
  category_id: string;
}

export interface ServiceFilters {
  offered: 'all' | 'yes' | 'no' | 'favourites';
  category_id: string;
}

export const useSupplies = (list: ListQuery<SupplyFilters>) =>
  useServerData<Omit<Page<never>, 'data'> & { stocks: StockResource[] }>('stock', {
    ...listParams(list),
    ...list.filters,
    is_stocked: true,
  });

export const useServices = (list: ListQuery<ServiceFilters>) =>
  useServerData<Page<ServiceResource>>('services', { ...listParams(list), ...list.filters });

export const useCategories = (list: ListQuery) => useServerData<Page<CategoryResource>>('categories', listParams(list));

/** Reads the categories to choose from; empty until they have loaded. */
export const useCategoryChoices = (): CategoryResource[] =>
  useServerData<Reply<CategoryResource[]>>('categories').value?.data ?? [];

/** Returns true once the categories are there, or cannot be read. */
export function useKnowsCategories(): boolean {
  const { value, fault } = useServerData<Reply<CategoryResource[]>>('categories');
  return Boolean(value ?? fault);
}

/** Reads what a form edits; nothing for a new record. */
export const useStockItem = (id: number | 'new') =>
  useServerData<Reply<StockResource>>(`stock/${id}`, {}, { enabled: id !== 'new' });

/** Reads what a service is stored as; nothing for a new record. */
export const useServiceRecord = (path: 'stock' | 'products', id: number | 'new') =>
  useServerData<Reply<StockResource | ProductResource>>(`${path}/${id}`, {}, { enabled: id !== 'new' });

/** Reads what a new clinic may begin with. */
export const useStarterList = () => useServerData<Reply<StarterList>>('stock/starter');

/** A supply may be sold as a service, and both name a category: a write of one reloads all. */
export const cataloguePaths = ['stock', 'services', 'products', 'categories'];
