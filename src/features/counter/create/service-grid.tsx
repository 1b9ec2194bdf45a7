import { chakra } from '@chakra-ui/react';
import { memo, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { CatalogueItem } from '../../../db/database.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import { useCurrency } from '../../../device/use-clinic-settings.ts';
import { ServiceTile } from './service-tile.tsx';
import { useTileWindow } from './use-tile-window.ts';

export interface ServiceGridHandle {
  focusFirst: () => void;
  scrollToTop: () => void;
}

interface ServiceGridProps {
  items: CatalogueItem[];
  onAdd: (item: CatalogueItem) => void;
  onLess: (item: CatalogueItem) => void;
  /** Called when the last loaded tiles come into view. */
  onNearEnd: () => void;
  /** Up from the first row goes back to the search box. */
  onLeave: () => void;
  ref: Ref<ServiceGridHandle>;
}

/** The services as tiles. Only those in view exist, so ten thousand scroll like sixty. Arrow keys move between them. */
export const ServiceGrid = memo(function ServiceGrid({
  items,
  onAdd,
  onLess,
  onNearEnd,
  onLeave,
  ref,
}: ServiceGridProps) {
  const { t } = useTranslation();
  const { scroller, columns, from, to, heightPx, topOf, reveal, onScroll } = useTileWindow(items.length);
  const [reached, setReached] = useState(0);
  const wantsFocus = useRef<number | null>(null);
  const currency = useCurrency();
  const lines = usePlan((plan) => currentDraft(plan).lines);
  const reachable = Math.min(reached, items.length - 1);

  useEffect(() => {
    if (to === items.length) onNearEnd();
  }, [to, items.length, onNearEnd]);

  const takeFocus = useCallback(() => {
    if (wantsFocus.current === null) return;
    const tile = scroller.current?.querySelector<HTMLElement>(`[data-tile="${wantsFocus.current}"]`);
    if (!tile) return;
    wantsFocus.current = null;
    tile.focus({ preventScroll: true });
  }, [scroller]);
  // A tile that was out of view exists only after the scroll.
  useEffect(takeFocus);

  const focusTile = useCallback(
    (index: number) => {
      setReached(index);
      wantsFocus.current = index;
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
      scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
    }),
    [focusTile, items.length, scroller],
  );

  const press = useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const at = Number((event.target as HTMLElement).dataset['tile']);
      const item = items[at];
      if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
      const change = { '+': onAdd, '-': onLess }[event.key];
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
      if (change) change(item);
      else if (step === undefined) return;
      else if (at + step < 0) onLeave();
      else focusTile(Math.min(at + step, items.length - 1));
      event.preventDefault();
    },
    [items, columns, onAdd, onLess, onLeave, focusTile],
  );

  const quantities = new Map(lines.map(({ itemKey, quantity }) => [itemKey, quantity]));
  return (
    <chakra.div
      ref={scroller}
      onScroll={onScroll}
      flex="1"
      minHeight="0"
      // Always there, so that the tiles keep their width when a search leaves only a few.
      overflowY="scroll"
      overscrollBehavior="contain"
      mx="-4"
      ps="4"
      pt="1"
      css={{ scrollbarWidth: 'thin' }}
    >
      <chakra.ul
        aria-label={t('counter.services.label')}
        listStyleType="none"
        position="relative"
        style={{ height: heightPx }}
        // On the list, not on each tile: it changes with every answer, and the tiles do not.
        onKeyDown={press}
      >
        {items.slice(from, to).map((item, offset) => {
          const index = from + offset;
          return (
            <ServiceTile
              // By place, not by service: a search then rewrites the tiles in view instead of building new ones.
              key={index}
              item={item}
              index={index}
              count={items.length}
              topPx={topOf(index)}
              column={index % columns}
              columns={columns}
              quantity={quantities.get(item.key) ?? 0}
              currency={currency}
              reachable={index === reachable}
              onAdd={onAdd}
              onLess={onLess}
              t={t}
            />
          );
        })}
      </chakra.ul>
    </chakra.div>
  );
});
