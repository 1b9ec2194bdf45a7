import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '#domain/money.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import type { LinePrice } from '#domain/order/line-prices.ts';
import { lineTotal } from '#domain/order/order.ts';
import { milliToWire } from '#domain/quantity.ts';
import type { OrderRow } from '../db/database.ts';
import { MoneyText } from '../formats/money.tsx';

interface RefundLinesProps {
  order: OrderRow;
  lineIds: readonly string[];
  onChange: (lineIds: string[]) => void;
}

/**
 * Lets staff choose the services to refund, each with what it still earns, and with its invoice where there are several. One that
 * is given back names its credit note and cannot be chosen. Without a choice the amount alone counts.
 */
export function RefundLines({ order, lineIds, onChange }: RefundLinesProps) {
  const { t } = useTranslation();
  if (order.lines.length < 2) return null;
  const invoices = new Map(
    order.invoices.flatMap(({ invoice_number, line_ids }) => line_ids.map((id) => [id, invoice_number] as const)),
  );
  const severalInvoices = new Set(invoices.values()).size > 1 ? invoices : new Map<string, string>();
  const toggle = (id: string) =>
    onChange(lineIds.includes(id) ? lineIds.filter((each) => each !== id) : [...lineIds, id]);
  return (
    <chakra.fieldset border="0" p="0" minWidth="0">
      <chakra.legend fontSize="sm" fontWeight="medium">
        {t('refund.lines')}
      </chakra.legend>
      {linePrices(order).map((price) => (
        <RefundLine
          key={price.line.lineId}
          order={order}
          price={price}
          invoice={severalInvoices.get(price.line.lineId)}
          checked={lineIds.includes(price.line.lineId)}
          onToggle={() => toggle(price.line.lineId)}
        />
      ))}
    </chakra.fieldset>
  );
}

interface RefundLineProps {
  order: OrderRow;
  price: LinePrice;
  /** The number of its invoice, where the treatment has several. */
  invoice: string | undefined;
  checked: boolean;
  onToggle: () => void;
}

function RefundLine({ order, price, invoice, checked, onToggle }: RefundLineProps) {
  const { t } = useTranslation();
  const { line, givenMinor, earnedMinor } = price;
  const money = (minor: number) => formatMinor(minor, currencyLabel(order.currency));
  const isGone = earnedMinor <= 0;
  const creditNotes = order.payments
    .filter(({ refundedLines }) => refundedLines.some(({ lineId }) => lineId === line.lineId))
    .map(({ creditNoteNumber }) => creditNoteNumber);
  const given = isGone ? t('refund.lineBack') : t('refund.givenBack', { amount: money(givenMinor) });
  const details = givenMinor > 0 ? [given, ...creditNotes] : [invoice];
  return (
    <chakra.label
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="12"
      py="1"
      borderBottomWidth="1px"
      borderColor="border"
      cursor={isGone ? 'default' : 'pointer'}
      color={isGone ? 'fg.muted' : 'fg'}
    >
      <chakra.input
        type="checkbox"
        checked={checked}
        disabled={isGone}
        onChange={onToggle}
        width="5"
        height="5"
        flexShrink={0}
        css={{ accentColor: '{colors.accent.solid}' }}
      />
      <chakra.span flex="1" minWidth="0" overflowWrap="anywhere" lineHeight="1.3">
        {line.quantityMilli === 1000 ? line.name : `${milliToWire(line.quantityMilli)} × ${line.name}`}
        {details.some(Boolean) && (
          <chakra.span display="block" fontSize="sm" color="fg.muted">
            {details.filter(Boolean).join(' · ')}
          </chakra.span>
        )}
      </chakra.span>
      <chakra.span flexShrink={0} textAlign="end" lineHeight="1.3">
        <MoneyText minor={earnedMinor} currency={order.currency} />
        {earnedMinor < lineTotal(line) && (
          <chakra.span display="block" fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('refund.of', { amount: money(lineTotal(line)) })}
          </chakra.span>
        )}
      </chakra.span>
    </chakra.label>
  );
}
