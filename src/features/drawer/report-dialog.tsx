import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import type { DrawerReport, OtherTakings, Sum } from '#domain/drawer/report.ts';
import { currencyLabel } from '#domain/money.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { taxTotalToWire } from '#domain/tax/wire.ts';
import { localDrawerReport } from '#src/db/queries/drawers.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useTaxRows } from '#src/formats/use-tax-rows.ts';
import { db } from '#src/local-data/database.ts';
import { openPrintTarget } from '#src/printing/print-target.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { SummaryRows } from '#src/ui/summary-rows.tsx';
import { DifferencePicture } from './difference-picture.tsx';
import { Movements } from './movements.tsx';
import { ReconciliationTable } from './reconciliation-table.tsx';
import { OutstandingDevicesBanner, ReportStatusBadge } from './report-status.tsx';
import { useReportPrinter } from './use-report-printer.ts';

interface ShownReport {
  drawer: DrawerRow;
  report: DrawerReport;
  /** False for an old drawer, because this device no longer keeps all of its payments. */
  isComplete: boolean;
}

/** Shows the report of a drawer as this device knows it, and updates it while data arrives. */
export function LiveReportDialog({ drawerId, onClose }: { drawerId: string; onClose: () => void }) {
  const shown = useLiveQuery(() => localDrawerReport(db, drawerId, Date.now()), [drawerId]);
  return <ReportDialog shown={shown ?? null} onClose={onClose} />;
}

export function ReportDialog({ shown, onClose }: { shown: ShownReport | null; onClose: () => void }) {
  const { t } = useTranslation();
  const printReport = useReportPrinter();
  return (
    <Dialog
      open={shown !== null}
      onClose={onClose}
      title={t('drawer.report.title')}
      width="38rem"
      actions={
        <>
          <Button onClick={() => shown && void printReport(openPrintTarget(), shown.drawer, shown.report)}>
            <Printer />
            {t('drawer.report.print')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('drawer.report.dismiss')}
          </Button>
        </>
      }
    >
      {shown && !shown.isComplete && <Banner tone="due">{t('drawer.report.notWhole')}</Banner>}
      {shown && <ReportView {...shown} />}
    </Dialog>
  );
}

function ReportView({ drawer, report }: { drawer: DrawerRow; report: DrawerReport }) {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const taxRows = useTaxRows();
  const { close, people, currency } = drawer;
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
      {report.counted && <DifferencePicture expected={report.expected} counted={report.counted} currency={currency} />}
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
            <chakra.span textAlign="end">
              {first === last ? first : t('drawer.report.range', { first, last })}
            </chakra.span>
          </Line>
        ))}
      </chakra.dl>
      {report.others?.map((other) => (
        <Others key={other.currency} {...other} />
      ))}
      {report.taxes && (
        <div>
          <chakra.h3 fontSize="sm" fontWeight="medium" color="fg.muted" pb="2">
            {t('tax.report.title')}
          </chakra.h3>
          <SummaryRows rows={taxRows(report.taxes.map(taxTotalToWire))} />
        </div>
      )}
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

/** What was taken in another currency. It is in the drawer, but in none of the sums. */
function Others({ currency, sales, refunds, taken }: OtherTakings) {
  const { t } = useTranslation();
  return (
    <div>
      <chakra.h3 fontSize="sm" fontWeight="medium" color="fg.muted" pb="2">
        {t('drawer.report.others', { currency: currencyLabel(currency) })}
      </chakra.h3>
      <chakra.dl>
        <SumLine label={t('drawer.report.sales')} sum={sales} currency={currency} isAlways />
        <SumLine label={t('drawer.report.refunds')} sum={refunds} currency={currency} />
        {paymentMethods
          .filter((method) => taken[method] !== 0)
          .map((method) => (
            <Line key={method} label={t(`counter.methods.${method}`)}>
              <MoneyText minor={taken[method]} currency={currency} />
            </Line>
          ))}
      </chakra.dl>
    </div>
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
