import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { lineTotal } from '../../domain/order/order.ts';
import { milliToWire } from '../../domain/quantity.ts';
import type { OrderRow } from '../db/database.ts';
import { MoneyText } from '../formats/money.tsx';

interface RefundLinesProps {
  order: OrderRow;
  lineIds: readonly string[];
  onChange: (lineIds: string[]) => void;
}

/** Lets staff choose the services to refund, by the invoice that they are on. Without a choice the amount alone counts. */
export function RefundLines({ order, lineIds, onChange }: RefundLinesProps) {
  const { t } = useTranslation();
  if (order.lines.length < 2) return null;
  const invoiceOf = new Map(
    order.invoices.flatMap(({ invoice_number, line_ids }) => line_ids.map((id) => [id, invoice_number] as const)),
  );
  const toggle = (id: string) =>
    onChange(lineIds.includes(id) ? lineIds.filter((each) => each !== id) : [...lineIds, id]);
  return (
    <chakra.fieldset border="0" p="0" minWidth="0">
      <chakra.legend fontSize="sm" fontWeight="medium">
        {t('refund.lines')}
      </chakra.legend>
      {order.lines.map((line) => (
        <chakra.label
          key={line.lineId}
          display="flex"
          alignItems="center"
          gap="3"
          minHeight="12"
          py="1"
          borderBottomWidth="1px"
          borderColor="border"
          cursor="pointer"
        >
          <chakra.input
            type="checkbox"
            checked={lineIds.includes(line.lineId)}
            onChange={() => toggle(line.lineId)}
            width="5"
            height="5"
            flexShrink={0}
            css={{ accentColor: '{colors.accent.solid}' }}
          />
          <chakra.span flex="1" minWidth="0" overflowWrap="anywhere" lineHeight="1.3">
            {line.quantityMilli === 1000 ? line.name : `${milliToWire(line.quantityMilli)} × ${line.name}`}
            <chakra.span display="block" fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
              {invoiceOf.get(line.lineId)}
            </chakra.span>
          </chakra.span>
          <MoneyText minor={lineTotal(line)} currency={order.currency} />
        </chakra.label>
      ))}
    </chakra.fieldset>
  );
}
