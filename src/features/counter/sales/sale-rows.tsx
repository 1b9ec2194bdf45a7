import { chakra, Flex } from '@chakra-ui/react';
import { Printer, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { useMay } from '../../../session/session.ts';
import { documentName, useDocumentPrinter } from '../../../printing/use-document-printer.ts';
import type { OrderRow } from '../../../db/database.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { openPrintTarget } from '../../../printing/print-target.ts';
import { useCustomerName } from '../../../formats/use-customer-name.ts';
import { useRoomName } from '../../../formats/use-room-name.ts';
import { SentBadge } from '../../../sync/sent-badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useMoment } from '../../../formats/use-formats.ts';
import { ExchangeButton } from './exchange-button.tsx';
import { soldIn } from './sales.ts';
import type { Sale } from './sales.ts';

export function SaleRows({ sales, onRefund }: { sales: Sale[]; onRefund: (order: OrderRow) => void }) {
  return (
    <chakra.ul listStyleType="none">
      {sales.map((sale) => (
        <SaleRow key={sale.document.id} sale={sale} onRefund={onRefund} />
      ))}
    </chakra.ul>
  );
}

function SaleRow({ sale, onRefund }: { sale: Sale; onRefund: (order: OrderRow) => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const nameOf = useRoomName();
  const customerOf = useCustomerName();
  const print = useDocumentPrinter();
  // Who may not refund alone has a manager approve it.
  const mayRefund = useMay('order.pay');
  const { document, order, unsent, amountMinor, issuedAtMs } = sale;
  const name = sale.kind === 'receipt' ? `${t('counter.sales.receipt')} ${order.number}` : documentName(document);
  const isSale = sale.kind !== 'credit_note';
  const isRefunded = isSale && order.reductionMinor > 0;
  const isPart = order.owedMinor > 0 && order.status !== 'cancelled';
  const isDue = isSale && order.status === 'confirmed';
  const kind = sale.kind === 'credit_note' ? t('counter.sales.creditNote') : '';
  const exchange = order.invoices.find(({ replaces }) => replaces && replaces.number === document.number);
  const where = order.roomNumber && nameOf(order.roomNumber);
  return (
    <chakra.li
      display="flex"
      alignItems="center"
      gap="2"
      minHeight="16"
      py="2"
      borderBottomWidth="1px"
      borderColor="border"
    >
      <chakra.div flex="1" minWidth="0" lineHeight="1.35">
        <Flex justify="space-between" align="baseline" gap="3">
          <chakra.span fontWeight="medium" minWidth="0" truncate title={soldIn(sale)}>
            {[kind, soldIn(sale)].filter(Boolean).join(': ')}
          </chakra.span>
          <MoneyText minor={amountMinor} currency={order.currency} fontWeight="semibold" />
        </Flex>
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
          {[name, moment(issuedAtMs), customerOf(order), where].filter(Boolean).join(' · ')}
        </chakra.p>
        <Flex gap="2" wrap="wrap">
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
      <Flex flexShrink={0} me="-3">
        {mayRefund && order.paidMinor > 0 && isSale && !exchange && (
          <IconButton label={t('refund.openFor', { number: name })} onClick={() => onRefund(order)}>
            <Undo2 />
          </IconButton>
        )}
        <ExchangeButton sale={sale} />
        {document.printed.length > 0 && (
          <IconButton
            label={t('counter.sales.reprintFor', { number: name })}
            onClick={() => void print(openPrintTarget(), document, { isCopy: sale.isForeign })}
          >
            <Printer />
          </IconButton>
        )}
      </Flex>
    </chakra.li>
  );
}
