/** The columns of the preparation board, from the server's board and the moves that it does not contain yet. */
import type { KitchenBoardResource, KitchenItemResource, KitchenOrderResource } from '#domain/preparation/resources.ts';
import { preparationStatuses } from '#domain/preparation/steps.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import type { PendingMoves } from './move-queue.ts';

/** The items of an order that were ordered together and have the same status. Items added later get their own card. */
export interface Card {
  key: string;
  order: KitchenOrderResource;
  orderedAtMs: number;
  /** Time of the last move of its items; Infinity while the server has not confirmed one. */
  movedAtMs: number;
  items: KitchenItemResource[];
}

export interface Column {
  status: PreparationStatus;
  cards: Card[];
  count: number;
  /** Number of items that the server counts but does not list. */
  hidden: number;
}

/** Returns the numbers of the rooms on the board, in order. */
export function roomsOn({ data }: KitchenBoardResource): string[] {
  const numbers = new Set(data.map(({ room_number }) => room_number).filter((number) => number !== ''));
  return [...numbers].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

/** Returns the part of the board that happens in one room. Its counts are of what is listed. */
export function boardOfRoom({ data }: KitchenBoardResource, room: string): KitchenBoardResource {
  const own = data.filter(({ room_number }) => room_number === room);
  const counts = { pending: 0, preparing: 0, ready: 0, served: 0 };
  for (const { status } of own.flatMap(({ items }) => items)) counts[status] += 1;
  return { data: own, counts };
}

/** Orders the cards by waiting time, the longest first; served ones by the time of serving, the latest first. */
export function boardColumns({ data, counts }: KitchenBoardResource, moves: PendingMoves): Column[] {
  const movedCounts = { ...counts };
  const byKey = new Map<string, { status: PreparationStatus; card: Card }>();
  for (const order of data) {
    for (const item of order.items) {
      const status = moves.get(item.id) ?? item.status;
      if (status !== item.status) {
        movedCounts[item.status] -= 1;
        movedCounts[status] += 1;
      }
      const key = `${status} ${order.id} ${item.asked_at}`;
      const card = byKey.get(key)?.card ?? {
        key,
        order,
        orderedAtMs: Date.parse(item.asked_at),
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
    cards.sort((a, b) => (status === 'served' ? b.movedAtMs - a.movedAtMs || 0 : a.orderedAtMs - b.orderedAtMs));
    const shown = cards.reduce((sum, { items }) => sum + items.length, 0);
    return { status, cards, count: movedCounts[status], hidden: Math.max(0, movedCounts[status] - shown) };
  });
}
