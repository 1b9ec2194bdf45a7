/** What arrives for a purchase order, as the form holds it and as it is sent. */
import type { Problem, Problems } from '../../../../domain/problems.ts';
import { isValid } from '../../../../domain/problems.ts';
import { milliFromWire, milliToWire } from '../../../../domain/quantity.ts';
import type {
  PurchaseOrderResource,
  PurchaseOrderItemResource,
  ReceiptRequest,
} from '../../../../domain/stock/resources.ts';

export interface DeliveryLine {
  item_id: number;
  /** 0: nothing of it has come. */
  quantity: number;
  unit_cost: number;
  /** Of an item that is kept by lot. */
  lot_number: string;
  /** YYYY-MM-DD */
  expires_on: string;
}

export interface DeliveryDraft {
  items: DeliveryLine[];
  notes: string;
}

export const missingOf = ({ quantity, received_quantity }: PurchaseOrderItemResource): number =>
  milliToWire(Math.max(0, milliFromWire(quantity) - milliFromWire(received_quantity)));

/** Everything that is missing, at the agreed cost. What is complete is left out. */
export const deliveryDraftOf = ({ items }: PurchaseOrderResource): DeliveryDraft => ({
  items: items.filter((item) => missingOf(item) > 0).map((item) => deliveryLine(item, missingOf(item))),
  notes: '',
});

export const deliveryLine = ({ id, unit_cost }: PurchaseOrderItemResource, quantity: number): DeliveryLine => ({
  item_id: id,
  quantity,
  unit_cost,
  lot_number: '',
  expires_on: '',
});

/** What is wrong with a line; one of which nothing has come is sound. */
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

/** The line of the order; undefined when the order was changed after the draft was begun. */
export const itemOf = (
  { items }: PurchaseOrderResource,
  { item_id }: DeliveryLine,
): PurchaseOrderItemResource | undefined => items.find(({ id }) => id === item_id);

export type DeliveryBody = { items: (ReceiptRequest & { item_id: number })[] };

export function deliveryBody({ items, notes }: DeliveryDraft, order: PurchaseOrderResource): DeliveryBody {
  return {
    items: items.flatMap((line) => {
      const item = itemOf(order, line);
      if (!item || line.quantity === 0) return [];
      const { item_id, quantity, unit_cost, lot_number, expires_on } = line;
      return [
        { item_id, quantity, unit_cost, notes, ...(item.tracks_lots && { lot_number: lot_number.trim(), expires_on }) },
      ];
    }),
  };
}
