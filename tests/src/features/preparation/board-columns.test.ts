import { describe, expect, test } from 'vitest';
import type { KitchenBoardResource, KitchenItemResource, KitchenOrderResource } from '#domain/preparation/resources.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { boardColumns, boardOfRoom, roomsOn } from '#src/features/preparation/board-columns.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 12, 9, minute)).toISOString();

const item = (id: string, status: PreparationStatus, over: Partial<KitchenItemResource> = {}): KitchenItemResource => ({
  id,
  name: `Tray ${id}`,
  quantity: 1,
  notes: '',
  status,
  asked_at: at(0),
  moved_at: null,
  ...over,
});
const order = (id: string, ...items: KitchenItemResource[]): KitchenOrderResource => ({
  id,
  number: `T-${id}`,
  order_type: 'walk_in',
  customer_name: '',
  room_number: '',
  notes: '',
  created_at: at(0),
  items,
});

function board(...data: KitchenOrderResource[]): KitchenBoardResource {
  const counts = { pending: 0, preparing: 0, ready: 0, served: 0 };
  for (const { status } of data.flatMap(({ items }) => items)) counts[status] += 1;
  return { data, counts };
}

/** Returns the item ids of each card, by column. */
const layout = (...args: Parameters<typeof boardColumns>) =>
  Object.fromEntries(
    boardColumns(...args).map(({ status, cards }) => [
      status,
      cards.map(({ items }) => items.map(({ id }) => id).join('+')),
    ]),
  );

describe('board columns', () => {
  test('put items of one order and status on one card, and items added later on another', () => {
    const shown = layout(
      board(
        order(
          'A',
          item('1', 'pending'),
          item('2', 'ready'),
          item('3', 'pending'),
          item('4', 'pending', { asked_at: at(7) }),
        ),
      ),
      new Map(),
    );
    expect(shown).toEqual({ pending: ['1+3', '4'], preparing: [], ready: ['2'], served: [] });
  });

  test('begin with the longest wait, and among served items with the latest', () => {
    const ready = [item('late', 'ready', { asked_at: at(9) }), item('early', 'ready', { asked_at: at(3) })];
    const served = [
      item('before', 'served', { asked_at: at(1), moved_at: at(20) }),
      item('after', 'served', { asked_at: at(0), moved_at: at(30) }),
    ];
    expect(layout(board(order('A', ...ready), order('B', ...served)), new Map())).toMatchObject({
      ready: ['early', 'late'],
      served: ['after', 'before'],
    });
  });

  test('show and count a moving item in its new column', () => {
    const data = board(
      order('A', item('1', 'pending'), item('2', 'pending')),
      order('B', item('3', 'served', { moved_at: at(50) })),
    );
    const columns = boardColumns(data, new Map([['2', 'preparing']]));
    expect(layout(data, new Map([['2', 'preparing']]))).toMatchObject({ pending: ['1'], preparing: ['2'] });
    expect(columns.map(({ count }) => count)).toEqual([1, 1, 0, 1]);
    expect(data.counts).toEqual({ pending: 2, preparing: 0, ready: 0, served: 1 });
    // An item that is being served comes before the ones already served.
    expect(layout(data, new Map([['1', 'served']]))['served']).toEqual(['1', '3']);
  });

  test('count the items that the server does not list', () => {
    const data = board(order('A', item('1', 'pending')));
    data.counts.pending = 131;
    expect(boardColumns(data, new Map()).map(({ hidden }) => hidden)).toEqual([130, 0, 0, 0]);
  });
});

describe('a board of several rooms', () => {
  const inRoom = (room_number: string, one: KitchenOrderResource): KitchenOrderResource => ({ ...one, room_number });
  const whole = board(
    inRoom('10', order('a', item('1', 'pending'), item('2', 'served'))),
    inRoom('2', order('b', item('3', 'pending'))),
    inRoom('10', order('c', item('4', 'ready'))),
    order('d', item('5', 'pending')),
  );

  test('names each room once, in the order of its number', () => {
    expect(roomsOn(whole)).toEqual(['2', '10']);
    expect(roomsOn(board())).toEqual([]);
  });

  test('shows one room with counts of its own, and hides nothing of it', () => {
    const columns = boardColumns(boardOfRoom({ ...whole, counts: { ...whole.counts, served: 80 } }, '10'), new Map());
    expect(columns.map(({ count, hidden, cards }) => [count, hidden, cards.map(({ order: { id } }) => id)])).toEqual([
      [1, 0, ['a']],
      [0, 0, []],
      [1, 0, ['c']],
      [1, 0, ['a']],
    ]);
  });
});
