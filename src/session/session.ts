/**
 * Who is signed in. Online: by a token in the cookie `pos_token`, which the worker finds mirrored in the database. Offline:
 * by this device's own verifier, for the counter only.
 *
 *     (nobody) ──sign in──▶ online ──the server refuses the token──▶ (nobody, notice "expired")
 *         │                   ▲  a token that merely runs out changes nothing until the next start: selling goes on
 *         └──no network──▶ offline ──sign in──┘
 *
 * Either may be locked meanwhile, in all tabs of the device: after a while without a touch (`idle.ts`), or at somebody's
 * wish. Lock is no sign-out; whoever unlocks goes on, or, being another, takes over (`unlock.ts`).
 *
 * This module stays free of the database, so that the sign-in page shows before it is loaded.
 */
import { create } from 'zustand';
import { may } from '../../domain/permissions.ts';
import type { Action } from '../../domain/permissions.ts';
import type { UserClaims } from '../../domain/staff/roles.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isCurrent, readToken } from './token.ts';

interface SessionState {
  user: UserClaims | null;
  mode: 'online' | 'offline' | null;
  notice: 'expired' | null;
  /** Fills in the form after an expiry: most likely the same person goes on. */
  lastEmail: string;
  /** Nothing is shown until somebody unlocks; a reload changes nothing about it. */
  locked: boolean;
}

export const useSession = create<SessionState>(() => ({
  user: null,
  mode: null,
  notice: null,
  lastEmail: '',
  locked: false,
}));

/** Returns whether the signed-in person may perform an action; screens don't offer what the person may not do. */
export const useMay = (action: Action): boolean => useSession(({ user }) => user !== null && may(user.role, action));

/**
 * Link state that opens the sign-in page even for a signed-in person, whom the page otherwise redirects: the server may
 * have refused a token that has not expired yet.
 */
export const signInAgain = 'sign-in-again';

const offlineKey = 'offline-session';
export const lockedKey = 'locked';
const touchedKey = 'touched-at';

/** After so long without a touch the app locks. */
export const idleMs = 5 * 60_000;

/** How long ago somebody last touched the app in any of its tabs; negative when the clock was put back since. */
export const sinceTouchMs = (nowMs = Date.now()): number => nowMs - Number(localStorage.getItem(touchedKey) ?? nowMs);

export const noteTouch = (): void => localStorage.setItem(touchedKey, String(Date.now()));

export function lock(): void {
  localStorage.setItem(lockedKey, '1');
  useSession.setState({ locked: true });
}

/** Tells the other tabs too, so whose session it is now must stand before. */
export function unlock(): void {
  noteTouch();
  localStorage.removeItem(lockedKey);
  useSession.setState({ locked: false });
}

/** Whom this device vouches for at present, if anybody, and until when. */
export function readOffline(): { user: UserClaims; untilMs: number } | null {
  return JSON.parse(localStorage.getItem(offlineKey) ?? 'null') as { user: UserClaims; untilMs: number } | null;
}

/** The token for calls to the API, expired or not: the server decides. */
export const sessionToken = readCookie;

/** Whether the token would still be taken; false in an offline session. */
export function hasCurrentToken(nowMs = Date.now()): boolean {
  const claims = readToken(readCookie() ?? '');
  return claims !== null && isCurrent(claims, nowMs);
}

/** Reads the session that a reload left behind. */
export function restoreSession(nowMs = Date.now()): void {
  if (localStorage.getItem(lockedKey) !== null || sinceTouchMs(nowMs) >= idleMs) lock();
  const token = readCookie();
  const claims = token === null ? null : readToken(token);
  if (claims && isCurrent(claims, nowMs)) {
    useSession.setState({ user: claims.user, mode: 'online', notice: null });
    return;
  }
  const offline = readOffline();
  if (offline && offline.untilMs > nowMs) {
    useSession.setState({ user: offline.user, mode: 'offline', notice: null });
    return;
  }
  clearCookie();
  const expired = token !== null || offline !== null;
  useSession.setState({
    user: null,
    mode: null,
    notice: expired ? 'expired' : null,
    lastEmail: claims?.user.email ?? offline?.user.email ?? '',
  });
  // With nobody's session there is nothing to lock.
  unlock();
}

export function beginOnline(token: string, user: UserClaims): void {
  localStorage.removeItem(offlineKey);
  writeCookie(token);
  useSession.setState({ user, mode: 'online', notice: null });
  unlock();
}

/** @param untilMs when this device stops vouching for the person without the server */
export function beginOffline(user: UserClaims, untilMs: number): void {
  localStorage.setItem(offlineKey, JSON.stringify({ user, untilMs }));
  // Nobody calls the server in the name of whoever was here before.
  clearCookie();
  useSession.setState({ user, mode: 'offline', notice: null });
  unlock();
}

/** The server refused the token: nobody is signed in any more. Nothing that waits to be sent is touched. */
export function endSession(notice: 'expired'): void {
  const email = useSession.getState().user?.email ?? '';
  localStorage.removeItem(offlineKey);
  clearCookie();
  useSession.setState({ user: null, mode: null, notice, lastEmail: email });
  unlock();
}

/** Forgets who was here, before the page is left for good. */
export function forgetSession(): void {
  localStorage.removeItem(offlineKey);
  clearCookie();
}
