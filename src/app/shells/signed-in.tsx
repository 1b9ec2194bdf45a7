import { chakra, Flex } from '@chakra-ui/react';
import { Suspense, useEffect } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router-dom';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { ApprovalHost } from '../../approval/approval-host.tsx';
import { followTabs, useComingLock, watchTouches } from '../../session/idle.ts';
import { signInAgain, useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { loadLater } from '../../ui/load-later.tsx';
import { useEver } from '../../ui/use-ever.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { startSyncHost } from '../../sync/sync-host.ts';
import { sendAsAnother } from '../../sync/send-as-another.ts';
import { SyncPill } from '../sync-pill.tsx';
import { UpdateCard } from '../update-card.tsx';
import { inMenu } from '../sections.tsx';
import type { Section } from '../sections.tsx';
import { useLink } from '../../sync/use-outbox-summary.ts';
import { UserMenu } from './user-menu.tsx';

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
      <chakra.a
        href="#content"
        position="absolute"
        top="-40"
        insetInlineStart="4"
        zIndex="overlay"
        bg="bg.surface"
        px="4"
        py="3"
        borderRadius="md"
        boxShadow="raised"
        _focus={{ top: '2' }}
      >
        {t('shell.skip')}
      </chakra.a>
      {children}
      <ApprovalHost />
      <UpdateCard />
      {warned && (
        <Suspense fallback={null}>
          <LockWarning />
        </Suspense>
      )}
    </>
  );
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
    <Flex align="center" gap={{ base: '1', md: '2' }} ms="auto" flexShrink={0}>
      {(paused || offlineSession) && (
        <Button asChild variant="primary" hideBelow="md">
          <Link to="/login" state={signInAgain}>
            {t('shell.signIn')}
          </Link>
        </Button>
      )}
      <SyncPill />
      <UserMenu user={user} sections={inMenu(sections, 'account')} />
      {children}
    </Flex>
  );
}

/** Renders the screen in the rest of the window, which scrolls on its own. */
export function Content() {
  const { pathname, search } = useLocation();
  return (
    <chakra.main
      id="content"
      tabIndex={-1}
      flex="1"
      minHeight="0"
      minWidth="0"
      overflowY="auto"
      outline="none"
      position="relative"
    >
      <ErrorBoundary at={pathname + search}>
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </chakra.main>
  );
}
