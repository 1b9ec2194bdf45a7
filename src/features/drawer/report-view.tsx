import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DrawerRow } from '../../../domain/drawer/resource.ts';
import type { DrawerReport, Sum } from '../../../domain/drawer/report.ts';
import { useCurrency } from '../../local-data/use-clinic-settings.ts';
import { MoneyText } from '../../formats/money.tsx';
import { useClinicFormats } from '../../formats/use-formats.ts';
import { ReconciliationTable } from './reconciliation-table.tsx';
import { Movements } from './movements.tsx';
import { OutstandingDevicesBanner, ReportStatusBadge } from './report-status.tsx';

/** Shows the Z report on the screen, with the figures of the printed one and their status. */
export function ReportView({ drawer, report }: { drawer: DrawerRow; report: DrawerReport }) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const { dateTime } = useClinicFormats();
  const { close, people } = drawer;
  const timeAndName = (atMs: number, id: number) =>
    t('drawer.report.byAt', { time: dateTime(atMs), name: people[id] ?? t('drawer.report.unknown', { id }) });
  return (
    <Flex direction="column" gap="5">
      <Flex direction={{ base: 'column', md: 'row' }} justify="space-between" align="flex-start" gap="3">
        <chakra.dl
          fontSize="sm"
          color="fg.muted"
          display="grid"
          gridTemplateColumns="auto 1fr"
          columnGap="3"
          rowGap="1"
        >
          <dt>{t('drawer.report.opened')}</dt>
          <dd>{timeAndName(drawer.openedAtMs, drawer.openedBy)}</dd>
          {close && (
            <>
              <dt>{t('drawer.report.closed')}</dt>
              <dd>{timeAndName(close.atMs, close.actorId)}</dd>
            </>
          )}
        </chakra.dl>
        <ReportStatusBadge {...report} />
      </Flex>
      <OutstandingDevicesBanner awaits={report.awaits} />
      <ReconciliationTable expected={report.expected} counted={report.counted} currency={currency} />
      <chakra.dl>
        <Line label={t('drawer.state.float')}>
          <MoneyText minor={drawer.floatMinor} currency={currency} />
        </Line>
        <SumLine label={t('drawer.report.sales')} sum={report.sales} currency={currency} isAlways />
        <SumLine label={t('drawer.report.refunds')} sum={report.refunds} currency={currency} />
        <SumLine
          label={t('drawer.report.discounts')}
          sum={{ ...report.discounts, amountMinor: -report.discounts.amountMinor }}
          currency={currency}
        />
        {report.invoices.map(({ first, last, count }) => (
          <Line key={first} label={`${t('drawer.report.invoices')} · ${count}`}>
            <chakra.span fontVariantNumeric="tabular-nums" textAlign="end">
              {first === last ? first : t('drawer.report.range', { first, last })}
            </chakra.span>
          </Line>
        ))}
      </chakra.dl>
      {report.movements.length > 0 && (
        <div>
          <chakra.h3 fontSize="sm" fontWeight="medium" color="fg.muted" pb="2">
            {t('drawer.state.movements')}
          </chakra.h3>
          <Movements movements={report.movements} people={people} currency={currency} />
        </div>
      )}
      {close?.notes && (
        <chakra.p fontSize="sm" whiteSpace="pre-wrap" overflowWrap="anywhere">
          <chakra.span color="fg.muted">{t('drawer.report.notes')}: </chakra.span>
          {close.notes}
        </chakra.p>
      )}
    </Flex>
  );
}

function SumLine({
  label,
  sum,
  currency,
  isAlways = false,
}: {
  label: string;
  sum: Sum;
  currency: string;
  isAlways?: boolean;
}) {
  if (sum.count === 0 && !isAlways) return null;
  return (
    <Line label={`${label} · ${sum.count}`}>
      <MoneyText minor={sum.amountMinor} currency={currency} />
    </Line>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Flex justify="space-between" gap="4" py="2" borderTopWidth="1px" borderColor="border">
      <chakra.dt color="fg.muted">{label}</chakra.dt>
      <dd>{children}</dd>
    </Flex>
  );
}
