import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { DoorOpen, LayoutGrid, Plus, Rows3 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { roomSeen } from '#domain/room/seen.ts';
import { roomStatuses } from '#domain/room/room.ts';
import { searchKey } from '#domain/search-key.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import { useOpened } from '#src/navigation/use-opened.ts';
import { localRooms } from '#src/db/queries/rooms.ts';
import type { LocalRoom } from '#src/db/queries/rooms.ts';
import { PageFrame, PageToolbar } from '#src/back-office/page-frame.tsx';
import { SearchField } from '#src/lists/search-field.tsx';
import { oneOf } from '#src/lists/list-address.ts';
import { useList } from '#src/lists/use-list.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { Button } from '#src/ui/button.tsx';
import { wide } from '#src/ui/desk.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { db } from '#src/local-data/database.ts';
import { syncRow } from '#src/db/singletons.ts';
import { RoomBoard } from './room-board.tsx';
import { RoomForm } from './room-form.tsx';
import { RoomTable } from './room-table.tsx';
import { useRoomRequests } from './room-actions.tsx';
import { useRoomWords } from './room-words.ts';

const statuses = ['all', ...roomStatuses] as const;
const filters = { status: oneOf(statuses) };

/** Rooms section. It reads the device's database, so it also works offline. */
export function RoomsScreen() {
  const { t } = useTranslation();
  const { rooms, oldSince } = useRooms();
  const form = useOpened('room');
  const found = rooms?.find(({ id }) => id === form.opened);
  const [lastFound, setLastFound] = useState<LocalRoom | null>(null);
  if (found && found !== lastFound) setLastFound(found);
  // A room that somebody deletes meanwhile leaves its form open, so that what was typed can be read.
  const edited = form.opened === 'new' ? 'new' : lastFound?.id === form.opened && lastFound;
  const locations = [...new Set(rooms?.map(({ location }) => location))].filter(Boolean).sort();
  const add = (
    <Button variant="primary" onClick={() => form.open('new')}>
      <Plus />
      {t('rooms.add')}
    </Button>
  );
  return (
    <PageFrame
      title={t('rooms.title')}
      text={t('rooms.text')}
      onRefresh={() => requestSync('asked')}
      oldSince={oldSince}
      actions={add}
    >
      {!rooms && <BoardSkeleton />}
      {rooms?.length === 0 && (
        <EmptyState icon={<DoorOpen />} title={t('rooms.empty.title')} text={t('rooms.empty.text')} />
      )}
      {rooms && rooms.length > 0 && <Rooms rooms={rooms} onEdit={({ id }) => form.open(id)} />}
      {edited && (
        <RoomForm
          key={form.opened}
          room={edited}
          isGone={edited !== 'new' && !found}
          locations={locations}
          onClose={form.close}
        />
      )}
    </PageFrame>
  );
}

/** Returns true when a word of the room's number or location starts with the text. */
const matches = ({ number, location }: LocalRoom, text: string) =>
  ` ${searchKey(`${number} ${location}`)}`.includes(` ${searchKey(text)}`);

function Rooms({ rooms, onEdit }: { rooms: LocalRoom[]; onEdit: (room: LocalRoom) => void }) {
  const { t } = useTranslation();
  const list = useList({ name: 'rooms', filters });
  const { settledSearch } = list;
  const { status: wanted } = list.filters;
  const [view, setView] = useState<'board' | 'table'>('board');
  const [deleting, setDeleting] = useState<LocalRoom | null>(null);
  const requests = useRoomRequests();
  const found = rooms.filter((room) => matches(room, settledSearch));
  const shown = found.filter(({ status }) => wanted === 'all' || status === wanted);
  const actions = { ...requests, onEdit, onDelete: setDeleting };
  return (
    <Flex direction="column" gap="6" css={{ [wide]: { gap: '{spacing.4}' } }}>
      <PageToolbar controls={3}>
        <Flex gap="3" align="center" wrap="wrap">
          <chakra.div flex="1" minWidth={{ base: 'full', md: '11rem' }} maxWidth={{ base: 'none', md: '80' }}>
            <SearchField
              label={t('rooms.search')}
              value={list.search}
              onChange={list.setSearch}
              isPending={list.isSearchPending}
            />
          </chakra.div>
          <chakra.div width={{ base: 'full', md: 'auto' }}>
            <Segmented
              kind="choice"
              label={t('rooms.filter.label')}
              value={wanted}
              onChange={(status) => list.setFilters({ status })}
              segments={statuses.map((value) => ({
                value,
                label: t(`rooms.filter.${value}`),
                count: value === 'all' ? found.length : found.filter(({ status }) => status === value).length,
              }))}
            />
          </chakra.div>
          <chakra.div hideBelow="md" ms="auto">
            <Segmented
              kind="choice"
              label={t('rooms.view.label')}
              value={view}
              onChange={setView}
              segments={[
                { value: 'board', label: t('rooms.view.board'), icon: <LayoutGrid /> },
                { value: 'table', label: t('rooms.view.table'), icon: <Rows3 /> },
              ]}
            />
          </chakra.div>
        </Flex>
      </PageToolbar>
      {shown.length === 0 && <NoMatch onShowAll={list.showAll} />}
      {shown.length > 0 &&
        (view === 'board' ? (
          <RoomBoard rooms={shown} actions={actions} />
        ) : (
          <RoomTable rooms={shown} actions={actions} />
        ))}
      {deleting && <DeleteRoom room={deleting} onDone={() => setDeleting(null)} />}
    </Flex>
  );
}

function NoMatch({ onShowAll }: { onShowAll: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<DoorOpen />} title={t('rooms.noMatch.title')} text={t('rooms.noMatch.text')}>
      <Button onClick={onShowAll}>{t('rooms.noMatch.showAll')}</Button>
    </EmptyState>
  );
}

