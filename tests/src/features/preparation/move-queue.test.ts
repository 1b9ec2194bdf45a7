import { beforeEach, expect, test } from 'vitest';
import { MoveQueue } from '../../../../src/features/preparation/move-queue.ts';
import type { Move, MovesUnderWay } from '../../../../src/features/preparation/move-queue.ts';

interface Asked {
  move: Move;
  answer: () => void;
  refuse: () => void;
}

let asked: Asked[];
let reread: number;
let shown: MovesUnderWay;
let queue: MoveQueue;

beforeEach(() => {
  asked = [];
  reread = 0;
  shown = new Map();
  queue = new MoveQueue({
    send: (move) =>
      new Promise<void>((resolve, reject) =>
        asked.push({ move, answer: resolve, refuse: () => reject(new Error('no')) }),
      ),
    reread: async () => void (reread += 1),
    show: (moves) => (shown = moves),
  });
});

const move = (itemId: string, to: Move['to']) => queue.move({ orderId: 'order', itemId, to });
/** Lets everything that has been answered take its course. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const sent = () => asked.map(({ move: { itemId, to } }) => `${itemId} ${to}`);

test('shows a move at once, and until the board has been read again', async () => {
  let readAgain = () => {};
  queue = new MoveQueue({
    send: async () => {},
    reread: () => new Promise((resolve) => (readAgain = resolve)),
    show: (moves) => (shown = moves),
  });
  const done = move('tray', 'preparing');
  expect(shown).toEqual(new Map([['tray', 'preparing']]));
  expect(await done).toEqual({ isDone: true });
  await settled();
  expect(shown.get('tray')).toBe('preparing');
  readAgain();
  await settled();
  expect(shown).toEqual(new Map());
});

test('sends what happens to one item in its order, and does not hold up another', async () => {
  void move('tray', 'preparing');
  void move('tray', 'ready');
  void move('mirror', 'preparing');
  await settled();
  expect(sent()).toEqual(['tray preparing', 'mirror preparing']);
  expect(shown).toEqual(
    new Map([
      ['tray', 'ready'],
      ['mirror', 'preparing'],
    ]),
  );
  asked[0]!.answer();
  await settled();
  expect(sent()).toEqual(['tray preparing', 'mirror preparing', 'tray ready']);
  // The board is not asked in the middle: it would put the item back for a moment.
  expect([reread, shown.get('tray')]).toEqual([0, 'ready']);
  for (const { answer } of asked) answer();
  await settled();
  expect([reread, shown.size]).toEqual([2, 0]);
});

test('takes a refused move back at once, and does not try what built on it', async () => {
  const first = move('tray', 'preparing');
  const second = move('tray', 'ready');
  await settled();
  asked[0]!.refuse();
  expect(await first).toEqual({ isDone: false, thrown: new Error('no') });
  expect(await second).toEqual({ isDone: false });
  await settled();
  expect([sent(), shown.size, reread]).toEqual([['tray preparing'], 0, 1]);
});

test('goes on with an item after a refusal', async () => {
  void move('tray', 'preparing');
  await settled();
  asked[0]!.refuse();
  await settled();
  const again = move('tray', 'preparing');
  await settled();
  asked[1]!.answer();
  expect(await again).toEqual({ isDone: true });
});
