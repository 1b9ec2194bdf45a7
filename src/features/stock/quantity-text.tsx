import { chakra } from '@chakra-ui/react';
import { milliToWire } from '#domain/quantity.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';

type FormatQuantity = (milli: number, unit: string) => string;

/** Formats integer thousandths with their unit; `change` adds the sign. */
export function useQuantityFormats(): { quantity: FormatQuantity; change: FormatQuantity } {
  const formats = useClinicFormats();
  const unitName = useUnitName();
  return {
    quantity: (milli, unit) => `${formats.quantity(milliToWire(milli))} ${unitName(unit)}`,
    change: (milli, unit) => `${formats.change(milliToWire(milli))} ${unitName(unit)}`,
  };
}

const colours = { out_of_stock: 'refused.fg', low_stock: 'low.fg' };

/** Quantity of an item, coloured when it is low or out of stock. */
export function QuantityText({ item: { quantity_milli, unit, shortage } }: { item: CatalogueItem }) {
  const { quantity } = useQuantityFormats();
  return (
    <chakra.span
      flexShrink={0}
      fontSize="sm"
      fontVariantNumeric="tabular-nums"
      color={shortage ? colours[shortage] : 'fg.muted'}
    >
      {quantity(quantity_milli ?? 0, unit)}
    </chakra.span>
  );
}
