import { Minus } from 'lucide-react';
import { memo } from 'react';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { classes } from '#src/ui/classes.ts';
import text from '#src/ui/text.module.css';
import styles from './service-tile.module.css';

/** The words of a tile before and after the service's name. */
export type TileLabels = Record<'add' | 'more' | 'less' | 'remove', string[]>;

interface ServiceTileProps {
  item: CatalogueItem;
  /** The colour of the item's category. */
  color: string | undefined;
  index: number;
  count: number;
  quantity: number;
  currency: string;
  /** True on the one tile that Tab reaches; arrow keys move the focus from there. */
  isTabStop: boolean;
  onAdd: (item: CatalogueItem) => void;
  onRemoveOne: (item: CatalogueItem) => void;
  labels: TileLabels;
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
  quantity,
  currency,
  isTabStop,
  onAdd,
  onRemoveOne,
  labels,
}: ServiceTileProps) {
  const planned = quantity > 0;
  const { name, image_url } = item;
  const less = (quantity === 1 ? labels.remove : labels.less).join(name);
  return (
    <li
      className={styles['tile']}
      data-planned={planned || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ borderInlineStartColor: color }}
    >
      <button
        type="button"
        className={styles['face']}
        data-tile={index}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={(planned ? labels.more : labels.add).join(name)}
        title={name.length > 40 ? name : undefined}
        onClick={() => onAdd(item)}
      >
        <span className={classes(text['clamp'], styles['name'])}>{name}</span>
        <span className={styles['price']}>{formatMinor(item.price_minor, currencyLabel(currency))}</span>
        {image_url && (
          // Browsers mark a picture that fails to load, because it has a size. One with another address is a new element.
          <img
            key={image_url}
            className={styles['picture']}
            src={image_url}
            alt=""
            decoding="async"
            draggable={false}
            onError={({ currentTarget }) => (currentTarget.hidden = true)}
          />
        )}
      </button>
      {planned && (
        <>
          <span className={styles['count']} aria-hidden>
            {quantity}
          </span>
          <button
            type="button"
            className={styles['less']}
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
