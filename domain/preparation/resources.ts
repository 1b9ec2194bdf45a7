/** The preparation board on the wire: `GET /kitchen/orders` and the reply to moving an item. Quantities are wire decimals. */
import type { OrderType } from '../order/vocabulary.ts';
import type { PreparationStatus } from './steps.ts';

export interface KitchenItemResource {
  /** The line's id. */
  id: string;
  name: string;
  quantity: number;
  notes: string;
  status: PreparationStatus;
  /** When the service was ordered: with the treatment or later. */
  asked_at: string;
  /** When the item was last moved; null if it never was. */
  moved_at: string | null;
}

export interface KitchenOrderResource {
  id: string;
  number: string;
  order_type: OrderType;
  customer_name: string;
  /** Empty when no room was chosen. */
  room_number: string;
  notes: string;
  created_at: string;
  items: KitchenItemResource[];
}

export interface KitchenBoardResource {
  /** Oldest first. */
  data: KitchenOrderResource[];
  /** The number of items in each status, including those beyond the column limit. */
  counts: Record<PreparationStatus, number>;
}

export interface MovedItemResource {
  order_id: string;
  id: string;
  status: PreparationStatus;
}

/** An item leaves the board this long after it was ordered, prepared or not. */
export const boardHours = 24;
/** The most items per column: the longest waiting ones, or for `served` the last served ones. */
export const columnLimits: Record<PreparationStatus, number> = { pending: 100, preparing: 100, ready: 100, served: 24 };
