import { memo, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueItem } from '#src/db/database.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import styles from './service-grid.module.css';
import { ServiceTile } from './service-tile.tsx';
import type { TileLabels } from './service-tile.tsx';
import { useTileWindow } from './use-tile-window.ts';

export interface ServiceGridHandle {
  focusFirst: () => void;
  scrollToTop: () => void;
}

interface ServiceGridProps {
  items: CatalogueItem[];
  /** The colours of the categories. */
  colors: ReadonlyMap<number, string>;
  onAdd: (item: CatalogueItem) => void;
  onRemoveOne: (item: CatalogueItem) => void;
  /** Called when the last loaded tiles come into view. */
  onNearEnd: () => void;
  /** Called by the up arrow in the first row. */
  onLeave: () => void;
  ref: Ref<ServiceGridHandle>;
}

/** Stands for the name in a label that is translated once for all tiles. */
const namePlace = '\u0000';

/** Shows services as tiles, of which only those in view are rendered. Arrow keys move between them. */
export const ServiceGrid = memo(function ServiceGrid({
  items,
  colors,
  onAdd,
  onRemoveOne,
  onNearEnd,
  onLeave,
  ref,
}: ServiceGridProps) {
  const { t } = useTranslation();
  const { scroller, columns, from, to, topPx, heightPx, reveal, scrollToTop, onScroll } = useTileWindow(items.length);
  const [focusIndex, setFocusIndex] = useState(0);
  const pendingFocus = useRef<number | null>(null);
  const currency = useCurrency();
  const lines = usePlan((plan) => currentDraft(plan).lines);
  const tabStop = Math.min(focusIndex, items.length - 1);

  useEffect(() => {
    if (to === items.length) onNearEnd();
  }, [to, items.length, onNearEnd]);

  const takeFocus = useCallback(() => {
    if (pendingFocus.current === null) return;
    const tile = scroller.current?.querySelector<HTMLElement>(`[data-tile="${pendingFocus.current}"]`);
    if (!tile) return;
    pendingFocus.current = null;
    tile.focus({ preventScroll: true });
  }, [scroller]);
  // A tile that was out of view is rendered only after the scroll.
  useEffect(takeFocus);

  const focusTile = useCallback(
    (index: number) => {
      setFocusIndex(index);
      pendingFocus.current = index;
      reveal(index);
      takeFocus();
    },
    [reveal, takeFocus],
  );

  useImperativeHandle(
    ref,
    () => ({
      focusFirst: () => {
        if (items.length > 0) focusTile(0);
      },
      scrollToTop,
    }),
    [focusTile, items.length, scrollToTop],
  );

  const press = useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const index = Number((event.target as HTMLElement).dataset['tile']);
      const item = items[index];
      if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
      const change = { '+': onAdd, '-': onRemoveOne }[event.key];
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
      if (change) change(item);
      else if (step === undefined) return;
      else if (index + step < 0) onLeave();
      else focusTile(Math.min(index + step, items.length - 1));
      event.preventDefault();
    },
    [items, columns, onAdd, onRemoveOne, onLeave, focusTile],
  );

  // Translating a label per tile would take as long as rendering the tile.
  const labels = useMemo(
    (): TileLabels => ({
      add: t('counter.services.add', { name: namePlace }).split(namePlace),
      more: t('counter.services.more', { name: namePlace }).split(namePlace),
      less: t('counter.services.less', { name: namePlace }).split(namePlace),
      remove: t('counter.services.remove', { name: namePlace }).split(namePlace),
    }),
    [t],
  );
  const quantities = new Map(lines.map(({ itemKey, quantity }) => [itemKey, quantity]));
  return (
    <div ref={scroller} onScroll={onScroll} className={styles['scroller']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys go to the tiles, which are buttons. */}
      <ul
        className={styles['tiles']}
        aria-label={t('counter.services.label')}
        style={{ height: heightPx, paddingTop: topPx }}
        // The handler changes with every result. On each tile it would render all of them again.
        onKeyDown={press}
      >
        {items.slice(from, to).map((item, offset) => {
          const index = from + offset;
          return (
            <ServiceTile
              // The index as key: a search then updates the tiles in view instead of mounting new ones.
              key={index}
              item={item}
              color={colors.get(item.category_id)}
              index={index}
              count={items.length}
              quantity={quantities.get(item.key) ?? 0}
              currency={currency}
              isTabStop={index === tabStop}
              onAdd={onAdd}
              onRemoveOne={onRemoveOne}
              labels={labels}
            />
          );
        })}
      </ul>
    </div>
  );
});
