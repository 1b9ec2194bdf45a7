import { chakra, Flex } from '@chakra-ui/react';
import { Printer, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';
import { documentName, useDocumentPrinter } from '../../../printing/use-document-printer.ts';
import type { OrderRow } from '../../../db/database.ts';
import { MoneyText } from '../../../formats/money.tsx';
import { openPrintTarget } from '../../../printing/print-target.ts';
import { useCustomerName } from '../../../formats/use-customer-name.ts';
import { useRoomName } from '../../../formats/use-room-name.ts';
import { SentBadge } from '../../../sync/sent-badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useMoment } from '../../../formats/use-formats.ts';
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
  const mayRefund = useMay('order.refund');
  const { document, order, unsent, amountMinor, issuedAtMs } = sale;
  const name = sale.kind === 'receipt' ? `${t('counter.sales.receipt')} ${order.number}` : documentName(document);
  const kind = sale.kind === 'credit_note' ? t('counter.sales.creditNote') : '';
  return (
    <chakra.li display="flex" flexDirection="column" gap="1" py="3" borderBottomWidth="1px" borderColor="border">
      <Flex justify="space-between" gap="3">
        <chakra.span fontWeight="medium" fontVariantNumeric="tabular-nums" overflowWrap="anywhere">
          {name}
        </chakra.span>
        <MoneyText minor={amountMinor} currency={order.currency} fontWeight="semibold" />
      </Flex>
      <Flex justify="space-between" align="flex-start" gap="3">
        <chakra.span fontSize="sm" color="fg.muted" overflowWrap="anywhere">
          {[kind, moment(issuedAtMs), customerOf(order), order.roomNumber && nameOf(order.roomNumber)]
            .filter(Boolean)
            .join(' · ')}
        </chakra.span>
        <chakra.span flexShrink={0}>
          <SentBadge unsent={unsent} />
        </chakra.span>
      </Flex>
      <Flex justify="flex-end" gap="2">
        {mayRefund && order.paidMinor > 0 && sale.kind !== 'credit_note' && (
          <Button
            variant="quiet"
            px="3"
            aria-label={t('refund.openFor', { number: name })}
            onClick={() => onRefund(order)}
          >
            <Undo2 />
            {t('refund.open')}
          </Button>
        )}
        <Button
          px="3"
          aria-label={t('counter.sales.reprintFor', { number: name })}
          onClick={() => void print(openPrintTarget(), document, { isCopy: sale.isForeign })}
        >
          <Printer />
          {t('counter.sales.reprint')}
        </Button>
      </Flex>
    </chakra.li>
  );
}
