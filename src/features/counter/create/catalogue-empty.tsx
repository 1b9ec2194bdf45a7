import { useLiveQuery } from 'dexie-react-hooks';
import { CloudDownload, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../device/database.ts';
import { syncRow } from '../../../db/singletons.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

/** Why there is no service to show: nothing matches, the first sync is under way, or nothing has arrived yet. */
export function CatalogueEmpty({ isSearching, onShowAll }: { isSearching: boolean; onShowAll: () => void }) {
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
