import { chakra, Flex } from '@chakra-ui/react';
import { ClipboardCheck, Hourglass } from 'lucide-react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { preparationStatuses } from '#domain/preparation/steps.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { preparationPaths, usePreparationBoard } from '#src/server-data/preparation.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useRefresh } from '#src/server-data/use-server-data.ts';
import { syncRow } from '#src/db/singletons.ts';
import { db } from '#src/local-data/database.ts';
import { useMinute } from '#src/formats/clock.ts';
import { useRoomName } from '#src/formats/use-room-name.ts';
import { useLink } from '#src/sync/use-outbox-summary.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { stayOpen } from '#src/session/idle.ts';
import { useSession } from '#src/session/session.ts';
import { Chip } from '#src/ui/chip.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Segmented } from '#src/ui/segmented.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { BoardColumn } from './board-column.tsx';
import { boardColumns, boardOfRoom, roomsOn } from './board-columns.ts';
import type { Column } from './board-columns.ts';
import { useMoves } from './use-moves.ts';
import type { OnMove } from './use-moves.ts';

/** The preparation board: ordered items in columns by status. It hangs on a wall and refreshes by itself. */
export function PreparationScreen() {
  const { t } = useTranslation();
  const board = usePreparationBoard();
  const { value, oldSince, isLoading, refresh } = board;
  const refreshAll = useRefresh(...preparationPaths);
  const isAway = useLink() === 'offline';
  const { moves, onMove } = useMoves();
  useWakeLock();
  // A session of the kitchen role can do little else, so its board stays unlocked; other sessions lock when idle.
  const isKitchen = useSession(({ user }) => user?.role === 'kitchen');
  useEffect(() => (isKitchen ? stayOpen() : undefined), [isKitchen]);
  // Nobody may touch the board for hours, so the sync engine tells it when the server goes away or comes back.
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current !== isAway) refresh();
    wasAway.current = isAway;
  }, [isAway, refresh]);
  const isLate = oldSince !== null || isAway;
  const [address, setAddress] = useSearchParams();
  const rooms = value ? roomsOn(value) : [];
  const room = rooms.find((number) => number === address.get('room'));
  const columns = value && boardColumns(room === undefined ? value : boardOfRoom(value, room), moves);
  const setParameter = (name: 'room' | 'status', chosen: string | undefined) =>
    setAddress(
      (before) => {
        if (chosen === undefined) before.delete(name);
        else before.set(name, chosen);
        return before;
      },
      { replace: true },
    );
  return (
    <PageFrame
      title={t('preparation.title')}
      text={t('preparation.text')}
      onRefresh={refreshAll.run}
      isRefreshing={refreshAll.isRunning}
      oldSince={oldSince}
    >
      {value && isLate && (
        <Flex align="center" gap="2" mt="-3" color="fg.muted" css={{ '& > svg': { flexShrink: 0 } }}>
          <Hourglass size={16} aria-hidden />
          {t('preparation.offline')}
        </Flex>
      )}
      <NotLoaded data={board} />
      {isLoading && <LoadingColumns />}
      {rooms.length > 1 && (
        <RoomFilter rooms={rooms} chosen={room} onChoose={(number) => setParameter('room', number)} />
      )}
      {columns &&
        (columns.some(({ count }) => count > 0) ? (
          <Board
            columns={columns}
            chosen={preparationStatuses.find((status) => status === address.get('status')) ?? 'pending'}
            onChoose={(status) => setParameter('status', status)}
            onMove={onMove}
          />
        ) : (
          <EmptyBoard />
        ))}
    </PageFrame>
  );
}

interface RoomFilterProps {
  rooms: readonly string[];
  /** Undefined for all rooms. */
  chosen: string | undefined;
  onChoose: (room: string | undefined) => void;
}

/** Shows one room of the board, for the tablet that hangs in it. */
function RoomFilter({ rooms, chosen, onChoose }: RoomFilterProps) {
  const { t } = useTranslation();
  const roomName = useRoomName();
  return (
    <Flex
      as="fieldset"
      aria-label={t('preparation.rooms.label')}
      gap="2"
      minWidth="0"
      overflowX="auto"
      flexShrink={0}
      css={{ scrollbarWidth: 'none' }}
    >
      <Chip aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {t('preparation.rooms.all')}
      </Chip>
      {rooms.map((room) => (
        <Chip key={room} aria-pressed={chosen === room} onClick={() => onChoose(room)}>
          {roomName(room)}
        </Chip>
      ))}
    </Flex>
  );
}

function EmptyBoard() {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<ClipboardCheck />} title={t('preparation.empty.title')} text={t('preparation.empty.text')} />
  );
}

function LoadingColumns() {
  return (
    <chakra.div
      aria-busy
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' }}
      gap="6"
    >
      {[1, 2, 3].map((column) => (
        <Skeleton key={column} height="48" />
      ))}
    </chakra.div>
  );
}

interface BoardProps {
  columns: Column[];
  /** The one column that a phone shows. */
  chosen: PreparationStatus;
  onChoose: (status: PreparationStatus) => void;
  onMove: OnMove | null;
}

function Board({ columns, chosen, onChoose, onMove }: BoardProps) {
  const { t } = useTranslation();
  const nowMs = useServerClock();
  return (
    <div>
      <chakra.div hideFrom="md" position="sticky" top="0" zIndex="docked" bg="bg" py="2" mb="2">
        <Segmented
          kind="choice"
          stacked
          label={t('preparation.filter')}
          value={chosen}
          onChange={onChoose}
          segments={columns.map(({ status, count }) => ({
            value: status,
            label: t(`preparation.statuses.${status}`),
            count,
          }))}
        />
      </chakra.div>
      <chakra.div
        display="grid"
        gridTemplateColumns={{
          base: 'minmax(0, 1fr)',
          md: 'repeat(3, minmax(0, 1fr))',
          xl: 'repeat(4, minmax(0, 1fr))',
        }}
        alignItems="start"
        columnGap={{ md: '4', lg: '6' }}
        rowGap="8"
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            isChosen={column.status === chosen}
            nowMs={nowMs}
            onMove={onMove}
          />
        ))}
      </chakra.div>
    </div>
  );
}

/** Returns the server's time in milliseconds, as far as this device knows its clock offset, updated each minute. */
function useServerClock(): number {
  const offsetMs = useLiveQuery(async () => (await syncRow(db)).clock_offset_ms, []) ?? 0;
  return useMinute() + offsetMs;
}

/** Keeps the screen on while the page is visible, because staff read a board on the wall without touching it. */
function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let ended = false;
    // The system releases the lock when the page is hidden, and may refuse it on a low battery.
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      void navigator.wakeLock.request('screen').then(
        (granted) => {
          lock = granted;
          if (ended) void granted.release();
        },
        () => undefined,
      );
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      ended = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, []);
}
