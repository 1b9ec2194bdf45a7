import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { byLocation } from '#domain/room/room.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { usePageSize } from '#src/lists/list-preferences.ts';
import { Pagination } from '#src/lists/pagination.tsx';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { EditAndDeleteButtons, StatusButton } from './room-actions.tsx';
import type { RoomActions } from './room-actions.tsx';
import { RoomCard, Occupant, RoomBadge } from './room-card.tsx';

/** Rooms as a paged table, for clinics with many of them. */
export function RoomTable({ rooms, actions }: { rooms: LocalRoom[]; actions: RoomActions }) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const [page, setPage] = useState(1);
  const [size, setSize] = usePageSize('rooms', 20);
  const columns: Column<LocalRoom>[] = [
    {
      key: 'number',
      header: t('rooms.columns.number'),
      cell: ({ number }) => <Wrapped fontWeight="medium">{nameOf(number)}</Wrapped>,
    },
    {
      key: 'location',
      header: t('rooms.columns.location'),
      from: 52,
      cell: ({ location }) => <Wrapped>{location}</Wrapped>,
    },
    {
      key: 'capacity',
      header: t('rooms.columns.capacity'),
      numeric: true,
      width: '6rem',
      from: 52,
      cell: ({ capacity }) => capacity,
    },
    { key: 'status', header: t('rooms.columns.status'), cell: ({ status }) => <RoomBadge status={status} /> },
    { key: 'orders', header: t('rooms.columns.occupiedBy'), cell: (room) => <Occupant room={room} /> },
    {
      key: 'actions',
      header: t('rooms.columns.actions'),
      actions: true,
      cell: (room) => (
        <>
          <StatusButton room={room} actions={actions} />
          <EditAndDeleteButtons room={room} actions={actions} />
        </>
      ),
    },
  ];
  const sorted = byLocation(rooms).flatMap((group) => group.rooms);
  return (
    <Flex direction="column" gap="4">
      <DataTable
        label={t('rooms.title')}
        columns={columns}
        rows={sorted.slice((page - 1) * size, page * size)}
        rowKey={({ id }) => id}
        card={(room) => <RoomCard room={room} actions={actions} />}
        empty={null}
      />
      <Pagination
        page={page}
        size={size}
        total={rooms.length}
        onPage={setPage}
        onSize={(chosen) => {
          setSize(chosen);
          setPage(1);
        }}
      />
    </Flex>
  );
}

const Wrapped = chakra('p', { base: { minWidth: '5rem', overflowWrap: 'anywhere' } });
