import { useTranslation } from 'react-i18next';
import type { StockStats } from '../../../../domain/stock/resources.ts';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import { useMoney } from '../../../formats/use-money.ts';
import { Panel } from '../../../ui/panel.tsx';
import { RankedRows } from '../../../ui/ranked-rows.tsx';

/** What the server calls the items whose supplier nobody entered. */
const unnamed = 'Unknown';

/** The suppliers with the most value on the shelf, each with its share as a line. */
export function TopSuppliers({ suppliers }: { suppliers: StockStats['topSuppliers'] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <Panel title={t('stock.dashboard.suppliers')}>
      <RankedRows
        rows={suppliers?.map(({ supplier, count, value, percent }) => ({
          key: supplier,
          name: supplier === unnamed ? t('stock.dashboard.unnamedSupplier') : supplier,
          value: money(value),
          notes: [t('stock.dashboard.items', { count }), formats.percent(percent)],
          share: percent / 100,
        }))}
        empty={t('stock.dashboard.noSuppliers')}
      />
    </Panel>
  );
}
