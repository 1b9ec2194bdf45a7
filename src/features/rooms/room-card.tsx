import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { LocalRoom } from '../../db/queries/rooms.ts';
import { useRoomName } from '../../clinic/use-room-name.ts';
import { EditAndDelete, StatusButton } from './room-buttons.tsx';
import type { RoomActions } from './room-buttons.tsx';
import { Occupant, RoomBadge } from './room-state.tsx';

/** A room on the board: its state above all, and below what can be done about it. */
export function RoomCard({ room, actions }: { room: LocalRoom; actions: RoomActions }) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  return (
    <Flex direction="column" height="full" gap="3">
      <Flex gap="3" align="flex-start" justify="space-between">
        <chakra.div minWidth="0">
          <chakra.h3 fontWeight="semibold" lineHeight="1.35" overflowWrap="anywhere">
            {nameOf(room.number)}
          </chakra.h3>
          <chakra.p fontSize="sm" color="fg.muted">
            {t('rooms.seats', { count: room.capacity })}
          </chakra.p>
        </chakra.div>
        <RoomBadge status={room.status} />
      </Flex>
      <chakra.div flex="1" fontSize="sm">
        <Occupant room={room} />
      </chakra.div>
      <Flex align="center" gap="1" mx="-2" mb="-2">
        <StatusButton room={room} deeds={actions.deeds} />
        <Flex gap="1" ms="auto">
          <EditAndDelete room={room} actions={actions} />
        </Flex>
      </Flex>
    </Flex>
  );
}
