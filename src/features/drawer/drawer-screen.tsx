import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from '#src/local-data/live.ts';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import { backOffice } from '#src/navigation/back-office-screen.tsx';
import { useMay, useSession } from '#src/session/session.ts';
import { syncRow } from '#src/db/singletons.ts';
import { drawerOverview } from '#src/db/queries/drawers.ts';
import type { DrawerOverview } from '#src/db/queries/drawers.ts';
import type { MoneyMove } from '#src/db/commands/drawers.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { CloseDrawer } from './close-drawer.tsx';
import { RecentlyClosed } from './recently-closed.tsx';
import { useCount } from './count-draft.ts';
import { CurrentDrawer } from './current-drawer.tsx';
import { MovementDialog } from './movement-dialog.tsx';
import { OpenDrawer } from './open-drawer.tsx';
import { OvertakenCount } from './overtaken.tsx';
import { LiveReportDialog } from './report-dialog.tsx';
import { useDrawerActions } from './use-drawer-actions.ts';
import type { DrawerActions } from './use-drawer-actions.ts';

// Only this part of the screen needs the server.
const PastDrawers = backOffice(async () => (await import('./past-drawers.tsx')).PastDrawers);

/** The cash drawer of this device. Everything but the list of past drawers works offline. */
export function DrawerScreen() {
  const { t } = useTranslation();
  const overview = useLiveQuery(() => drawerOverview(db, Date.now()), []);
  const actions = useDrawerActions();
  // It stays when another drawer, or none, becomes the current one.
  const [moving, setMoving] = useState<Pick<MoneyMove, 'drawerId' | 'direction'> | null>(null);
  const movedDrawer = moving && overview?.drawers.find(({ id }) => id === moving.drawerId);
  const [reportId, setReportId] = useState<string | null>(null);
  const mayReadPast = useMay('drawer.read');
  const isOnline = useSession(({ mode }) => mode === 'online');
  const oldSince = useLiveQuery(async () => {
    const { link, last_contact_at } = await syncRow(db);
    return link === 'offline' ? last_contact_at : null;
  }, []);
  return (
    <PageFrame title={t('drawer.title')} text={t('drawer.text')} oldSince={oldSince ?? null}>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 4fr)' }}
        alignItems="start"
        gap="6"
      >
        <Flex direction="column" gap="6" minWidth="0">
          {overview ? (
            <DrawerStep overview={overview} actions={actions} onMove={setMoving} onReport={setReportId} />
          ) : (
            <Skeleton height="16rem" />
          )}
        </Flex>
        {overview && <RecentlyClosed drawers={overview.closed} onReport={setReportId} />}
      </chakra.div>
      {overview && mayReadPast && isOnline && (
        <Suspense fallback={<Skeleton height="12rem" />}>
          <PastDrawers />
        </Suspense>
      )}
      {moving && movedDrawer && (
        <MovementDialog
          drawer={movedDrawer}
          direction={moving.direction}
          actions={actions}
          onClose={() => setMoving(null)}
        />
      )}
      {reportId && <LiveReportDialog drawerId={reportId} onClose={() => setReportId(null)} />}
    </PageFrame>
  );
}

interface DrawerStepProps {
  overview: DrawerOverview;
  actions: DrawerActions;
  onMove: (move: Pick<MoneyMove, 'drawerId' | 'direction'>) => void;
  onReport: (drawerId: string) => void;
}

function DrawerStep({ overview, actions, onMove, onReport }: DrawerStepProps) {
  const { current, isOwn, drawers, lastFloatMinor } = overview;
  const { t } = useTranslation();
  const count = useCount();
  const { drawerId: countedId, discard } = count;
  const [wantsOwn, setWantsOwn] = useState(false);
  const counted = drawers.find(({ id }) => id === countedId);
  // While the own close runs, it is the one that has closed the drawer.
  if (counted?.close && !actions.pending) return <OvertakenCount drawer={counted} count={count} onClose={discard} />;
  if (!current || wantsOwn) return <OpenDrawer floatMinor={lastFloatMinor} onOpened={() => setWantsOwn(false)} />;
  if (countedId === current.id) {
    const finish = () => {
      discard();
      onReport(current.id);
    };
    return <CloseDrawer drawerId={current.id} currency={current.currency} actions={actions} onClosed={finish} />;
  }
  return (
    <>
      {!isOwn && (
        <Banner tone="accent" actions={<Button onClick={() => setWantsOwn(true)}>{t('drawer.other.open')}</Button>}>
          {t('drawer.other.text', { code: current.deviceCode })}
        </Banner>
      )}
      <CurrentDrawer drawer={current} onMove={(direction) => onMove({ drawerId: current.id, direction })} />
    </>
  );
}
