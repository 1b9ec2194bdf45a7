import { Suspense, useEffect } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router-dom';
import type { UserClaims } from '#domain/staff/roles.ts';
import { ApprovalHost } from '#src/approval/approval-host.tsx';
import { db } from '#src/local-data/database.ts';
import { followTabs, useComingLock, watchTouches } from '#src/session/idle.ts';
import { lendSession } from '#src/session/mirror.ts';
import { signInAgain, useSession } from '#src/session/session.ts';
import { buttonClass } from '#src/ui/button.tsx';
import { isSafari } from '#src/ui/home-screen.ts';
import { loadLater, loadPlain } from '#src/ui/load-later.tsx';
import { FootPlace } from '#src/ui/page-foot.tsx';
import { useEver } from '#src/ui/use-ever.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { requestSync, startSyncHost } from '#src/sync/sync-host.ts';
import { LostStorageCard, UpdateCard } from '../cards.tsx';
import { SyncPill } from '../sync-pill.tsx';
import { UnsentRecords } from '../unsent-records.tsx';
import { inMenu } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import { useLink } from '#src/sync/use-outbox-summary.ts';
import styles from './signed-in.module.css';
import { UserMenu } from './user-menu.tsx';

const HomeScreenCard = loadPlain(async () => (await import('../home-screen-card.tsx')).HomeScreenCard);
const RemoteLock = loadPlain(async () => (await import('../lock/remote-lock.tsx')).RemoteLock);
const LockWarning = loadLater(async () => (await import('../lock/lock-warning.tsx')).LockWarning);

/** Returns the signed-in person. Shells render for nobody else. */
export function useUser(): UserClaims {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('A shell needs somebody to be signed in.');
  return user;
}

/** Parts of every shell: synchronisation, the automatic lock, the skip link, approvals and the update card. */
export function SignedInPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  useEffect(startSyncHost, []);
  useEffect(watchTouches, []);
  useEffect(followTabs, []);
  const warned = useEver(useComingLock(({ atMs }) => atMs !== null));
  return (
    <>
      <a href="#content" className={styles['skip']}>
        {t('shell.skip')}
      </a>
      {children}
      <ApprovalHost />
      {isSafari() && (
        <Suspense fallback={null}>
          <HomeScreenCard />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <RemoteLock />
      </Suspense>
      <UpdateCard />
      <LostStorageCard />
      {warned && (
        <Suspense fallback={null}>
          <LockWarning />
        </Suspense>
      )}
    </>
  );
}

/** Continues sending with another person's session of this device, if there is one, while sending waits for a sign-in. */
async function sendAsAnother(): Promise<void> {
  if (await lendSession(db, Date.now())) requestSync('signed-in');
}

/** The end of the header: sync pill, user menu, and a sign-in link if sending waits for one. */
export function HeaderTools({ sections, children }: { sections: readonly Section[]; children?: ReactNode }) {
  const { t } = useTranslation();
  const user = useUser();
  const offlineSession = useSession((state) => state.mode === 'offline');
  const paused = useLink() === 'paused';
  useEffect(() => {
    if (paused) void sendAsAnother();
  }, [paused]);
  return (
    <div className={styles['tools']}>
      {(paused || offlineSession) && (
        <Link
          to="/login"
          state={signInAgain}
          className={buttonClass({ variant: 'primary', className: styles['signIn'] })}
        >
          {t('shell.signIn')}
        </Link>
      )}
      <UnsentRecords />
      <SyncPill />
      <UserMenu user={user} sections={inMenu(sections, 'account')} />
      {children}
    </div>
  );
}

/** Renders the screen in the rest of the window, which scrolls on its own above its foot. */
export function Content() {
  const { pathname, search } = useLocation();
  return (
    <>
      <main id="content" tabIndex={-1} className={styles['content']}>
        <ErrorBoundary at={pathname + search}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <FootPlace />
    </>
  );
}
