import { chakra, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { byLocation } from '#domain/room/room.ts';
import type { RoomGroup } from '#domain/room/room.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import type { RoomActions } from './room-actions.tsx';
import { RoomCard } from './room-card.tsx';

/** Rooms as cards, grouped by location. */
export function RoomBoard({ rooms, actions }: { rooms: LocalRoom[]; actions: RoomActions }) {
  return (
    <Flex direction="column" gap="8">
      {byLocation(rooms).map((group) => (
        <Location key={group.location} group={group} actions={actions} />
      ))}
    </Flex>
  );
}

function Location({ group: { location, rooms }, actions }: { group: RoomGroup<LocalRoom>; actions: RoomActions }) {
  const { t } = useTranslation();
  const id = useId();
  const free = rooms.filter(({ status }) => status === 'available').length;
  return (
    <section aria-labelledby={id}>
      <Flex align="baseline" gap="3" mb="3">
        <chakra.h2 id={id} fontWeight="semibold" overflowWrap="anywhere" minWidth="0">
          {location || t('rooms.noLocation')}
        </chakra.h2>
        <chakra.span fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {t('rooms.free', { free, total: rooms.length })}
        </chakra.span>
      </Flex>
      <chakra.ul
        aria-labelledby={id}
        listStyleType="none"
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(auto-fill, minmax(17rem, 1fr))' }}
        gap="3"
      >
        {rooms.map((room) => (
          <chakra.li key={room.id} p="4" bg="bg.surface" borderWidth="1px" borderColor="border" borderRadius="md">
            <RoomCard room={room} actions={actions} />
          </chakra.li>
        ))}
      </chakra.ul>
    </section>
  );
}
