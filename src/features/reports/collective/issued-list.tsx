import { chakra, Flex } from '@chakra-ui/react';
import { HandCoins, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { CollectiveInvoice, ListedCollective } from '#domain/order/collective.ts';
import { CallFailed, api, faultOf } from '#src/api/client.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Pagination } from '#src/lists/pagination.tsx';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { openPrintTarget } from '#src/printing/print-target.ts';
import { useCollectiveInvoices } from '#src/server-data/collective.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import type { Column } from '#src/ui/columns.ts';
import { DataTable } from '#src/ui/data-table.tsx';
import { desk, oneLineAtDesk } from '#src/ui/desk.ts';
import { toast } from '#src/ui/toaster.tsx';
import { contentOf } from './content.ts';
import { PaymentDialog } from './payment-dialog.tsx';

const pageSize = 20;

/** The issued invoices, with what their treatments still owe. */
export function IssuedList() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [paying, setPaying] = useState<ListedCollective | null>(null);
  const list = useCollectiveInvoices({ page, size: pageSize });
  const views = useViews(setPaying);
  return (
    <chakra.section aria-labelledby="collective-issued" minWidth="0">
      <chakra.h3 id="collective-issued" fontWeight="semibold" pb="2">
        {t('reports.collective.issuedTitle')}
      </chakra.h3>
      <Flex direction="column" gap="4" minWidth="0">
        {list.fault ? (
          <LoadError data={list} />
        ) : (
          <DataTable
            label={t('reports.collective.issuedTitle')}
            {...views}
            tableFrom={56}
            rows={list.value?.data}
            rowKey={({ invoice_id }) => invoice_id}
            skeletonRows={2}
            empty={<chakra.p color="fg.muted">{t('reports.collective.noneIssued')}</chakra.p>}
          />
        )}
        {list.value && <Pagination page={page} size={pageSize} total={list.value.pagination.total} onPage={setPage} />}
      </Flex>
      {paying && <PaymentDialog invoice={paying} onClose={() => setPaying(null)} />}
    </chakra.section>
  );
}

function useViews(onPay: (invoice: ListedCollective) => void) {
  const { t } = useTranslation();
  const { date } = useClinicFormats();
  const settings = useClinicSettings();
  const money = (wire: number, currency: string) => formatMinor(minorFromWire(wire), currencyLabel(currency));
  const head = (column: 'number' | 'issued' | 'payer' | 'treatments' | 'amount' | 'state') =>
    t(`reports.collective.columns.${column}`);

  /** The target is opened within the tap, before the document is there. */
  async function print({ invoice_id }: ListedCollective): Promise<void> {
    const target = openPrintTarget();
    try {
      const { data } = await api.get(`collective-invoices/${invoice_id}`).json<{ data: CollectiveInvoice }>();
      await target.print(contentOf(data, settings, ''), { closes: settings.auto_print_receipts });
    } catch (thrown) {
      target.discard();
      const { code } = thrown instanceof CallFailed ? thrown.fault : await faultOf(thrown);
      toast({ tone: 'error', title: t('print.failed'), text: t(`errors.${code}` as 'errors.UNEXPECTED') });
    }
  }

  const state = ({ due, currency }: ListedCollective) =>
    due === 0 ? (
      <Badge tone="paid">{t('reports.collective.paid')}</Badge>
    ) : (
      <Badge tone="due">{t('reports.collective.open', { amount: money(due, currency) })}</Badge>
    );
  const actions = (row: ListedCollective, size: 'sm' | 'md') => (
    <>
      {row.due > 0 && (
        <Button size={size} onClick={() => onPay(row)}>
          <HandCoins />
          {t('reports.collective.pay')}
        </Button>
      )}
      <Button size={size} onClick={() => void print(row)}>
        <Printer />
        {t('reports.collective.print')}
      </Button>
    </>
  );
  const columns: Column<ListedCollective>[] = [
    {
      key: 'number',
      header: head('number'),
      cell: ({ invoice_number }) => (
        <chakra.span fontWeight="medium" whiteSpace="nowrap">
          {invoice_number}
        </chakra.span>
      ),
    },
    {
      key: 'issued',
      header: head('issued'),
      cell: ({ issued_at }) => <chakra.span whiteSpace="nowrap">{date(issued_at)}</chakra.span>,
    },
    {
      key: 'payer',
      header: head('payer'),
      width: '24%',
      cell: ({ recipient: { name } }) => (
        <chakra.span
          overflowWrap="anywhere"
          title={name}
          css={{ [desk]: { display: 'block', ...oneLineAtDesk[desk] } }}
        >
          {name}
        </chakra.span>
      ),
    },
    {
      key: 'treatments',
      header: head('treatments'),
      numeric: true,
      from: 72,
      cell: ({ treatments }) => treatments.length,
    },
    {
      key: 'amount',
      header: head('amount'),
      numeric: true,
      cell: ({ total_amount, currency }) => money(total_amount, currency),
    },
    { key: 'state', header: head('state'), cell: state },
    { key: 'actions', header: t('list.actions'), actions: true, cell: (row) => actions(row, 'sm') },
  ];
  return {
    columns,
    card: (row: ListedCollective) => (
      <Flex direction="column" gap="2" minWidth="0">
        <div>
          <Flex justify="space-between" gap="3">
            <chakra.span fontWeight="medium" minWidth="0" overflowWrap="anywhere">
              {row.invoice_number}
            </chakra.span>
            <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
              {money(row.total_amount, row.currency)}
            </chakra.span>
          </Flex>
          <chakra.p fontSize="sm" color="fg.muted" overflowWrap="anywhere">
            {date(row.issued_at)} · {row.recipient.name}
          </chakra.p>
        </div>
        <Flex justify="space-between" align="center" gap="3" wrap="wrap">
          {state(row)}
          <Flex gap="2" wrap="wrap">
            {actions(row, 'md')}
          </Flex>
        </Flex>
      </Flex>
    ),
  };
}
