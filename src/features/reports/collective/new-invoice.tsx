import { chakra, Flex } from '@chakra-ui/react';
import { FileSearch } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { businessDay } from '#domain/business-day.ts';
import { percentForm, readDecimal } from '#domain/decimal.ts';
import { formatMinor, currencyLabel, minorFromWire } from '#domain/money.ts';
import { maxCollected } from '#domain/order/collective.ts';
import type { CollectiveInvoice } from '#domain/order/collective.ts';
import { isRetentionPercentage } from '#domain/order/retention.ts';
import { invoiceDueOn } from '#domain/report/uninvoiced.ts';
import { searchKey } from '#domain/search-key.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { callServer } from '#src/api/client.ts';
import { useMinute } from '#src/formats/clock.ts';
import { unbroken } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { MonthField, monthsBefore } from '#src/forms/month-field.tsx';
import { useMustNotInvoice } from '#src/invoice/use-must-not-invoice.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { useBillable } from '#src/server-data/collective.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { BillableList } from './billable-list.tsx';
import { PayerField } from './payer-field.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import type { CollectiveRequest } from './preview-dialog.tsx';

/** Chooses a payer and treatments of a month, and shows their invoice before it is issued. */
export function NewInvoice() {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const { time_zone: timeZone, currency } = useClinicSettings();
  const today = businessDay(useMinute(), timeZone);
  const [picked, setPicked] = useState<string | null>(null);
  // The invoice of a month is due in the next one. Where that is done, the current month has what is to be billed.
  const [thisMonth, lastMonth] = monthsBefore(today.slice(0, 7), 2) as [string, string];
  const isLastDone = useBillable(lastMonth).value?.data.length === 0;
  const month = picked ?? (isLastDone ? thisMonth : lastMonth);
  const [payer, setPayer] = useState<Recipient | null>(null);
  const [retention, setRetention] = useState('');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isSubmitted, setSubmitted] = useState(false);
  const [previewed, setPreviewed] = useState<{ request: CollectiveRequest; document: CollectiveInvoice } | null>(null);
  const found = useBillable(month);
  const treatments = found.value?.data;
  const wanted = searchKey(search.trim());
  const shown = treatments?.filter(({ number, customer }) => searchKey(`${number} ${customer}`).includes(wanted));
  const selected = treatments?.filter(({ order_id }) => chosen.has(order_id)) ?? [];
  const sumMinor = selected.reduce((sum, { owed, invoiced }) => sum + minorFromWire(owed) - minorFromWire(invoiced), 0);
  const read = readDecimal(retention, percentForm);
  const percentage = read.scaled == null ? undefined : read.scaled / 100;
  const isRetentionWrong = read.fault !== undefined || (percentage !== undefined && !isRetentionPercentage(percentage));
  const isStopped = useMustNotInvoice();
  const isAnyBillable = found.value === undefined || found.value.data.length > 0;
  const isLate = today > invoiceDueOn(`${month}-01`);

  const preview = useServerCall(
    async (request: CollectiveRequest) => {
      const { data } = await callServer<{ data: CollectiveInvoice }>('post', 'collective-invoices/preview', request);
      setPreviewed({ request, document: data });
    },
    { isQuestion: true, refreshes: [], failed: t('reports.collective.previewFailed') },
  );

  function submit() {
    setSubmitted(true);
    if (!payer || isRetentionWrong || selected.length === 0) return;
    void preview.run({
      order_ids: selected.map(({ order_id }) => order_id),
      recipient: payer,
      ...(percentage !== undefined && { retention_percentage: percentage }),
    });
  }

  const mark = (ids: readonly string[], isMarked: boolean) => {
    const next = new Set(chosen);
    for (const id of ids)
      if (isMarked) next.add(id);
      else next.delete(id);
    setChosen(next);
  };
  return (
    <chakra.section aria-labelledby="collective-new" minWidth="0">
      <chakra.h3 id="collective-new" fontWeight="semibold" pb="2">
        {t('reports.collective.new')}
      </chakra.h3>
      <Flex direction="column" gap="3" minWidth="0">
        {isStopped && <Banner tone="refused">{t('errors.VERIFACTU_REQUIRED')}</Banner>}
        <chakra.div
          display="grid"
          gap="3"
          alignItems="start"
          gridTemplateColumns={{
            base: 'minmax(0, 1fr)',
            md: 'minmax(0, 1fr) minmax(0, 1fr)',
            lg: 'minmax(0, 1fr) 13.5rem 13.5rem',
          }}
        >
          <chakra.div gridColumn={{ md: '1 / -1', lg: 'auto' }} minWidth="0">
            <PayerField
              payer={payer}
              error={isSubmitted && !payer ? t('problems.REQUIRED') : undefined}
              onChange={setPayer}
            />
          </chakra.div>
          <MonthField
            label={t('reports.collective.month')}
            value={month}
            onMonth={(next) => {
              setPicked(next);
              setChosen(new Set());
            }}
          />
          <TextField
            label={t('reports.collective.retention')}
            hint={t('reports.collective.retentionHint')}
            error={isRetentionWrong ? t('errors.RETENTION_INVALID') : undefined}
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            value={retention}
            onChange={({ target }) => setRetention(target.value)}
          />
        </chakra.div>
        <chakra.p fontSize="sm" color={isLate ? 'due.fg' : 'fg.muted'} hidden={!isAnyBillable}>
          {t(isLate ? 'reports.collective.late' : 'reports.collective.issueBy', {
            day: day(invoiceDueOn(`${month}-01`)),
          })}
        </chakra.p>
        <BillableList found={found} rows={shown} search={search} onSearch={setSearch} chosen={chosen} onMark={mark} />
        {selected.length > maxCollected && (
          <Banner tone="due" title={t('reports.collective.tooMany', { count: maxCollected })} />
        )}
        {/* In view below a long list. Where nothing can be chosen there is nothing to look at either. */}
        <Flex
          gap="4"
          align="center"
          justify="flex-end"
          hidden={!isAnyBillable}
          position="sticky"
          bottom="0"
          zIndex="docked"
          mx="calc(-1 * var(--bleed))"
          px="var(--bleed)"
          py="2"
          bg="bg"
          borderTopWidth="1px"
          borderColor="border"
        >
          <chakra.p fontVariantNumeric="tabular-nums" aria-live="polite" fontWeight="medium">
            {isSubmitted && selected.length === 0
              ? t('reports.collective.chooseSome')
              : t('reports.collective.selected', {
                  count: selected.length,
                  amount: unbroken(formatMinor(sumMinor, currencyLabel(currency))),
                })}
          </chakra.p>
          <Button
            variant={selected.length > 0 ? 'primary' : 'secondary'}
            disabled={preview.isRunning || isStopped || selected.length > maxCollected}
            onClick={submit}
          >
            <FileSearch />
            {t('reports.collective.preview')}
          </Button>
        </Flex>
      </Flex>
      {previewed && (
        <PreviewDialog
          {...previewed}
          onIssued={() => {
            setPreviewed(null);
            setChosen(new Set());
            setSubmitted(false);
          }}
          onClose={() => setPreviewed(null)}
        />
      )}
    </chakra.section>
  );
}
