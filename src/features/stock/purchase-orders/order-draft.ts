/** Form state of a purchase order and the request body made from it. */
import { minorFromWire } from '#domain/money.ts';
import { extend, milliFromWire } from '#domain/quantity.ts';
import type { PurchaseOrderResource, PurchaseSuggestion } from '#domain/stock/resources.ts';
import { blankPurchase } from '#domain/stock/blank-drafts.ts';
import type { PurchaseDraft } from '#domain/stock/drafts.ts';

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

export const draftOf = ({ vendor, vendor_contact, notes, items }: PurchaseOrderResource): OrderDraft => ({
  vendor,
  vendor_contact,
  notes,
  items: items.map(({ stock_id, name, unit, quantity, unit_cost }) => ({ stock_id, name, unit, quantity, unit_cost })),
});

export const purchaseBody = (draft: OrderDraft): PurchaseDraft => ({
  ...draft,
  items: draft.items.map(({ stock_id, quantity, unit_cost }) => ({ stock_id, quantity, unit_cost })),
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
