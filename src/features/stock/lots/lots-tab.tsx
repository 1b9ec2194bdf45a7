import { PackageSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RecalledLot } from '#domain/stock/resources.ts';
import { useLotRecipients, useLots } from '#src/server-data/inventory.ts';
import { oneOf } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { LotRecall } from './lot-recall.tsx';
import { useLotViews } from './lot-views.tsx';

const filters = { expiry: oneOf(['any', 'soon']) };

/** Lots of supplies. Searching for a lot number also lists its recipients, for a recall by the manufacturer. */
export function LotsTab() {
  const { t } = useTranslation();
  const list = useList({ name: 'lots', filters });
  const { settledSearch: search } = list;
  const lots = useLots(list);
  const recall = useLotRecipients(search);
  const isSearchedLot = (lot: RecalledLot) => lot.lot_number.toLowerCase() === search.toLowerCase();
  const noMatch = search ? 'noMatch' : 'noneExpiring';
  return (
    <ListScreen
      label={t('purchasing.tabs.lots')}
      icon={<PackageSearch />}
      list={list}
      data={lots}
      rows={lots.value?.data}
      total={lots.value?.pagination.total}
      rowKey={({ id }) => id}
      nameOf={({ lot_number }) => lot_number}
      {...useLotViews({ onRecall: ({ lot_number }) => list.setSearch(lot_number) })}
      search={t('stock.lots.search')}
      filters={[
        {
          name: 'expiry',
          label: t('stock.lots.expiring'),
          options: [
            { value: 'any', label: t('stock.lots.anyExpiry') },
            { value: 'soon', label: t('stock.lots.expiringOnly') },
          ],
        },
      ]}
      above={recall.value?.data.filter(isSearchedLot).map((lot) => (
        <LotRecall key={lot.id} lot={lot} />
      ))}
      noMatch={{ title: t(`stock.lots.${noMatch}`), text: t(`stock.lots.${noMatch}Text`) }}
      empty={{ title: t('stock.lots.empty'), text: t('stock.lots.emptyText') }}
    />
  );
}
