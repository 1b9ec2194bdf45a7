/** The preparation board on the wire: `GET /kitchen/orders`, and what moving an item answers. Quantities are wire decimals. */
import type { OrderType } from '../order/vocabulary.ts';
import type { PreparationStatus } from './steps.ts';

export interface KitchenItemResource {
  /** The line's id. */
  id: string;
  name: string;
  quantity: number;
  notes: string;
  status: PreparationStatus;
  /** When it was asked for: with the treatment, or with the services added later. */
  asked_at: string;
  /** When somebody last moved it; null as long as nobody has. */
  moved_at: string | null;
}

export interface KitchenOrderResource {
  id: string;
  number: string;
  order_type: OrderType;
  customer_name: string;
  /** What the room is called; empty where none was chosen. */
  room_number: string;
  notes: string;
  created_at: string;
  items: KitchenItemResource[];
}

export interface KitchenBoardResource {
  /** The newest last. */
  data: KitchenOrderResource[];
  /** Of all that is in that status, also of what is too much to show. */
  counts: Record<PreparationStatus, number>;
}

export interface MovedItemResource {
  order_id: string;
  id: string;
  status: PreparationStatus;
}

/** A service leaves the board a day after it was asked for, prepared or not. */
export const boardHours = 24;
/** As many items as a column shows: the longest waiting ones, and of the served those that were served last. */
export const columnLimits: Record<PreparationStatus, number> = { pending: 100, preparing: 100, ready: 100, served: 24 };
