/** The lines of a document: a table on a sheet, and rows one below the other on a strip. */
import { baseOf, categoryOfKey, rateBpsOf } from '../tax/tax.ts';
import { numberFormat } from '../number-format.ts';
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';
import { lineTotal } from './order.ts';
import type { OrderLine } from './order.ts';
import { lineRateText, lineTaxText } from './printed-tax.ts';
import type { TaxLabels } from './printed-tax.ts';

/** The heads of the columns. */
export interface LineLabels {
  service: string;
  quantity: string;
  price: string;
  /** In the place of `price`, where a full invoice has to state it (RD 1619/2012, article 6.1.f). */
  priceWithoutTax: string;
  discount: string;
  amount: string;
  /** In the place of `amount`, where prices contain a tax that the document states. */
  amountWithTax: string;
}

export interface PrintedLine {
  line: OrderLine;
  /** What the strip states; below zero for what a document takes back. */
  amountMinor: number;
  /** Its part of the document's discount. */
  discountMinor: number;
}

/**
 * A document of more lines has none of the columns: with them, the longest names would make its operation larger than a
 * request may be.
 */
export const mostTableLines = 300;

interface Writer {
  columns: LineLabels;
  tax: TaxLabels;
  minor: (amountMinor: number) => string;
}

/** A row beside the billed lines, such as an advance. */
interface FurtherLine {
  name: string;
  amountMinor: number;
}

/**
 * Returns the rows of lines. A column without a value in any line is left out.
 *
 * @param isFull a full invoice with taxed goods states unit prices without tax
 */
export function lineRows(
  { columns, tax, minor }: Writer,
  lines: readonly PrintedLine[],
  { further = [], isFull = false }: { further?: readonly FurtherLine[]; isFull?: boolean } = {},
): PrintedRow[] {
  const quantities = numberFormat();
  const isDiscounted = lines.some(({ discountMinor }) => discountMinor !== 0);
  const isTaxed = lines.some(({ line }) => line.tax);
  // A part of the price is not quantity times price.
  const isWhole = ({ line, amountMinor }: PrintedLine) => Math.abs(amountMinor) === lineTotal(line);
  const hasQuantity = lines.some(isWhole);
  const statesNet = isFull && lines.some(({ line }) => rateOf(line) > 0);
  const cells = ({ name, quantity = '', price = '', discount = '', rate = '', amount }: Record<string, string>) => [
    name!,
    ...(hasQuantity ? [quantity, price] : []),
    ...(isDiscounted ? [discount] : []),
    ...(isTaxed ? [rate] : []),
    amount!,
  ];
  const rows = lines.flatMap((each): PrintedRow[] => {
    const { line, amountMinor, discountMinor } = each;
    const { name, quantityMilli, unitPriceMinor } = line;
    const quantity = quantities.format((amountMinor < 0 ? -quantityMilli : quantityMilli) / 1000);
    const price = minor(unitPriceMinor);
    const rate = line.tax ? lineTaxText(tax, line.tax) : '';
    const net = minor(baseOf(unitPriceMinor, rateOf(line)));
    return [
      {
        style: 'item',
        left: name,
        right: minor(amountMinor),
        cells: cells({
          name,
          ...(isWhole(each) && { quantity, price: statesNet ? net : price }),
          ...(discountMinor !== 0 && { discount: minor(-discountMinor) }),
          rate: line.tax ? lineRateText(tax, line.tax) : '',
          amount: minor(amountMinor - discountMinor),
        }),
      },
      ...(isWhole(each) && quantityMilli !== 1000 ? [{ style: 'small' as const, left: `${quantity} × ${price}` }] : []),
      ...(rate ? [{ style: 'small' as const, left: rate }] : []),
      ...(statesNet && isWhole(each) && rateOf(line) > 0
        ? [{ style: 'small' as const, left: `${columns.priceWithoutTax}: ${net}` }]
        : []),
    ];
  });
  const others = further.map(({ name, amountMinor }): PrintedRow => {
    const amount = minor(amountMinor);
    return { style: 'item', left: name, right: amount, cells: cells({ name, amount }) };
  });
  if (rows.length + others.length === 0) return [];
  if (lines.length > mostTableLines) return rows.map(({ cells: _columns, ...row }) => row);
  const { service, quantity, price, priceWithoutTax, discount, amount, amountWithTax } = columns;
  const head = cells({
    name: service,
    quantity,
    price: statesNet ? priceWithoutTax : price,
    discount,
    rate: tax.rate,
    amount: isTaxed ? amountWithTax : amount,
  });
  return inPart('table', [{ style: 'head', cells: head }, ...rows, ...others]);
}

const rateOf = ({ tax }: Pick<OrderLine, 'tax'>): number => (tax === undefined ? 0 : rateBpsOf(categoryOfKey(tax)));
