import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import type { PurchaseOrderItemResource } from '#domain/stock/resources.ts';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import type { Column } from '#src/ui/columns.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';

/** Returns the table columns and the phone card of a line. */
export function useOrderLineViews() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const unitName = useUnitName();
  const currency = useCurrency();
  const ordered = ({ quantity, unit }: PurchaseOrderItemResource) => `${formats.quantity(quantity)} ${unitName(unit)}`;
  const received = (line: PurchaseOrderItemResource) => (
    <chakra.span color={colourOf(line)}>{formats.quantity(line.received_quantity)}</chakra.span>
  );
  const money = (amount: number) => <MoneyText minor={minorFromWire(amount)} currency={currency} />;
  const columns: Column<PurchaseOrderItemResource>[] = [
    {
      key: 'name',
      header: t('purchasing.columns.item'),
      cell: ({ name }) => <chakra.span overflowWrap="anywhere">{name}</chakra.span>,
    },
    { key: 'quantity', header: t('purchasing.columns.ordered'), numeric: true, cell: ordered },
    { key: 'received', header: t('purchasing.columns.received'), numeric: true, cell: received },
    {
      key: 'unit_cost',
      header: t('purchasing.columns.unitCost'),
      numeric: true,
      cell: ({ unit_cost }) => money(unit_cost),
    },
    { key: 'total', header: t('purchasing.columns.total'), numeric: true, cell: ({ total }) => money(total) },
  ];
  const card = (line: PurchaseOrderItemResource) => (
    <Flex direction="column" gap="2" fontSize="sm">
      <chakra.p fontWeight="medium" overflowWrap="anywhere">
        {line.name}
      </chakra.p>
      <Flex justify="space-between" gap="3" fontVariantNumeric="tabular-nums">
        <span>
          {t('purchasing.receivedOf', { received: formats.quantity(line.received_quantity), ordered: ordered(line) })}
        </span>
        {money(line.total)}
      </Flex>
    </Flex>
  );
  return { columns, card };
}

function colourOf({ quantity, received_quantity }: PurchaseOrderItemResource): string {
  if (received_quantity <= 0) return 'fg.muted';
  return received_quantity < quantity ? 'due.fg' : 'paid.fg';
}
