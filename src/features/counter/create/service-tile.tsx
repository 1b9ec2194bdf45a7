import type { TFunction } from 'i18next';
import { Minus } from 'lucide-react';
import { memo } from 'react';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import './service-tile.css';

export const tileHeightPx = 112;
export const gapPx = 8;

interface ServiceTileProps {
  item: CatalogueItem;
  /** The colour of the item's category. */
  color: string | undefined;
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
  const { key, name, price_minor, image_url } = after.item;
  return (
    item.key === key &&
    item.name === name &&
    item.price_minor === price_minor &&
    item.image_url === image_url &&
    keys.every((prop) => before[prop] === after[prop])
  );
}

export const ServiceTile = memo(function ServiceTile({
  item,
  color,
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
  const { name, image_url } = item;
  const less = planned ? t(quantity === 1 ? 'counter.services.remove' : 'counter.services.less', { name }) : '';
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
        borderInlineStartColor: color,
      }}
    >
      <button
        type="button"
        className="tile-face"
        data-tile={index}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={t(planned ? 'counter.services.more' : 'counter.services.add', { name })}
        title={name.length > 40 ? name : undefined}
        onClick={() => onAdd(item)}
      >
        <span className="tile-name">{name}</span>
        <span className="tile-price">{formatMinor(item.price_minor, currencyLabel(currency))}</span>
        {image_url && (
          // A picture that fails to load is invisible: its alternative text is empty.
          <img key={image_url} className="tile-picture" src={image_url} alt="" decoding="async" draggable={false} />
        )}
      </button>
      {planned && (
        <>
          <span className="tile-count" aria-hidden>
            {quantity}
          </span>
          <button
            type="button"
            className="tile-less"
            aria-label={less}
            title={less}
            tabIndex={isTabStop ? 0 : -1}
            onClick={() => onRemoveOne(item)}
          >
            <Minus size={20} />
          </button>
        </>
      )}
    </li>
  );
}, haveSameContent);
