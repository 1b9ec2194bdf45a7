import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatAmount } from '#domain/money.ts';
import { sumOf } from '#domain/drawer/report.ts';
import { db } from '#src/local-data/database.ts';
import { localDrawerReport } from '#src/db/queries/drawers.ts';
import type { LocalDrawer } from '#src/db/queries/drawers.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Panel } from '#src/ui/panel.tsx';
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
  const { dateTime } = useClinicFormats();
  const local = useLiveQuery(() => localDrawerReport(db, drawerId, Date.now()), [drawerId]);
  const close = local?.drawer.close;
  if (!local || !close) return null;
  const { drawer, report } = local;
  const { currency } = drawer;
  const time = dateTime(close.atMs);
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns="minmax(0, 1fr) auto"
      alignItems="center"
      ps="4"
      pe="1"
      py="2"
      borderTopWidth="1px"
      borderColor="border"
      fontSize="sm"
      fontVariantNumeric="tabular-nums"
    >
      <div>
        <Flex align="center" columnGap="2" wrap="wrap">
          <chakra.span fontWeight="medium">{time}</chakra.span>
          <chakra.span color="fg.muted" overflowWrap="anywhere">
            {drawer.deviceCode} · {drawer.people[close.actorId] ?? t('drawer.report.unknown', { id: close.actorId })}
          </chakra.span>
          {!report.isFinal && <ReportStatusBadge {...report} />}
        </Flex>
        <chakra.dl display="grid" gridTemplateColumns="1.4fr 1fr 1fr" columnGap="3" mt="1">
          {/* The currency stands once: three amounts with it are wider than a phone. */}
          <Figure name={`${t('drawer.report.expected')} · ${currencyLabel(currency)}`}>
            {formatAmount(sumOf(report.expected))}
          </Figure>
          <Figure name={t('drawer.report.counted')}>{formatAmount(sumOf(close.counted))}</Figure>
          <Figure name={t('drawer.report.difference')}>
            {report.difference && <Difference minor={sumOf(report.difference)} />}
          </Figure>
        </chakra.dl>
      </div>
      <IconButton label={t('drawer.report.openOf', { time })} onClick={onReport}>
        <ChevronRight />
      </IconButton>
    </chakra.li>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd whiteSpace="nowrap" css={{ '& > *': { justifyContent: 'flex-start' } }}>
        {children}
      </chakra.dd>
    </div>
  );
}
