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
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { CloseDrawer } from './close-drawer.tsx';
import { RecentlyClosed } from './recently-closed.tsx';
import { useCount } from './count-draft.ts';
import { CurrentDrawer } from './current-drawer.tsx';
import { OpenDrawer } from './open-drawer.tsx';
import { LiveReportDialog } from './report-dialog.tsx';
import { useDrawerActions } from './use-drawer-actions.ts';

// Only this part of the screen needs the server.
const PastDrawers = backOffice(async () => (await import('./past-drawers.tsx')).PastDrawers);

/** The cash drawer of this device. Everything but the list of past drawers works offline. */
export function DrawerScreen() {
  const { t } = useTranslation();
  const overview = useLiveQuery(() => drawerOverview(db, Date.now()), []);
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
          {overview ? <DrawerStep overview={overview} onReport={setReportId} /> : <Skeleton height="16rem" />}
        </Flex>
        {overview && <RecentlyClosed drawers={overview.closed} onReport={setReportId} />}
      </chakra.div>
      {overview && mayReadPast && isOnline && (
        <Suspense fallback={<Skeleton height="12rem" />}>
          <PastDrawers />
        </Suspense>
      )}
      {reportId && <LiveReportDialog drawerId={reportId} onClose={() => setReportId(null)} />}
    </PageFrame>
  );
}

interface DrawerStepProps {
  overview: DrawerOverview;
  onReport: (drawerId: string) => void;
}

function DrawerStep({ overview: { current, isOwn, lastFloatMinor }, onReport }: DrawerStepProps) {
  const { t } = useTranslation();
  const actions = useDrawerActions();
  const { drawerId: countedId, discard } = useCount();
  const [wantsOwn, setWantsOwn] = useState(false);
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
      <CurrentDrawer drawer={current} actions={actions} />
    </>
  );
}
