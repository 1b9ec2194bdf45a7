import { useSearchParams } from 'react-router-dom';
import type english from '#locales/en.json';

export type TabName = Exclude<keyof typeof english.stock.tabs, 'label'>;

/** Keeps the open tab of the stock section in the query string, so that a reload restores it. */
export function useStockTab() {
  const [search, setSearch] = useSearchParams();
  return {
    /** Value of the query string, which need not name an existing tab. */
    tab: search.get('tab'),
    openTab: (name: TabName) => setSearch({ tab: name }),
    /** Opens the adjustments tab with the item selected. */
    openAdjustment: (stockId: number) => setSearch({ tab: 'stock-management', adjust: String(stockId) }),
  };
}
