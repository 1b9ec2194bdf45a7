import { chakra, Flex } from '@chakra-ui/react';
import { ClipboardCheck, Hourglass } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { KitchenBoardResource } from '../../../domain/preparation/resources.ts';
import { preparationStatuses } from '../../../domain/preparation/steps.ts';
import { LoadError } from '../../server-data/load-error.tsx';
import { useRefresh, useServerData } from '../../server-data/use-server-data.ts';
import { useOutboxSummary } from '../../sync/use-outbox-summary.ts';
import { PageFrame } from '../../back-office/page-frame.tsx';
import { stayOpen } from '../../session/idle.ts';
import { useSession } from '../../session/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BoardColumn } from './board-column.tsx';
import type { OnMove } from './item-row.tsx';
import { boardColumns } from './board-columns.ts';
import type { Column } from './board-columns.ts';
import { useBoardClock } from './use-board-clock.ts';
import { useMoves } from './use-moves.ts';
import { useTaps } from './use-taps.ts';
import { useWakeLock } from './use-wake-lock.ts';

/** The preparation board: what was asked for, in columns by how far it is. It hangs on a wall and keeps itself current. */
export function PreparationScreen() {
  const { t } = useTranslation();
  const board = useServerData<KitchenBoardResource>('kitchen/orders');
  const { value, oldSince, isLoading, refresh } = board;
  const asked = useRefresh('kitchen');
  const isAway = useOutboxSummary()?.link === 'offline';
  const { moves, moveOn, moveBack } = useMoves();
  const onMove = useTaps((placed, direction) => (direction === 'on' ? moveOn(placed) : moveBack(placed)));
  useWakeLock();
  // The kitchen's own session can do little else, and so its board stays on the wall; anybody else's locks as everywhere.
  const isKitchen = useSession(({ user }) => user?.role === 'kitchen');
  useEffect(() => (isKitchen ? stayOpen() : undefined), [isKitchen]);
  // Nobody touches the board for hours: that the server is away, or back, is learnt from whoever synchronises.
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current !== isAway) refresh();
    wasAway.current = isAway;
  }, [isAway, refresh]);
  const canMove = oldSince === null && !isAway;
  const columns = value && boardColumns(value, moves);
  return (
    <PageFrame
      title={t('preparation.title')}
      text={t('preparation.text')}
      onRefresh={asked.run}
      isRefreshing={asked.isRunning}
      oldSince={oldSince}
    >
      {value && !canMove && (
        <Flex align="center" gap="2" mt="-3" color="fg.muted">
          <Hourglass size={16} aria-hidden />
          {t('preparation.offline')}
        </Flex>
      )}
      <LoadError data={board} />
      {isLoading && <Loading />}
      {columns &&
        (columns.some(({ count }) => count > 0) ? (
          <Board columns={columns} onMove={canMove ? onMove : null} />
        ) : (
          <Empty />
        ))}
    </PageFrame>
  );
}

function Empty() {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<ClipboardCheck />} title={t('preparation.empty.title')} text={t('preparation.empty.text')} />
  );
}

function Loading() {
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

function Board({ columns, onMove }: { columns: Column[]; onMove: OnMove | null }) {
  const { t } = useTranslation();
  const now = useBoardClock();
  const [address, setAddress] = useSearchParams();
  const chosen = preparationStatuses.find((status) => status === address.get('status')) ?? 'pending';
  return (
    <div>
      <chakra.div hideFrom="md" position="sticky" top="0" zIndex="docked" bg="bg" py="2" mb="2">
        <Segmented
          kind="choice"
          stacked
          label={t('preparation.filter')}
          value={chosen}
          onChange={(status) => setAddress({ status }, { replace: true })}
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
            now={now}
            onMove={onMove}
          />
        ))}
      </chakra.div>
    </div>
  );
}
