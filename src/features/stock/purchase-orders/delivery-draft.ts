/** Form state of a delivery against a purchase order, its validation and its request body. */
import type { Problem, Problems } from '#domain/problems.ts';
import { isValid } from '#domain/problems.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import type { PurchaseOrderResource, PurchaseOrderItemResource, ReceiptRequest } from '#domain/stock/resources.ts';

export interface DeliveryLine {
  item_id: number;
  /** A line keeps its item; each change of the ordered lines renews their ids. */
  stock_id: number;
  /** 0 when nothing of this line was delivered. */
  quantity: number;
  unit_cost: number;
  /** Required for an item that tracks lots, like the expiry date. */
  lot_number: string;
  /** YYYY-MM-DD */
  expires_on: string;
  /** True for a line that the order got after the form was opened. */
  is_new?: boolean;
}

export interface DeliveryDraft {
  items: DeliveryLine[];
  /** The vendor's number of the delivery. */
  delivery_note: string;
  /** True if somebody says that it is another delivery under a number that was booked before. */
  is_another_delivery: boolean;
  notes: string;
}

export const outstandingQuantity = ({ quantity, received_quantity }: PurchaseOrderItemResource): number =>
  milliToWire(Math.max(0, milliFromWire(quantity) - milliFromWire(received_quantity)));

/** Starts a delivery with all outstanding quantities at the agreed cost. Completely delivered lines are left out. */
export const deliveryDraftOf = ({ items }: PurchaseOrderResource): DeliveryDraft => ({
  items: items
    .filter((item) => outstandingQuantity(item) > 0)
    .map((item) => deliveryLine(item, outstandingQuantity(item))),
  delivery_note: '',
  is_another_delivery: false,
  notes: '',
});

export const deliveryLine = (
  { id, stock_id, unit_cost }: PurchaseOrderItemResource,
  quantity: number,
): DeliveryLine => ({
  item_id: id,
  stock_id,
  quantity,
  unit_cost,
  lot_number: '',
  expires_on: '',
});

/** Returns lines for what is outstanding and has none: nothing of them was delivered until somebody says so. */
export const addedLines = (
  lines: readonly DeliveryLine[],
  order: Pick<PurchaseOrderResource, 'items'>,
): DeliveryLine[] => {
  const known = new Set(lines.map((line) => itemOf(order, line)?.id));
  return order.items
    .filter((item) => outstandingQuantity(item) > 0 && !known.has(item.id))
    .map((item) => ({ ...deliveryLine(item, 0), is_new: true }));
};

/** Validates a line; a line with quantity 0 is valid. */
export function lineProblems(
  line: DeliveryLine,
  { tracks_lots }: PurchaseOrderItemResource,
): Problems<keyof DeliveryLine> {
  if (line.quantity === 0) return {};
  return {
    ...(line.quantity < 0 && { quantity: 'QUANTITY_NEGATIVE' as const }),
    ...(line.unit_cost < 0 && { unit_cost: 'COST_NEGATIVE' as const }),
    ...(tracks_lots && line.lot_number.trim() === '' && { lot_number: 'REQUIRED' as const }),
    ...(tracks_lots && line.expires_on === '' && { expires_on: 'REQUIRED' as const }),
  };
}

export function deliveryProblems(
  { items }: DeliveryDraft,
  order: PurchaseOrderResource,
): Problems<keyof DeliveryDraft> {
  const found = items.flatMap((line): Problem[] => {
    const item = itemOf(order, line);
    const problems = item ? lineProblems(line, item) : {};
    return isValid(problems) ? [] : [Object.values(problems)[0]!];
  });
  if (found.length > 0) return { items: found[0]! };
  return items.some((line) => line.quantity > 0 && itemOf(order, line)) ? {} : { items: 'QUANTITY_NOT_POSITIVE' };
}

/** Returns the ordered item of a line; undefined when it was taken out of the order after the draft was started. */
export const itemOf = (
  { items }: Pick<PurchaseOrderResource, 'items'>,
  { item_id, stock_id }: DeliveryLine,
): PurchaseOrderItemResource | undefined =>
  items.find(({ id }) => id === item_id) ?? items.find((item) => item.stock_id === stock_id);

export type DeliveryBody = Pick<DeliveryDraft, 'delivery_note' | 'is_another_delivery'> & {
  items: (ReceiptRequest & { item_id: number })[];
};

export function deliveryBody(
  { items, notes, delivery_note, is_another_delivery }: DeliveryDraft,
  order: PurchaseOrderResource,
): DeliveryBody {
  return {
    delivery_note: delivery_note.trim(),
    is_another_delivery,
    items: items.flatMap((line) => {
      const item = itemOf(order, line);
      if (!item || line.quantity === 0) return [];
      const { quantity, unit_cost, lot_number, expires_on } = line;
      return [
        {
          item_id: item.id,
          quantity,
          unit_cost,
          notes,
          ...(item.tracks_lots && { lot_number: lot_number.trim(), expires_on }),
        },
      ];
    }),
  };
}
