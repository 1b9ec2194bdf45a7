import type { TFunction } from 'i18next';
import { Minus, Plus } from 'lucide-react';
import { memo } from 'react';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import './service-tile.css';

export const tileHeightPx = 152;
export const gapPx = 8;

interface ServiceTileProps {
  item: CatalogueItem;
  index: number;
  count: number;
  /** The grid positions tiles itself, because it renders only those in view. */
  topPx: number;
  column: number;
  columns: number;
  quantity: number;
  currency: string;
  /** True on the one tile that Tab reaches; arrow keys move the focus from there. */
  isTabStop: boolean;
  onAdd: (item: CatalogueItem) => void;
  onRemoveOne: (item: CatalogueItem) => void;
  /** Passed in, because a hook call in each tile would slow the grid down. */
  t: TFunction;
}

/** Every catalogue result creates new item objects; only tiles with different content render again. */
function haveSameContent(before: ServiceTileProps, after: ServiceTileProps): boolean {
  const { item, ...rest } = before;
  const keys = Object.keys(rest) as (keyof typeof rest)[];
  const { key, name, price_minor } = after.item;
  return (
    item.key === key &&
    item.name === name &&
    item.price_minor === price_minor &&
    keys.every((prop) => before[prop] === after[prop])
  );
}

export const ServiceTile = memo(function ServiceTile({
  item,
  index,
  count,
  topPx,
  column,
  columns,
  quantity,
  currency,
  isTabStop,
  onAdd,
  onRemoveOne,
  t,
}: ServiceTileProps) {
  const planned = quantity > 0;
  return (
    <li
      className="tile"
      data-planned={planned || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{
        height: tileHeightPx,
        transform: `translateY(${topPx}px)`,
        width: `calc((100% - ${gapPx * (columns - 1)}px) / ${columns})`,
        insetInlineStart: `calc((100% + ${gapPx}px) / ${columns} * ${column})`,
      }}
    >
      <button
        type="button"
        className="tile-face"
        data-tile={index}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={t(planned ? 'counter.services.more' : 'counter.services.add', { name: item.name })}
        title={item.name.length > 40 ? item.name : undefined}
        onClick={() => onAdd(item)}
      >
        <span className="tile-name">{item.name}</span>
        <span className="tile-price">{formatMinor(item.price_minor, currencyLabel(currency))}</span>
        <span className="tile-add" aria-hidden>
          <Plus size={20} />
          {planned ? null : t('counter.services.addShort')}
        </span>
      </button>
      {planned && (
        <div className="tile-count">
          <IconButton
            label={t(quantity === 1 ? 'counter.services.remove' : 'counter.services.less', { name: item.name })}
            tabIndex={isTabStop ? 0 : -1}
            onClick={() => onRemoveOne(item)}
          >
            <Minus />
          </IconButton>
          <span>{quantity}</span>
        </div>
      )}
    </li>
  );
}, haveSameContent);
