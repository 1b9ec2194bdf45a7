import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { daysAfter } from '#domain/business-day.ts';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { useMay } from '#src/session/session.ts';
import { documentName, useDocumentPrinter } from '#src/printing/use-document-printer.ts';
import type { OrderRow } from '#src/db/database.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { openPrintTarget } from '#src/printing/print-target.ts';
import { useLikelyToday } from '#src/formats/clock.ts';
import { useClinicSettings } from '#src/local-data/use-clinic-settings.ts';
import { StyledButton } from '#src/ui/styled.tsx';
import { useCustomerName } from '#src/formats/use-customer-name.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Parts } from '#src/ui/parts.tsx';
import { isolated } from '#src/ui/isolated.ts';
import { useClinicFormats, useMoment, useTime } from '#src/formats/use-formats.ts';
import { ExchangeButton } from './exchange-button.tsx';
import { salesByDay, soldIn } from './sales.ts';
import type { Sale } from './sales.ts';

interface SaleRowsProps {
  sales: readonly Sale[];
  onRefund: (order: OrderRow) => void;
  /** True below the heading of their day, where only the time is news. */
  inDay?: boolean;
}

/** Sales under the days on which they were made. */
export function SaleDays(props: SaleRowsProps) {
  const { time_zone: timeZone } = useClinicSettings();
  const nameOf = useDayName();
  return salesByDay(props.sales, timeZone).map(({ day, sales }) => (
    <chakra.section key={day} aria-label={nameOf(day)}>
      <chakra.h3
        position="sticky"
        top="0"
        zIndex="docked"
        mx="-4"
        px="4"
        py="2"
        bg="bg.sunken"
        fontSize="sm"
        fontWeight="medium"
        color="fg.muted"
      >
        {nameOf(day)}
      </chakra.h3>
      <SaleRows {...props} sales={sales} inDay />
    </chakra.section>
  ));
}

/** Names a day as people at the counter do. */
function useDayName(): (day: string) => string {
  const { t } = useTranslation();
  const { longDay } = useClinicFormats();
  const today = useLikelyToday();
  return (day) =>
    day === today
      ? t('reports.periods.today')
      : day === daysAfter(today, -1)
        ? t('counter.sales.yesterday')
        : longDay(day);
}

/** In a wide window the amounts stand below each other, whatever can be done with a sale. */
const inColumns = (columns: object) => ({
  '@supports (grid-template-columns: subgrid)': { '@media (width >= 40rem)': { display: 'grid', ...columns } },
});

export function SaleRows({ sales, onRefund, inDay = false }: SaleRowsProps) {
  // What was printed or refunded stays marked while the list goes on.
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <chakra.ul listStyleType="none" css={inColumns({ gridTemplateColumns: 'minmax(0, 1fr) auto' })}>
      {sales.map((sale, place) => (
        <SaleRow
          key={sale.document.id}
          sale={sale}
          place={place}
          inDay={inDay}
          isChosen={sale.document.id === chosen}
          onChoose={() => setChosen(sale.document.id)}
          onRefund={onRefund}
        />
      ))}
    </chakra.ul>
  );
}

interface SaleRowProps {
  sale: Sale;
  place: number;
  inDay: boolean;
  isChosen: boolean;
  onChoose: () => void;
  onRefund: (order: OrderRow) => void;
}

