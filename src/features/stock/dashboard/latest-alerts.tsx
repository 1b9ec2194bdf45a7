import { chakra, Flex } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import { useLatestAlerts } from '#src/server-data/inventory.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { useStockTab } from '../use-stock-tab.ts';
import { EmptyNote, Rows, SkeletonRows } from '#src/ui/panel-rows.tsx';
import { PressableRow } from '../pressable-row.tsx';
import { useUnitName } from '#src/formats/use-unit-name.ts';

export const latestAlerts = 3;

/** Latest open alerts, each with a link to the alerts tab. */
export function LatestAlerts() {
  const { t } = useTranslation();
  const { openTab } = useStockTab();
  const alerts = useLatestAlerts(latestAlerts);
  const rows = alerts.value?.data;
  return (
    <Panel
      title={t('stock.dashboard.alerts')}
      action={
        <Button size="sm" variant="quiet" onClick={() => openTab('alerts')}>
          {t('stock.dashboard.viewAlerts')}
        </Button>
      }
    >
      <LoadError data={alerts} />
      {!rows && !alerts.fault && <SkeletonRows rows={latestAlerts} />}
      {rows?.length === 0 && <EmptyNote>{t('stock.dashboard.noAlerts')}</EmptyNote>}
      {rows && rows.length > 0 && (
        <Rows css={{ '& > li': { p: '0' } }}>
          {rows.map((alert) => (
            <li key={alert.id}>
              <AlertLine alert={alert} onOpen={() => openTab('alerts')} />
            </li>
          ))}
        </Rows>
      )}
    </Panel>
  );
}

function AlertLine({ alert, onOpen }: { alert: StockAlertResource; onOpen: () => void }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { Stock, alert_type, severity, current_quantity, threshold_quantity, lot, created_at } = alert;
  const unit = useUnitName()(Stock.unit);
  const text = lot
    ? t('stock.dashboard.expires', { lot: lot.lot_number, day: formats.day(lot.expires_on) })
    : t('stock.dashboard.level', {
        current: formats.quantity(current_quantity),
        threshold: formats.quantity(threshold_quantity),
        unit,
      });
  return (
    <PressableRow onClick={onOpen}>
      <chakra.span flex="1" minWidth="0">
        <chakra.span display="block" fontWeight="medium" truncate>
          {Stock.name}
        </chakra.span>
        <Flex as="span" wrap="wrap" columnGap="3" fontSize="sm" color="fg.muted">
          <span>{text}</span>
          <chakra.span whiteSpace="nowrap">{formats.date(created_at)}</chakra.span>
        </Flex>
      </chakra.span>
      <Badge tone={severity === 'high' ? 'refused' : 'low'}>{t(`stock.alertTypes.${alert_type}`)}</Badge>
      <Flex color="fg.muted" aria-hidden>
        <ChevronRight size={18} />
      </Flex>
    </PressableRow>
  );
}
