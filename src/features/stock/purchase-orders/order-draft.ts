/** Form state of a purchase order and the request body made from it. */
import { minorFromWire } from '#domain/money.ts';
import { extend, milliFromWire } from '#domain/quantity.ts';
import type { PurchaseSuggestion } from '#domain/stock/resources.ts';
import { blankPurchase } from '#domain/stock/blank-drafts.ts';
import type { PurchaseDraft } from '#domain/stock/drafts.ts';
import type { purchaseFormOf } from '#domain/stock/purchasing.ts';

/** A line with the name and unit of its item, so that a restored draft shows without the server. */
export interface OrderLine {
  stock_id: number;
  name: string;
  unit: string;
  quantity: number;
  unit_cost: number;
}

export interface OrderDraft extends Omit<PurchaseDraft, 'items'> {
  items: OrderLine[];
}

export const blankOrder: OrderDraft = { ...blankPurchase, items: [] };

/** An order as its form sends it, and as the server compares it. */
export type OrderFormRecord = ReturnType<typeof purchaseFormOf>;

/**
 * Returns the draft of an order.
 *
 * @param supplies the items of lines that others have added, by id
 * @param lines the lines whose items are known
 */
export const draftOf = (
  { vendor, vendor_contact, notes, items }: OrderFormRecord,
  supplies: ReadonlyMap<number, Pick<OrderLine, 'name' | 'unit'>>,
  lines: readonly Pick<OrderLine, 'stock_id' | 'name' | 'unit'>[],
): OrderDraft => ({
  vendor,
  vendor_contact,
  notes,
  items: items.map((line) => {
    const item = lines.find(({ stock_id }) => stock_id === line.stock_id) ?? supplies.get(line.stock_id);
    return { ...line, name: item?.name ?? `#${line.stock_id}`, unit: item?.unit ?? '' };
  }),
});

export const purchaseBody = (draft: OrderDraft): PurchaseDraft => ({
  ...draft,
  items: draft.items.map(({ stock_id, quantity, unit_cost }) => ({
    stock_id,
    quantity,
    unit_cost,
  })),
});

export const lineOfSuggestion = ({
  stock_id,
  name,
  unit,
  suggested,
  unit_cost,
}: PurchaseSuggestion['items'][number]): OrderLine => ({
  stock_id,
  name,
  unit,
  quantity: suggested,
  unit_cost,
});

/** Returns the total of a line in minor units, rounded per line as on the server. */
export const lineTotal = ({ quantity, unit_cost }: Pick<OrderLine, 'quantity' | 'unit_cost'>): number =>
  extend(milliFromWire(quantity), minorFromWire(unit_cost));

export const draftTotal = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, line) => sum + lineTotal(line), 0);
