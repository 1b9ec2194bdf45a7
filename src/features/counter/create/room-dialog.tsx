import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { byLocation } from '#domain/room/room.ts';
import { db } from '#src/local-data/database.ts';
import { localRooms } from '#src/db/queries/rooms.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { currentDraft, usePlan } from '../plan-store.ts';
import type { PlanRoom as Room } from '../plan-store.ts';

/** Lists the rooms by location. Occupied rooms can be chosen too, because a room may take a second treatment. */
export function RoomDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { room: chosen } = usePlan(currentDraft);
  const groups = useLiveQuery(async () => byLocation(await localRooms(db)), []) ?? [];
  function choose(room: Room | undefined) {
    usePlan.getState().setRoom(room);
    onClose();
  }
  const actions = (
    <>
      {chosen && (
        <StyledButton variant="quiet" me="auto" onClick={() => choose(undefined)}>
          {t('counter.room.none')}
        </StyledButton>
      )}
      <Button onClick={onClose}>{t('form.cancel')}</Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} width="32rem" title={t('counter.room.title')} actions={actions}>
      {groups.map(({ location, rooms }) => (
        <Location
          key={location}
          name={location}
          rooms={rooms}
          chosenId={chosen?.id}
          onChoose={({ id, number }) => choose({ id, number })}
        />
      ))}
    </Dialog>
  );
}

interface LocationProps {
  name: string;
  rooms: LocalRoom[];
  chosenId: number | undefined;
  onChoose: (room: LocalRoom) => void;
}

function Location({ name, rooms, chosenId, onChoose }: LocationProps) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <chakra.h3 id={id} mb="2" fontSize="sm" fontWeight="medium" color="fg.muted">
        {name || t('rooms.noLocation')}
      </chakra.h3>
      <chakra.div display="grid" gridTemplateColumns="repeat(auto-fill, minmax(min(9rem, 100%), 1fr))" gap="2">
        {rooms.map((room) => (
          <StyledButton
            key={room.id}
            justifyContent="flex-start"
            textAlign="start"
            py="2"
            minHeight="16"
            aria-pressed={room.id === chosenId}
            onClick={() => onChoose(room)}
          >
            <Flex direction="column" minWidth="0" gap="1">
              <chakra.span lineClamp="2" overflowWrap="anywhere">
                {nameOf(room.number)}
              </chakra.span>
              <chakra.span fontSize="sm" fontWeight="normal" color={room.status === 'occupied' ? 'due.fg' : 'fg.muted'}>
                {t(`rooms.status.${room.status}`)}
              </chakra.span>
            </Flex>
          </StyledButton>
        ))}
      </chakra.div>
    </section>
  );
}
