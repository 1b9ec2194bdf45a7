import { useLiveQuery } from '#src/local-data/live.ts';
import { CloudDownload, SearchX } from 'lucide-react';
import { useCallback, useRef } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { syncRow } from '#src/db/singletons.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { trackAddition } from '../pending-additions.ts';
import { currentDraft, usePlan } from '../plan-store.ts';
import type { Search } from './catalogue-search.ts';
import styles from './catalogue.module.css';
import { CategoryChips } from './category-chips.tsx';
import { SearchBox } from './search-box.tsx';
import { ServiceGrid } from './service-grid.tsx';
import type { ServiceGridHandle } from './service-grid.tsx';
import { useCatalogueSearch } from './use-catalogue-search.ts';
import { useRemoveLine } from './use-remove-line.ts';

const nothing: CatalogueItem[] = [];
const add = (item: CatalogueItem): void => usePlan.getState().addService(item);

export function Catalogue({ searchRef }: { searchRef: RefObject<HTMLInputElement | null> }) {
  const { text, category, categories, colors, hasFavourites, items, show, loadMore, findFirst } = useCatalogueSearch();
  const grid = useRef<ServiceGridHandle>(null);
  const removeLine = useRemoveLine();

  const removeOne = useCallback(
    ({ key, name }: CatalogueItem) => {
      const plan = usePlan.getState();
      const line = currentDraft(plan).lines.find(({ itemKey }) => itemKey === key);
      if (!line) return;
      if (line.quantity > 1) plan.setQuantity(key, line.quantity - 1);
      else removeLine(key, name);
    },
    [removeLine],
  );
  const search = useCallback(
    (changes: Parameters<typeof show>[0]) => {
      show(changes);
      grid.current?.scrollToTop();
    },
    [show],
  );
  const choose = useCallback((chosen: Search['category']) => search({ category: chosen }), [search]);
  const leaveGrid = useCallback(() => searchRef.current?.focus(), [searchRef]);

  async function addFirst() {
    const first = await findFirst(searchRef.current?.value ?? '');
    if (!first) return;
    add(first);
    // Selected text is replaced by the next name that is typed.
    searchRef.current?.select();
  }

  return (
    <div className={styles['catalogue']}>
      <SearchBox
        ref={searchRef}
        text={text}
        onChange={(typed) => search({ text: typed })}
        onAddFirst={() => trackAddition(addFirst())}
        onEnterGrid={() => grid.current?.focusFirst()}
      />
      <CategoryChips categories={categories} chosen={category} hasFavourites={hasFavourites} onChoose={choose} />
      {items?.length === 0 ? (
        <CatalogueEmpty
          isSearching={text.trim() !== '' || category !== null}
          onShowAll={() => search({ text: '', category: null })}
        />
      ) : (
        <ServiceGrid
          ref={grid}
          items={items ?? nothing}
          colors={colors}
          onAdd={add}
          onRemoveOne={removeOne}
          onNearEnd={loadMore}
          onLeave={leaveGrid}
        />
      )}
    </div>
  );
}

/** Explains an empty grid: no match, a first sync still in progress, or no services yet. */
function CatalogueEmpty({ isSearching, onShowAll }: { isSearching: boolean; onShowAll: () => void }) {
  const { t } = useTranslation();
  const received = useLiveQuery(async () => (await syncRow(db)).first_sync_rows, []);
  if (isSearching) {
    return (
      <EmptyState icon={<SearchX />} title={t('counter.services.noMatch')} text={t('counter.services.noMatchText')}>
        <Button onClick={onShowAll}>{t('counter.services.showAll')}</Button>
      </EmptyState>
    );
  }
  if (typeof received === 'number') {
    return (
      <output>
        <EmptyState
          icon={<CloudDownload />}
          title={t('counter.services.firstSync')}
          text={t('counter.services.firstSyncText', { count: received })}
        />
      </output>
    );
  }
  return (
    <EmptyState icon={<CloudDownload />} title={t('counter.services.none')} text={t('counter.services.noneText')} />
  );
}
