import { useLiveQuery } from '#src/local-data/live.ts';
import { DoorOpen } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { loadLater } from '#src/ui/load-later.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import { ExtraButton } from './extra-button.tsx';

const RoomDialog = loadLater(async () => (await import('./room-dialog.tsx')).RoomDialog);

/** Lets staff choose the plan's room, if the clinic has rooms. */
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
      <ExtraButton
        icon={<DoorOpen />}
        word={t('counter.room.choose')}
        value={name}
        aria-label={name && t('counter.room.change', { room: name })}
        onClick={() => setOpen(true)}
      />
      <Suspense fallback={null}>{open && <RoomDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
