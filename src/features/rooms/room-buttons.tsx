import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LocalRoom } from '../../db/queries/rooms.ts';
import { useRoomName } from '../../clinic/use-room-name.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { RoomDeeds } from './room-actions.tsx';

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
