import { useTranslation } from 'react-i18next';
import type { Analytics } from '../../../../domain/report/resources.ts';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import { useMoney } from '../../../formats/use-money.ts';
import { Panel } from '../../../ui/panel.tsx';
import { RankedRows } from '../../../ui/ranked-rows.tsx';

/** What each type of treatment brought in, and its share of all. */
export function SalesByType({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <Panel title={t('reports.byType.title')}>
      <RankedRows
        rows={analytics?.byType.map(({ type, count, revenue, share }) => ({
          key: type,
          name: t(`counter.types.${type}`),
          value: money(revenue),
          notes: [t('reports.orderCount', { count }), formats.percent(share)],
          share: share / 100,
        }))}
        empty={t('reports.byType.empty')}
      />
    </Panel>
  );
}

/** What sold best; the line of each is as long as it sold against the first. */
export function TopProducts({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const most = analytics?.topProducts[0]?.revenue ?? 0;
  return (
    <Panel title={t('reports.top.title')}>
      <RankedRows
        rows={analytics?.topProducts.map(({ name, quantity, revenue }, place) => ({
          // Two items may have one name.
          key: String(place),
          name,
          value: money(revenue),
          notes: [t('reports.top.sold', { quantity: formats.quantity(quantity) }), ''],
          share: most > 0 ? revenue / most : 0,
        }))}
        empty={t('reports.top.empty')}
      />
    </Panel>
  );
}
