import { chakra, Flex } from '@chakra-ui/react';
import { Printer } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LotRecipient, RecalledLot } from '#domain/stock/resources.ts';
import { Pagination } from '#src/lists/pagination.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Button } from '#src/ui/button.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import { LotExpiry } from './lot-views.tsx';
import { usePrintRecall } from './use-print-recall.ts';

const pageSize = 20;

/** Treatments that used a lot, latest first, with a button that prints all of them. */
export function LotRecall({ lot }: { lot: RecalledLot }) {
  const { t } = useTranslation();
  const headingId = useId();
  const formats = useClinicFormats();
  const unit = useUnitName()(lot.unit);
  const print = usePrintRecall();
  const [page, setPage] = useState(1);
  const { columns, card } = useRecipientViews(unit);
  const { recipients } = lot;
  const used = t('stock.lots.recipients', { count: recipients.length });
  return (
    <chakra.section aria-labelledby={`${headingId} ${headingId}-item`} display="flex" flexDirection="column" gap="3">
      <Flex align="flex-start" justify="space-between" wrap="wrap" gap="3">
        <chakra.div minWidth="0">
          <chakra.h2 id={headingId} fontSize="lg" fontWeight="semibold" overflowWrap="anywhere">
            {t('stock.lots.recallLot', { lot: lot.lot_number })}
          </chakra.h2>
          <chakra.p id={`${headingId}-item`} overflowWrap="anywhere">
            {lot.name}
          </chakra.p>
          <Flex
            align="center"
            wrap="wrap"
            columnGap="4"
            rowGap="1"
            mt="1"
            fontSize="sm"
            color="fg.muted"
            fontVariantNumeric="tabular-nums"
          >
            <span>{`${t('stock.lots.summary', { received: formats.quantity(lot.received), remaining: formats.quantity(lot.remaining) })} (${unit})`}</span>
            <LotExpiry lot={lot} />
            <span>{used}</span>
          </Flex>
        </chakra.div>
        <Button disabled={recipients.length === 0} onClick={() => void print(lot)}>
          <Printer />
          {t('stock.lots.print')}
        </Button>
      </Flex>
      {recipients.length === 0 ? (
        <chakra.p color="fg.muted" py="3">
          {t('stock.lots.nobodyText')}
        </chakra.p>
      ) : (
        <DataTable
          label={`${lot.name}: ${used}`}
          columns={columns}
          rows={recipients.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={({ order_id, used_at, quantity }) => `${order_id} ${used_at} ${quantity}`}
          card={card}
          empty={null}
        />
      )}
      <Pagination page={page} size={pageSize} total={recipients.length} onPage={setPage} />
    </chakra.section>
  );
}

function useRecipientViews(unit: string) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const customer = ({ customer_name }: LotRecipient) =>
    customer_name ? (
      <chakra.span overflowWrap="anywhere">{customer_name}</chakra.span>
    ) : (
      <chakra.span color="fg.muted">{t('stock.lots.noCustomer')}</chakra.span>
    );
  const quantity = ({ quantity: used }: LotRecipient) => `${formats.quantity(used)} ${unit}`;
  const columns: Column<LotRecipient>[] = [
    {
      key: 'treatment',
      header: t('stock.lots.treatment'),
      cell: ({ order_number }) => <chakra.span fontWeight="medium">{order_number}</chakra.span>,
    },
    { key: 'customer', header: t('stock.lots.customer'), cell: customer },
    { key: 'quantity', header: t('stock.lots.quantity'), numeric: true, cell: quantity },
    { key: 'date', header: t('stock.lots.usedAt'), cell: ({ used_at }) => formats.dateTime(used_at) },
  ];
  const card = (recipient: LotRecipient) => (
    <Flex direction="column" gap="1" fontSize="sm">
      <Flex justify="space-between" gap="3">
        <chakra.span fontWeight="medium">{recipient.order_number}</chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums">{quantity(recipient)}</chakra.span>
      </Flex>
      <Flex justify="space-between" gap="3">
        {customer(recipient)}
        <chakra.span color="fg.muted">{formats.dateTime(recipient.used_at)}</chakra.span>
      </Flex>
    </Flex>
  );
  return { columns, card };
}
