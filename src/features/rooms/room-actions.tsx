/** What managers do with a room as it stands. What cannot be done is said at once, by the rule that the server has too. */
import { useTranslation } from 'react-i18next';
import { decideRemoval, decideStatus } from '../../../domain/room/room.ts';
import type { RoomState, RoomStatus } from '../../../domain/room/room.ts';
import type { Result } from '../../../domain/result.ts';
import { callServer } from '../../api/client.ts';
import { useServerCall } from '../../server-data/use-server-call.ts';
import { requestSync } from '../../sync/sync-host.ts';
import type { LocalRoom } from '../../db/queries/rooms.ts';
import { useRoomName } from '../../formats/use-room-name.ts';
import { toast } from '../../ui/toaster.tsx';
import { Pencil, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface SetStatus {
  room: LocalRoom;
  status: RoomStatus;
}

export interface RoomDeeds {
  /** True while the server is being asked: the buttons wait. */
  isBusy: boolean;
  setStatus: (room: LocalRoom, status: RoomStatus) => Promise<void>;
  /** Whether it may be deleted; if not, a toast has said why. */
  mayRemove: (room: LocalRoom) => boolean;
  remove: (room: LocalRoom) => Promise<void>;
}

const stateOf = ({ is_occupied, treatments }: LocalRoom): RoomState => ({
  isOccupied: is_occupied,
  treatments: treatments.length,
});

export function useRoomDeeds(): RoomDeeds {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const marking = useServerCall(
    ({ room, status }: SetStatus, headers) => callServer('put', `tables/${room.id}`, { status }, headers),
    {
      refreshes: [],
      done: ({ room, status }) =>
        t(status === 'occupied' ? 'rooms.done.occupied' : 'rooms.done.cleared', { room: nameOf(room.number) }),
      failed: t('rooms.failed.status'),
    },
  );
  const removal = useServerCall(
    ({ id }: LocalRoom, headers) => callServer('delete', `tables/${id}`, undefined, headers),
    {
      refreshes: [],
      done: ({ number }) => t('rooms.done.deleted', { room: nameOf(number) }),
      failed: t('rooms.failed.delete'),
    },
  );

  function isAgreed(agreed: Result<unknown>, failed: string): boolean {
    if (!agreed.ok) toast({ tone: 'error', title: failed, text: t(`errors.${agreed.refusal.code}`) });
    return agreed.ok;
  }
  return {
    isBusy: marking.isRunning || removal.isRunning,
    setStatus: async (room, status) => {
      if (!isAgreed(decideStatus(stateOf(room), status), t('rooms.failed.status'))) return;
      if (await marking.run({ room, status })) requestSync('asked');
    },
    mayRemove: (room) => isAgreed(decideRemoval(stateOf(room)), t('rooms.failed.delete')),
    remove: async (room) => {
      if (await removal.run(room)) requestSync('asked');
    },
  };
}

export interface RoomActions {
  deeds: RoomDeeds;
  onEdit: (room: LocalRoom) => void;
  onDelete: (room: LocalRoom) => void;
}

/** Occupies a room by hand, or frees it. */
export function StatusButton({ room, deeds }: { room: LocalRoom; deeds: RoomDeeds }) {
  const { t } = useTranslation();
  const name = useRoomName()(room.number);
  const isFree = room.status === 'available';
  return (
    <Button
      size="sm"
      variant="quiet"
      px="2"
      color="accent.fg"
      disabled={deeds.isBusy}
      aria-label={t(isFree ? 'rooms.actions.occupyRoom' : 'rooms.actions.clearRoom', { room: name })}
      onClick={() => void deeds.setStatus(room, isFree ? 'occupied' : 'available')}
    >
      {t(isFree ? 'rooms.actions.occupy' : 'rooms.actions.clear')}
    </Button>
  );
}

export function EditAndDelete({
  room,
  actions: { deeds, onEdit, onDelete },
}: {
  room: LocalRoom;
  actions: RoomActions;
}) {
  const { t } = useTranslation();
  const name = useRoomName()(room.number);
  return (
    <>
      <IconButton
        size="sm"
        color="fg.muted"
        label={t('rooms.actions.editRoom', { room: name })}
        onClick={() => onEdit(room)}
      >
        <Pencil />
      </IconButton>
      <IconButton
        size="sm"
        color="fg.muted"
        _hover={{ bg: 'refused.subtle', color: 'refused.fg' }}
        disabled={deeds.isBusy}
        label={t('rooms.actions.deleteRoom', { room: name })}
        onClick={() => deeds.mayRemove(room) && onDelete(room)}
      >
        <Trash2 />
      </IconButton>
    </>
  );
}
