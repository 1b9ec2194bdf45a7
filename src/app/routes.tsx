import { Activity, Suspense } from 'react';
import { BrowserRouter, Navigate, Outlet, Route, Routes } from 'react-router-dom';
import type { Role } from '#domain/staff/roles.ts';
import { useSession } from '../session/session.ts';
import { loadLater, loadPlain } from '../ui/load-later.tsx';
import type { LoadedLater } from '../ui/load-later.tsx';
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx';
import { otherPaths, sectionAt, sectionsFor } from './sections.tsx';
import { pathOf } from '../navigation/path-of.ts';

const DeskShell = loadLater(async () => (await import('./shells/desk-shell.tsx')).DeskShell);
const RoleShell = loadPlain(async () => (await import('./shells/role-shell.tsx')).RoleShell);
const AccessDenied = loadLater(async () => (await import('./shells/access-denied.tsx')).AccessDenied);
const NotFound = loadLater(async () => (await import('./not-found.tsx')).NotFound);
const LockScreen = loadLater(async () => (await import('./lock/lock-screen.tsx')).LockScreen);
const OutboxScreen = loadLater(async () => (await import('../features/outbox/outbox-screen.tsx')).OutboxScreen);

/**
 * Loads the code of the first page, so that the page renders in one step. Code that fails to load is requested again on
 * render.
 */
export async function loadFirstPage(): Promise<void> {
  const { locked } = useSession.getState();
  const page = Promise.allSettled(firstPage().map(({ load }) => load()));
  // The lock screen covers everything else.
  await (locked ? LockScreen.load().catch(() => undefined) : page);
}

function firstPage(): Pick<LoadedLater<object>, 'load'>[] {
  const { user, mode } = useSession.getState();
  const address = location.pathname;
  if (!user || !mode || address === '/login') return [];
  const screen = address.endsWith('/outbox') ? OutboxScreen : sectionAt(address, user.role, mode).screen;
  return [atDesk(user.role) ? DeskShell : RoleShell, screen];
}

const atDesk = (role: Role) => role === 'admin' || role === 'manager';

/**
 * The routes of the app. Administrators work under `/admin`, everyone else under `/`. A section that the person can't
 * open has no route, and its URL redirects to the start.
 */
export function AppRoutes() {
  return (
    <BrowserRouter>
      <Suspense fallback={null}>
        <Routes>
          <Route path="/login" element={<SignInScreen />} />
          <Route element={<SignedIn />}>
            <Route path="/*" element={<Area />} />
          </Route>
        </Routes>
      </Suspense>
    </BrowserRouter>
  );
}

/** Hides the screen while the app is locked, from screen readers too. The screen stays mounted and keeps its state. */
function SignedIn() {
  const { user, locked } = useSession();
  if (!user) return <Navigate to="/login" replace />;
  return (
    <>
      <Activity key={user.id} mode={locked ? 'hidden' : 'visible'}>
        <Outlet />
      </Activity>
      {locked && (
        <Suspense fallback={null}>
          <LockScreen present={user} />
        </Suspense>
      )}
    </>
  );
}

/** The path of the section that an address opens. */
const sectionOf = (address: string): string => address.split('?')[0]!;

function Area() {
  const { user, mode } = useSession();
  if (!user || !mode) return null;
  const own = sectionsFor(user.role, mode);
  const first = own[0]!;
  const screens = own.map(({ path, screen: Screen }) => <Route key={path} path={path} element={<Screen />} />);
  const others = Object.entries(otherPaths)
    .filter(([, target]) => own.some(({ path }) => path === sectionOf(target)))
    .map(([path, target]) => (
      <Route key={path} path={path} element={<Navigate to={pathOf(user.role, target)} replace />} />
    ));
  if (user.role === 'admin') {
    const home = <Navigate to={pathOf('admin', first.path)} replace />;
    return (
      <Routes>
        <Route path="admin" element={<DeskShell sections={own} />}>
          <Route index element={home} />
          {screens}
          {others}
          <Route path="outbox" element={<OutboxScreen />} />
          <Route path="*" element={<NotFound home={pathOf('admin', first.path)} />} />
        </Route>
        {others}
        {/* Shortcuts of the installed app name only the section, because they are the same for everyone. */}
        {[...own.map(({ path }) => path), 'outbox'].map((path) => (
          <Route key={path} path={path} element={<Navigate to={pathOf('admin', path)} replace />} />
        ))}
        <Route element={<DeskShell sections={own} />}>
          <Route path="/" element={home} />
          <Route path="*" element={<NotFound home={pathOf('admin', first.path)} />} />
        </Route>
      </Routes>
    );
  }
  return (
    <Routes>
      <Route element={atDesk(user.role) ? <DeskShell sections={own} /> : <RoleShell sections={own} />}>
        <Route path="admin/*" element={<AccessDenied />} />
        <Route index element={<first.screen />} />
        {screens}
        {others}
        <Route path="outbox" element={<OutboxScreen />} />
        <Route path="*" element={<NotFound home="/" />} />
      </Route>
    </Routes>
  );
}
