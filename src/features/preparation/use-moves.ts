import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KitchenItemResource } from '../../../domain/preparation/resources.ts';
import { stepAfter, stepBefore } from '../../../domain/preparation/steps.ts';
import type { PreparationStatus } from '../../../domain/preparation/steps.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import { CallFailed, callServer, faultText, newIdempotencyKey } from '../../api/client.ts';
import { refreshData } from '../../server-data/use-server-data.ts';
import { toast } from '../../ui/toaster.tsx';
import { MoveQueue } from './move-queue.ts';
import type { Move, MovesUnderWay } from './move-queue.ts';

/** An item, and how far it is by this board. */
export interface Placed {
  orderId: string;
  item: KitchenItemResource;
  status: PreparationStatus;
}

const path = ({ orderId, itemId }: Move) => `kitchen/orders/${orderId}/items/${itemId}/status`;

/** Moves items: on this board at once, then at the server, and with a way back for a tap that was meant for another. */
export function useMoves(): {
  moves: MovesUnderWay;
  moveOn: (placed: Placed) => void;
  moveBack: (placed: Placed) => void;
} {
  const { t } = useTranslation();
  const [moves, setMoves] = useState<MovesUnderWay>(new Map());
  const [queue] = useState(
    () =>
      new MoveQueue({
        send: (move) =>
          callServer('patch', path(move), { status: move.to }, { [idempotencyHeader]: newIdempotencyKey() }),
        reread: () => refreshData('kitchen'),
        show: setMoves,
      }),
  );

  async function bring({ orderId, item: { id, name } }: Placed, to: PreparationStatus): Promise<boolean> {
    const outcome = await queue.move({ orderId, itemId: id, to });
    if (outcome.isDone) return true;
    if (outcome.thrown instanceof CallFailed)
      toast({ tone: 'error', title: t('preparation.notMoved', { name }), text: faultText(t, outcome.thrown.fault) });
    return false;
  }

  async function moveOn(placed: Placed): Promise<void> {
    const { item, status } = placed;
    const to = stepAfter(status);
    if (!to || !(await bring(placed, to))) return;
    toast({
      tone: 'success',
      title: t('preparation.moved', { name: item.name, status: t(`preparation.statuses.${to}`) }),
      action: { label: t('preparation.undo'), onClick: () => void bring(placed, status) },
    });
  }

  async function moveBack(placed: Placed): Promise<void> {
    const to = stepBefore(placed.status);
    if (to) await bring(placed, to);
  }

  return { moves, moveOn: (placed) => void moveOn(placed), moveBack: (placed) => void moveBack(placed) };
}
