import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import type { KitchenItemResource } from '#domain/preparation/resources.ts';
import { stepAfter, stepBefore } from '#domain/preparation/steps.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { idempotencyHeader } from '#domain/protocol/sync.ts';
import { changeRecord } from '#src/api/change-record.ts';
import { CallFailed, faultText } from '#src/api/client.ts';
import { newIdempotencyKey } from '#src/api/idempotency-key.ts';
import { preparationPaths } from '#src/server-data/preparation.ts';
import { refreshData } from '#src/server-data/use-server-data.ts';
import { useSession } from '#src/session/session.ts';
import { toast } from '#src/ui/toaster.tsx';
import { MoveQueue } from './move-queue.ts';
import type { Move, MoveOutcome, PendingMoves } from './move-queue.ts';

export interface BoardItem {
  orderId: string;
  item: KitchenItemResource;
  status: PreparationStatus;
}

/** Items of one status that move together. */
export interface BoardItems {
  /** What the toast calls them. */
  name: string;
  items: readonly BoardItem[];
}

export type OnMove = (moved: BoardItems, direction: 'forward' | 'back') => void;

/** The element id by which the board finds an item after it has moved. */
export const itemElementId = (itemId: string): string => `preparation-${itemId}`;

const path = ({ orderId, itemId }: Move) => `kitchen/orders/${orderId}/items/${itemId}/status`;

/** The time between attempts to send a move while the server does not answer. */
const retryMs = 3000;

/** Waits for the network, or some seconds: a server may return without the network having been away. */
const beforeRetry = () =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, retryMs);
    addEventListener('online', done);
    function done() {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    }
  });

/** Sends a move as soon as the server answers. Throws when the server refuses it. */
async function send(move: Move): Promise<void> {
  const key = { [idempotencyHeader]: newIdempotencyKey() };
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- One attempt after the other.
      await changeRecord(path(move), { changes: { status: move.to }, seen: { status: move.from } }, key, 'patch');
      return dropKept(move);
    } catch (thrown) {
      if (!(thrown instanceof CallFailed) || thrown.fault.code !== 'NETWORK') {
        dropKept(move);
        throw thrown;
      }
      // oxlint-disable-next-line no-await-in-loop -- One attempt after the other.
      await beforeRetry();
    }
  }
}

/** The moves outlive the screen: leaving the board cancels none. */
const usePendingMoves = create<{ moves: PendingMoves }>(() => ({ moves: new Map() }));
let queue: MoveQueue | undefined;

function openQueue(): MoveQueue {
  if (queue) return queue;
  const opened = new MoveQueue({
    send,
    reread: () => refreshData(...preparationPaths),
    show: (moves) => usePendingMoves.setState({ moves }),
  });
  queue = opened;
  const userId = useSession.getState().user?.id;
  for (const move of keptMoves()) if (move.userId === userId) void opened.move(move);
  return opened;
}

/** Moves items: on this board at once, then on the server, when it answers. A toast offers to undo a move forward. */
export function useMoves(): { moves: PendingMoves; onMove: OnMove } {
  const { t } = useTranslation();
  const moves = usePendingMoves((state) => state.moves);
  useEffect(() => void openQueue(), []);

  async function moveTo(
    { orderId, item: { id, name } }: BoardItem,
    { from, to }: Pick<Move, 'from' | 'to'>,
  ): Promise<boolean> {
    const move = { orderId, itemId: id, from, to };
    addKept({ ...move, userId: useSession.getState().user?.id ?? 0 });
    const outcome: MoveOutcome = await openQueue().move(move);
    if (outcome.isDone) return true;
    dropKept(move);
    if (outcome.thrown instanceof CallFailed)
      toast({ tone: 'error', title: t('preparation.notMoved', { name }), text: faultText(t, outcome.thrown.fault) });
    return false;
  }

  function moveForward({ name, items }: BoardItems): void {
    const to = items[0] && stepAfter(items[0].status);
    if (!to) return;
    for (const item of items) void moveTo(item, { from: item.status, to });
    toast({
      tone: 'success',
      title: t('preparation.moved', { name, status: t(`preparation.statuses.${to}`) }),
      action: {
        label: t('preparation.undo'),
        onClick: () => items.forEach((item) => void moveTo(item, { from: to, to: item.status })),
      },
    });
  }

  function moveBack({ items }: BoardItems): void {
    for (const item of items) {
      const to = stepBefore(item.status);
      if (to) void moveTo(item, { from: item.status, to });
    }
  }

  const onMove = useItemTaps((moved, direction) => {
    if (direction === 'forward') moveForward(moved);
    else moveBack(moved);
  });
  return { moves, onMove };
}

/** A second tap within this time is a bounce of the first, and would hit the item that has moved into its place. */
const bounceMs = 350;

/** Ignores bounced taps, and returns the focus to the moved item, whose element is created anew in another column. */
function useItemTaps(move: OnMove): OnMove {
  const lastAt = useRef(-Infinity);
  const movedId = useRef<string>(null);
  useEffect(() => {
    const id = movedId.current;
    movedId.current = null;
    if (id !== null && document.activeElement === document.body)
      document.getElementById(itemElementId(id))?.focus({ preventScroll: true });
  });
  return (moved, direction) => {
    if (performance.now() - lastAt.current < bounceMs) return;
    lastAt.current = performance.now();
    movedId.current = moved.items[0]?.item.id ?? null;
    move(moved, direction);
  };
}

/**
 * A move that the server does not have yet, with the person who made it, in whose name it is sent. Local storage keeps it, so
 * that a reload without a network loses none.
 */
interface KeptMove extends Move {
  userId: number;
}

const key = 'preparation-moves';

function keptMoves(): KeptMove[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as KeptMove[];
  } catch {
    return [];
  }
}

const keep = (moves: readonly KeptMove[]): void => localStorage.setItem(key, JSON.stringify(moves));

const addKept = (move: KeptMove): void => keep([...keptMoves(), move]);

/** Drops the first of equal moves. */
function dropKept({ itemId, to }: Move): void {
  const moves = keptMoves();
  const index = moves.findIndex((each) => each.itemId === itemId && each.to === to);
  if (index !== -1) keep(moves.toSpliced(index, 1));
}
