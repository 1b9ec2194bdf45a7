import { Minus, Plus } from 'lucide-react';
import { memo } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

export const tileHeightPx = 152;
export const gapPx = 8;

/**
 * The look of all tiles, set once on the grid: tiles come and go with every key of a search, and plain elements cost a
 * fraction of styled ones.
 */
export const tileStyles = {
  '& .tile': {
    position: 'absolute',
    top: 0,
    display: 'flex',
    flexDirection: 'column',
    height: `${tileHeightPx}px`,
    bg: 'bg.surface',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'md',
  },
  '& .tile[data-planned]': { bg: 'accent.subtle', borderColor: 'accent.border' },
  '& .tile-face': {
    display: 'flex',
    flexDirection: 'column',
    flex: 1,
    minHeight: 0,
    paddingTop: '2.5',
    borderRadius: 'md',
    textAlign: 'start',
    fontSize: 'sm',
    lineHeight: 1.3,
    cursor: 'pointer',
  },
  '& .tile:not([data-planned]) .tile-face:hover': { bg: 'bg.hover' },
  '& .tile-face:active': { bg: 'accent.subtle' },
  '& .tile-face:focus-visible': { outlineOffset: '-3px' },
  '& .tile-name': { lineClamp: 3, overflowWrap: 'anywhere', marginInline: '3', fontWeight: 'medium' },
  '& .tile-price': { marginTop: 'auto', marginInline: '3', color: 'fg.muted', fontVariantNumeric: 'tabular-nums' },
  '& .tile-add': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1',
    height: '12',
    marginTop: '2',
    paddingInline: '3.5',
    borderTopWidth: '1px',
    borderColor: 'border',
    color: 'accent.fg',
    fontWeight: 'medium',
  },
  '& .tile[data-planned] .tile-add': { justifyContent: 'flex-end', borderColor: 'accent.border' },
  '& .tile-count': {
    position: 'absolute',
    insetStart: 0,
    bottom: 0,
    display: 'flex',
    alignItems: 'center',
    width: 'calc(100% - 3rem)',
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
    pointerEvents: 'none',
  },
  '& .tile-count > button': { pointerEvents: 'auto', color: 'accent.fg' },
  '& .tile-count > span': { flex: 1, textAlign: 'center' },
} as const;

interface ServiceTileProps {
  item: CatalogueItem;
  index: number;
  count: number;
  /** Where it stands: the grid lays out only what is in view. */
  topPx: number;
  column: number;
  columns: number;
  quantity: number;
  currency: string;
  /** The one tile that Tab reaches; arrow keys move on from there. */
  reachable: boolean;
  onAdd: (item: CatalogueItem) => void;
  onLess: (item: CatalogueItem) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A service. Its whole face adds one; once it is in the plan, a minus takes one away. Its parts never change place. */
export const ServiceTile = memo(function ServiceTile({
  item,
  index,
  count,
  topPx,
  column,
  columns,
  quantity,
  currency,
  reachable,
  onAdd,
  onLess,
  onKeyDown,
}: ServiceTileProps) {
  const { t } = useTranslation();
  const planned = quantity > 0;
  return (
    <li
      className="tile"
      data-planned={planned || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{
        transform: `translateY(${topPx}px)`,
        width: `calc((100% - ${gapPx * (columns - 1)}px) / ${columns})`,
        insetInlineStart: `calc((100% + ${gapPx}px) / ${columns} * ${column})`,
      }}
    >
      <button
        type="button"
        className="tile-face"
        data-tile={index}
        tabIndex={reachable ? 0 : -1}
        aria-label={t(planned ? 'counter.services.more' : 'counter.services.add', { name: item.name })}
        title={item.name.length > 40 ? item.name : undefined}
        onClick={() => onAdd(item)}
        onKeyDown={onKeyDown}
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
            tabIndex={reachable ? 0 : -1}
            onClick={() => onLess(item)}
          >
            <Minus />
          </IconButton>
          <span>{quantity}</span>
        </div>
      )}
    </li>
  );
});
