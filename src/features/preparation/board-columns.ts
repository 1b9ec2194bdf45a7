/** The board's columns, from what the server said and what is on its way. */
import type {
  KitchenBoardResource,
  KitchenItemResource,
  KitchenOrderResource,
} from '../../../domain/preparation/resources.ts';
import { preparationStatuses } from '../../../domain/preparation/steps.ts';
import type { PreparationStatus } from '../../../domain/preparation/steps.ts';
import type { MovesUnderWay } from './move-queue.ts';

/** What was asked for together and is equally far: services added later wait on a card of their own. */
export interface Card {
  key: string;
  order: KitchenOrderResource;
  askedAtMs: number;
  /** When the last of its items was moved; infinitely late while that is under way. */
  movedAtMs: number;
  items: KitchenItemResource[];
}

export interface Column {
  status: PreparationStatus;
  cards: Card[];
  count: number;
  /** How many of them are too many to show. */
  hidden: number;
}

/** The longest waiting first; of the served the last one. */
export function boardColumns({ data, counts }: KitchenBoardResource, moves: MovesUnderWay): Column[] {
  const seen = { ...counts };
  const byKey = new Map<string, { status: PreparationStatus; card: Card }>();
  for (const order of data) {
    for (const item of order.items) {
      const status = moves.get(item.id) ?? item.status;
      if (status !== item.status) {
        seen[item.status] -= 1;
        seen[status] += 1;
      }
      const key = `${status} ${order.id} ${item.asked_at}`;
      const card = byKey.get(key)?.card ?? {
        key,
        order,
        askedAtMs: Date.parse(item.asked_at),
        movedAtMs: 0,
        items: [],
      };
      card.items.push(item);
      card.movedAtMs = Math.max(
        card.movedAtMs,
        status === item.status ? Date.parse(item.moved_at ?? item.asked_at) : Infinity,
      );
      byKey.set(key, { status, card });
    }
  }
  return preparationStatuses.map((status) => {
    const cards = [...byKey.values()].filter((each) => each.status === status).map(({ card }) => card);
    cards.sort((a, b) => (status === 'served' ? b.movedAtMs - a.movedAtMs || 0 : a.askedAtMs - b.askedAtMs));
    const shown = cards.reduce((sum, { items }) => sum + items.length, 0);
    return { status, cards, count: seen[status], hidden: Math.max(0, seen[status] - shown) };
  });
}
