import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { useTranslation } from 'react-i18next';
import { sumOf } from '../../../domain/drawer/report.ts';
import { db } from '../../local-data/database.ts';
import { useCurrency } from '../../local-data/use-clinic-settings.ts';
import { localDrawerReport } from '../../db/queries/drawers.ts';
import type { LocalDrawer } from '../../db/queries/drawers.ts';
import { useClinicFormats } from '../../formats/use-formats.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Difference } from './reconciliation-table.tsx';
import { ReportStatusBadge } from './report-status.tsx';

/** Lists the closed drawers whose reports this device can compute offline. */
export function RecentlyClosed({
  drawers,
  onReport,
}: {
  drawers: readonly LocalDrawer[];
  onReport: (drawerId: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Panel title={t('drawer.recent.title')}>
      {drawers.length === 0 ? (
        <chakra.p color="fg.muted" px="4" pb="4">
          {t('drawer.recent.empty')}
        </chakra.p>
      ) : (
        <chakra.ul listStyleType="none">
          {drawers.map(({ id }) => (
            <ClosedDrawer key={id} drawerId={id} onReport={() => onReport(id)} />
          ))}
        </chakra.ul>
      )}
    </Panel>
  );
}

function ClosedDrawer({ drawerId, onReport }: { drawerId: string; onReport: () => void }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const { dateTime } = useClinicFormats();
  const local = useLiveQuery(() => localDrawerReport(db, drawerId, Date.now()), [drawerId]);
  const close = local?.drawer.close;
  if (!local || !close) return null;
  const { drawer, report } = local;
  const time = dateTime(close.atMs);
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', md: 'minmax(0, 1fr) 8rem 8rem auto' }}
      alignItems="center"
      columnGap="4"
      rowGap="1"
      ps="4"
      pe="2"
      py="2"
      borderTopWidth="1px"
      borderColor="border"
    >
      <chakra.div minWidth="0">
        <chakra.p fontWeight="medium">{time}</chakra.p>
        <chakra.p fontSize="sm" color="fg.muted" truncate>
          {drawer.deviceCode} · {drawer.people[close.actorId] ?? t('drawer.report.unknown', { id: close.actorId })}
        </chakra.p>
      </chakra.div>
      <chakra.div textAlign="end" order={{ base: 2, md: 0 }}>
        {report.difference && <Difference minor={sumOf(report.difference)} currency={currency} />}
      </chakra.div>
      <chakra.div order={{ base: 1, md: 0 }}>
        <ReportStatusBadge {...report} />
      </chakra.div>
      <Button
        variant="quiet"
        aria-label={t('drawer.report.openOf', { time })}
        onClick={onReport}
        gridRow={{ base: '1', md: 'auto' }}
        gridColumn={{ base: '2', md: 'auto' }}
      >
        {t('drawer.report.open')}
      </Button>
    </chakra.li>
  );
}
