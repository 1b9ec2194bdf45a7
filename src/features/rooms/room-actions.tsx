/** Actions on a room. Each one is checked first with the rule that the server applies, so that a refusal shows at once. */
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { decideRemoval, decideStatus } from '#domain/room/room.ts';
import type { RoomState, RoomStatus } from '#domain/room/room.ts';
import type { Result } from '#domain/result.ts';
import { changeOf, changeRecord } from '#src/api/change-record.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { toast } from '#src/ui/toaster.tsx';
import { StyledButton, StyledIconButton } from '#src/ui/styled.tsx';

export interface RoomRequests {
  /** True while a request is running; the buttons are disabled meanwhile. */
  isBusy: boolean;
  setStatus: (room: LocalRoom, status: RoomStatus) => Promise<void>;
  /** Returns false, and shows the reason in a toast, for a room that cannot be deleted. */
  mayRemove: (room: LocalRoom) => boolean;
}

export interface RoomActions extends RoomRequests {
  onEdit: (room: LocalRoom) => void;
  onDelete: (room: LocalRoom) => void;
}

const stateOf = ({ is_occupied, treatments }: LocalRoom): RoomState => ({
  isOccupied: is_occupied,
  treatments: treatments.length,
});

export function useRoomRequests(): RoomRequests {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const statusChange = useServerCall(
    ({ room, status }: { room: LocalRoom; status: RoomStatus }, headers) =>
      changeRecord(`tables/${room.id}`, changeOf(room, { status }), headers),
    {
      refreshes: [],
      done: ({ room, status }) =>
        t(status === 'occupied' ? 'rooms.done.occupied' : 'rooms.done.cleared', { room: nameOf(room.number) }),
      failed: t('rooms.failed.status'),
    },
  );
  function isAllowed(decision: Result<unknown>, failed: string): boolean {
    if (!decision.ok) toast({ tone: 'error', title: failed, text: t(`errors.${decision.refusal.code}`) });
    return decision.ok;
  }
  return {
    isBusy: statusChange.isRunning,
    setStatus: async (room, status) => {
      if (!isAllowed(decideStatus(stateOf(room), status), t('rooms.failed.status'))) return;
      if (await statusChange.run({ room, status })) requestSync('asked');
    },
    mayRemove: (room) => isAllowed(decideRemoval(stateOf(room)), t('rooms.failed.delete')),
  };
}

/** Marks a free room as occupied, or an occupied one as free. */
export function StatusButton({ room, actions }: { room: LocalRoom; actions: RoomRequests }) {
  const { t } = useTranslation();
  const name = useRoomName()(room.number);
  const isFree = room.status === 'available';
  return (
    <StyledButton
      size="sm"
      variant="quiet"
      px="2"
      color="accent.fg"
      disabled={actions.isBusy}
      aria-label={t(isFree ? 'rooms.actions.occupyRoom' : 'rooms.actions.clearRoom', { room: name })}
      onClick={() => void actions.setStatus(room, isFree ? 'occupied' : 'available')}
    >
      {t(isFree ? 'rooms.actions.occupy' : 'rooms.actions.clear')}
    </StyledButton>
  );
}

export function EditAndDeleteButtons({ room, actions }: { room: LocalRoom; actions: RoomActions }) {
  const { t } = useTranslation();
  const name = useRoomName()(room.number);
  return (
    <>
      <StyledIconButton
        size="sm"
        color="fg.muted"
        label={t('rooms.actions.editRoom', { room: name })}
        onClick={() => actions.onEdit(room)}
      >
        <Pencil />
      </StyledIconButton>
      <StyledIconButton
        size="sm"
        color="fg.muted"
        _hover={{ bg: 'refused.subtle', color: 'refused.fg' }}
        disabled={actions.isBusy}
        label={t('rooms.actions.deleteRoom', { room: name })}
        onClick={() => actions.mayRemove(room) && actions.onDelete(room)}
      >
        <Trash2 />
      </StyledIconButton>
    </>
  );
}
