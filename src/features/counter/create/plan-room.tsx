import { chakra } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { DoorOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../device/database.ts';
import { useRoomName } from '../../../clinic/use-room-name.ts';
import { Button } from '../../../ui/button.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { RoomDialog } from './room-dialog.tsx';

/** Where the treatment happens, for a clinic that has rooms. Nobody needs to say. */
export function PlanRoom() {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const { room } = usePlan(currentDraft);
  const [open, setOpen] = useState(false);
  const hasRooms = useLiveQuery(async () => (await db.rooms.count()) > 0, []);
  if (!hasRooms && !room) return null;
  const name = room && nameOf(room.number);
  return (
    <>
      <Button
        variant="quiet"
        px="2"
        minWidth="0"
        flexShrink={1}
        fontSize="sm"
        color={name ? 'fg' : 'fg.muted'}
        aria-label={name && t('counter.room.change', { room: name })}
        onClick={() => setOpen(true)}
      >
        <DoorOpen />
        <chakra.span truncate>{name ?? t('counter.room.choose')}</chakra.span>
      </Button>
      {open && <RoomDialog onClose={() => setOpen(false)} />}
    </>
  );
}
