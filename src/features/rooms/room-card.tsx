import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { RoomStatus } from '#domain/room/room.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { useCustomerName } from '#src/formats/use-customer-name.ts';
import { useMoment } from '#src/formats/use-formats.ts';
import { Badge } from '#src/ui/badge.tsx';
import { EditAndDeleteButtons, StatusButton } from './room-actions.tsx';
import type { RoomActions } from './room-actions.tsx';

/** A room with its status, its occupant and its buttons. */
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
        <StatusButton room={room} actions={actions} />
        <Flex gap="1" ms="auto">
          <EditAndDeleteButtons room={room} actions={actions} />
        </Flex>
      </Flex>
    </Flex>
  );
}

export function RoomBadge({ status }: { status: RoomStatus }) {
  const { t } = useTranslation();
  return <Badge tone={status === 'occupied' ? 'due' : 'paid'}>{t(`rooms.status.${status}`)}</Badge>;
}

/** Latest treatment in a room with the count of the others, or a note that somebody set the room to occupied by hand. */
export function Occupant({ room: { is_occupied, treatments } }: { room: LocalRoom }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const customerOf = useCustomerName();
  const [latest, ...others] = treatments;
  if (!latest) return is_occupied ? <chakra.p color="fg.muted">{t('rooms.byHand')}</chakra.p> : null;
  const since = t('rooms.since', { time: moment(latest.createdAtMs) });
  return (
    <chakra.div minWidth="0">
      <chakra.p fontWeight="medium" overflowWrap="anywhere" lineClamp="2">
        {customerOf(latest) || t('rooms.noCustomer')}
      </chakra.p>
      <Flex wrap="wrap" columnGap="2" color="fg.muted" fontVariantNumeric="tabular-nums">
        <span>{latest.number}</span>
        <span>{since}</span>
        {others.length > 0 && <span>{t('rooms.more', { count: others.length })}</span>}
      </Flex>
    </chakra.div>
  );
}
