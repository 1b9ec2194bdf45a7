import { useTranslation } from 'react-i18next';
import { milliFromWire } from '#domain/quantity.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { stockState } from '#domain/stock/ledger.ts';
import type { StockState } from '#domain/stock/ledger.ts';
import { Badge } from '#src/ui/badge.tsx';
import type { Tone } from '#src/ui/tone.ts';

const tones: Record<StockState, Tone> = { in_stock: 'paid', low_stock: 'low', out_of_stock: 'refused' };

/** Badge of a stock item: in stock, low or out of stock. */
export function StockStateBadge({ item }: { item: Pick<StockResource, 'quantity' | 'low_stock_threshold'> }) {
  const { t } = useTranslation();
  const state = stockState(milliFromWire(item.quantity), milliFromWire(item.low_stock_threshold));
  return <Badge tone={tones[state]}>{t(`stock.states.${state}`)}</Badge>;
}