function DeleteRoom({ room, onDone }: { room: LocalRoom; onDone: () => void }) {
  const { t } = useTranslation();
  const nameOf = useRoomName();
  const removal = useDecision(room, {
    fields: roomSeen,
    words: useRoomWords(),
    call: (body, headers, { id }) => callServer('delete', `tables/${id}`, body, headers),
    refreshes: [],
    done: () => t('rooms.done.deleted', { room: nameOf(room.number) }),
    failed: t('rooms.failed.delete'),
  });
  async function remove() {
    if (!(await removal.run({}))) return;
    requestSync('asked');
    onDone();
  }
  return (
    <DecisionDialog
      decision={removal}
      danger
      title={t('rooms.confirmDelete.title')}
      confirmLabel={t('rooms.confirmDelete.confirm')}
      onClose={onDone}
      onConfirm={() => void remove()}
    >
      <chakra.p color="fg.muted">{t('rooms.confirmDelete.text', { room: nameOf(removal.shown.number) })}</chakra.p>
    </DecisionDialog>
  );
}

function BoardSkeleton() {
  return (
    <chakra.div
      aria-busy
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(auto-fill, minmax(17rem, 1fr))' }}
      gap="3"
    >
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} height="9rem" />
      ))}
    </chakra.div>
  );
}

interface RoomsState {
  /** Undefined until the first sync has brought the rooms. */
  rooms: LocalRoom[] | undefined;
  /** Time of the last contact while the server is unreachable, in milliseconds; else null. */
  oldSince: number | null;
}

/** Reads the rooms from the device's database. */
function useRooms(): RoomsState {
  const state = useLiveQuery(async () => {
    const [rooms, { cursor, link, last_contact_at }] = await Promise.all([localRooms(db), syncRow(db)]);
    const isFirstSync = rooms.length === 0 && cursor === null && link !== 'offline';
    return { rooms: isFirstSync ? undefined : rooms, oldSince: link === 'offline' ? last_contact_at : null };
  }, []);
  return state ?? { rooms: undefined, oldSince: null };
}
