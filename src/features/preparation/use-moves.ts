import { useEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '../../server-data/use-server-call.ts';
import { useTranslation } from 'react-i18next';
import type { KitchenItemResource } from '../../../domain/preparation/resources.ts';
import { stepAfter, stepBefore } from '../../../domain/preparation/steps.ts';
import type { PreparationStatus } from '../../../domain/preparation/steps.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import { CallFailed, callServer, faultText } from '../../api/client.ts';
import { refreshData } from '../../server-data/use-server-data.ts';
import { toast } from '../../ui/toaster.tsx';
import { MoveQueue } from './move-queue.ts';
import type { Move, PendingMoves } from './move-queue.ts';

export interface BoardItem {
  orderId: string;
  item: KitchenItemResource;
  status: PreparationStatus;
}

export type OnMove = (boardItem: BoardItem, direction: 'forward' | 'back') => void;

/** The element id by which the board finds an item after it has moved. */
export const itemElementId = (itemId: string): string => `preparation-${itemId}`;

const path = ({ orderId, itemId }: Move) => `kitchen/orders/${orderId}/items/${itemId}/status`;

/** Moves items: on this board at once, then on the server. A toast offers to undo a move forward. */
export function useMoves(): { moves: PendingMoves; onMove: OnMove } {
  const { t } = useTranslation();
  const [moves, setMoves] = useState<PendingMoves>(new Map());
  const [queue] = useState(
    () =>
      new MoveQueue({
        send: (move) =>
          callServer('patch', path(move), { status: move.to }, { [idempotencyHeader]: newIdempotencyKey() }),
        reread: () => refreshData('kitchen'),
        show: setMoves,
      }),
  );

  async function moveTo({ orderId, item: { id, name } }: BoardItem, to: PreparationStatus): Promise<boolean> {
    const outcome = await queue.move({ orderId, itemId: id, to });
    if (outcome.isDone) return true;
    if (outcome.thrown instanceof CallFailed)
      toast({ tone: 'error', title: t('preparation.notMoved', { name }), text: faultText(t, outcome.thrown.fault) });
    return false;
  }

  async function moveForward(boardItem: BoardItem): Promise<void> {
    const { item, status } = boardItem;
    const to = stepAfter(status);
    if (!to || !(await moveTo(boardItem, to))) return;
    toast({
      tone: 'success',
      title: t('preparation.moved', { name: item.name, status: t(`preparation.statuses.${to}`) }),
      action: { label: t('preparation.undo'), onClick: () => void moveTo(boardItem, status) },
    });
  }

  async function moveBack(boardItem: BoardItem): Promise<void> {
    const to = stepBefore(boardItem.status);
    if (to) await moveTo(boardItem, to);
  }

  const onMove = useItemTaps((boardItem, direction) => {
    void (direction === 'forward' ? moveForward(boardItem) : moveBack(boardItem));
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
  return (boardItem, direction) => {
    if (performance.now() - lastAt.current < bounceMs) return;
    lastAt.current = performance.now();
    movedId.current = boardItem.item.id;
    move(boardItem, direction);
  };
}
