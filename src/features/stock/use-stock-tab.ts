import { useSearchParams } from 'react-router-dom';
import type english from '../../../locales/en.json';

export type TabName = Exclude<keyof typeof english.stock.tabs, 'label'>;

/** Which tab of the stock section shows, kept in the address so that it survives a reload; see `useOpened` for what lies over it. */
export function useStockTab() {
  const [address, setAddress] = useSearchParams();
  return {
    /** As the address says it; no tab may have this name. */
    tab: address.get('tab'),
    openTab: (name: TabName) => setAddress({ tab: name }),
    /** Goes to the quick adjustment with an item filled in. */
    openAdjustment: (stockId: number) => setAddress({ tab: 'stock-management', adjust: String(stockId) }),
  };
}