function SaleRow({ sale, place, inDay, isChosen, onChoose, onRefund }: SaleRowProps) {
  const { t } = useTranslation();
  const [time, moment] = [useTime(), useMoment()];
  const nameOf = useRoomName();
  const customerOf = useCustomerName();
  const print = useDocumentPrinter();
  // Who may not refund alone has a manager approve it.
  const mayRefund = useMay('order.pay');
  const { document, order, unsent, amountMinor, moved, issuedAtMs } = sale;
  const name = sale.kind === 'receipt' ? `${t('counter.sales.receipt')} ${order.number}` : documentName(document);
  const isSale = sale.kind !== 'credit_note';
  const isRefunded = isSale && order.reductionMinor > 0;
  const isPart = order.owedMinor > 0 && order.status !== 'cancelled';
  const isDue = isSale && order.status === 'confirmed';
  const kind = sale.kind === 'credit_note' ? t('counter.sales.creditNote') : '';
  const exchange = order.invoices.find(({ replaces }) => replaces && replaces.number === document.number);
  const where = order.roomNumber && nameOf(order.roomNumber);
  const row = useRef<HTMLLIElement>(null);
  // A credit note that comes above must not push away the sale that it is of.
  useEffect(() => {
    if (isChosen && place >= 0) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen, place]);
  return (
    <chakra.li
      ref={row}
      aria-current={isChosen ? 'true' : undefined}
      onClick={onChoose}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="4"
      minHeight="16"
      {...(inDay && { mx: '-4', px: '4' })}
      py="2"
      borderBottomWidth="1px"
      borderColor="border"
      bg={isChosen ? 'accent.subtle' : undefined}
      css={inColumns({ gridColumn: '1 / -1', gridTemplateColumns: 'subgrid' })}
    >
      {/* On a phone its parts are parts of the row: several actions have a line of their own, one stands beside the small print. */}
      <chakra.div display={{ base: 'contents', sm: 'block' }} flex="1 1 16rem" minWidth="0" lineHeight="1.35">
        <Flex flex="1 1 100%" minWidth="0" justify="space-between" align="baseline" gap="3" lineHeight="1.35">
          <chakra.span fontWeight="medium" minWidth="0" truncate title={soldIn(sale)}>
            {soldIn(sale)}
          </chakra.span>
          {moved ? (
            <MoneyText minor={moved.minor} currency={order.currency} fontWeight="semibold" />
          ) : (
            <chakra.span color="fg.muted" whiteSpace="nowrap">
              {t('counter.sales.noMoney')}
            </chakra.span>
          )}
        </Flex>
        <chakra.p flex={isSale ? '1 1 100%' : '1 1 10rem'} fontSize="sm" color="fg.muted" lineHeight="1.35">
          <Parts
            parts={[
              [kind, name].filter(Boolean).join(' '),
              (inDay ? time : moment)(issuedAtMs),
              moved && t(`counter.methods.${moved.method}`),
              isolated(customerOf(order)),
              where && isolated(where),
            ]}
          />
        </chakra.p>
        <Flex flex="1 1 100%" order={{ base: isSale ? 0 : 1, sm: 0 }} gap="2" wrap="wrap">
          {moved?.minor !== amountMinor && (
            <Badge>
              {t('counter.sales.documentTotal', { amount: formatMinor(amountMinor, currencyLabel(order.currency)) })}
            </Badge>
          )}
          {isRefunded && <Badge>{t(isPart ? 'refund.part' : 'refund.back')}</Badge>}
          {isDue && (
            <Badge tone="due">
              {t('counter.sales.due', { amount: formatMinor(order.balanceMinor, currencyLabel(order.currency)) })}
            </Badge>
          )}
          {exchange && <Badge>{t('counter.sales.exchanged', { number: exchange.invoice_number })}</Badge>}
          {unsent && <SentBadge unsent />}
        </Flex>
      </chakra.div>
      {/* The room around the words is part of their targets. */}
      <Flex flexShrink={0} ms="auto" me="-2" my={{ base: '-2', sm: '0' }}>
        {mayRefund && order.paidMinor > 0 && isSale && !exchange && (
          <StyledButton {...word} aria-label={t('refund.openFor', { number: name })} onClick={() => onRefund(order)}>
            {t('counter.sales.refund')}
          </StyledButton>
        )}
        <ExchangeButton sale={sale} />
        {document.printed.length > 0 && (
          <StyledButton
            {...word}
            aria-label={t('counter.sales.reprintFor', { number: name })}
            onClick={() => void print(openPrintTarget(), document, { isCopy: sale.isForeign })}
          >
            {t('counter.sales.reprint')}
          </StyledButton>
        )}
      </Flex>
    </chakra.li>
  );
}

/** An action of a row, as a word. */
export const word = { variant: 'quiet', px: '2', fontSize: 'sm' } as const;
