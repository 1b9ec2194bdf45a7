import { beforeEach, describe, expect, test } from 'vitest';
import { MoveQueue } from '#src/features/preparation/move-queue.ts';
import type { Move, PendingMoves } from '#src/features/preparation/move-queue.ts';

interface Request {
  move: Move;
  answer: () => void;
  refuse: () => void;
}

let requests: Request[];
let reread: number;
let shown: PendingMoves;
let queue: MoveQueue;

beforeEach(() => {
  requests = [];
  reread = 0;
  shown = new Map();
  queue = new MoveQueue({
    send: (move) =>
      new Promise<void>((resolve, reject) =>
        requests.push({ move, answer: resolve, refuse: () => reject(new Error('no')) }),
      ),
    reread: async () => void (reread += 1),
    show: (moves) => (shown = moves),
  });
});

const move = (itemId: string, to: Move['to']) => queue.move({ orderId: 'order', itemId, from: 'pending', to });
/** Waits until the queue has handled all answers. */
const idle = () => new Promise((resolve) => setTimeout(resolve));
const sent = () => requests.map(({ move: { itemId, to } }) => `${itemId} ${to}`);

describe('move queue', () => {
  test('shows a move at once and until the board has been read again', async () => {
    let readAgain = () => {};
    queue = new MoveQueue({
      send: async () => {},
      reread: () => new Promise((resolve) => (readAgain = resolve)),
      show: (moves) => (shown = moves),
    });
    const done = move('tray', 'preparing');
    expect(shown).toEqual(new Map([['tray', 'preparing']]));
    expect(await done).toEqual({ isDone: true });
    await idle();
    expect(shown.get('tray')).toBe('preparing');
    readAgain();
    await idle();
    expect(shown).toEqual(new Map());
  });

  test('sends the moves of one item in order, and moves of other items without waiting', async () => {
    void move('tray', 'preparing');
    void move('tray', 'ready');
    void move('mirror', 'preparing');
    await idle();
    expect(sent()).toEqual(['tray preparing', 'mirror preparing']);
    expect(shown).toEqual(
      new Map([
        ['tray', 'ready'],
        ['mirror', 'preparing'],
      ]),
    );
    requests[0]!.answer();
    await idle();
    expect(sent()).toEqual(['tray preparing', 'mirror preparing', 'tray ready']);
    // The board is not read between two moves of an item, since it would show the first one for a moment.
    expect([reread, shown.get('tray')]).toEqual([0, 'ready']);
    for (const { answer } of requests) answer();
    await idle();
    expect([reread, shown.size]).toEqual([2, 0]);
  });

  test('takes back a refused move at once and does not send the moves that follow it', async () => {
    const first = move('tray', 'preparing');
    const second = move('tray', 'ready');
    await idle();
    requests[0]!.refuse();
    expect(await first).toEqual({ isDone: false, thrown: new Error('no') });
    expect(await second).toEqual({ isDone: false });
    await idle();
    expect([sent(), shown.size, reread]).toEqual([['tray preparing'], 0, 1]);
  });

  test('accepts a new move of an item after a refusal', async () => {
    void move('tray', 'preparing');
    await idle();
    requests[0]!.refuse();
    await idle();
    const again = move('tray', 'preparing');
    await idle();
    requests[1]!.answer();
    expect(await again).toEqual({ isDone: true });
  });
});
