/**
 * The session of the signed-in user. Online, a token in the cookie `pos_token` authenticates the user; the database
 * holds a copy of the token for the worker. Offline, this device's own verifier authenticates, for the counter only.
 *
 *     (nobody) ──sign in──▶ online ──the server refuses the token──▶ (nobody, notice "expired")
 *         │                   ▲  an expired token changes nothing until the next start, so that selling can go on
 *         └──no network──▶ offline ──sign in──┘
 *
 * In both states the app can be locked, in all tabs of the device: after a time without interaction (`idle.ts`), or by
 * the user. The session continues while the app is locked. The same user unlocks it, or another user takes over
 * (`src/auth/unlock.ts`).
 *
 * This module does not import the database, so that the sign-in page shows before the database has loaded.
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
  /** Prefills the sign-in form after an expiry. */
  lastEmail: string;
  /** Survives a reload. */
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

/** Time without a touch after which the app locks. */
export const idleMs = 5 * 60_000;

/** Returns the time since the last touch in any tab; negative if the clock was set back since. */
export const sinceTouchMs = (nowMs = Date.now()): number => nowMs - Number(localStorage.getItem(touchedKey) ?? nowMs);

export const noteTouch = (): void => localStorage.setItem(touchedKey, String(Date.now()));

export function lock(): void {
  localStorage.setItem(lockedKey, '1');
  useSession.setState({ locked: true });
}

/** Unlocks all tabs. Call it after the new session is stored, because the other tabs read it then. */
export function unlock(): void {
  noteTouch();
  localStorage.removeItem(lockedKey);
  useSession.setState({ locked: false });
}

/** Returns the person of the offline session and its end, or null. */
export function readOffline(): { user: UserClaims; untilMs: number } | null {
  return JSON.parse(localStorage.getItem(offlineKey) ?? 'null') as { user: UserClaims; untilMs: number } | null;
}

/** Returns the token for API calls, expired or not: the server decides. */
export const sessionToken = readCookie;

/** Returns false if the token has expired, and in an offline session. */
export function hasCurrentToken(nowMs = Date.now()): boolean {
  const claims = readToken(readCookie() ?? '');
  return claims !== null && isCurrent(claims, nowMs);
}

/** Restores the session after a reload. */
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
  // Without a session there is nothing to lock.
  unlock();
}

export function beginOnline(token: string, user: UserClaims): void {
  localStorage.removeItem(offlineKey);
  writeCookie(token);
  useSession.setState({ user, mode: 'online', notice: null });
  unlock();
}

/** @param untilMs end of the person's offline access */
export function beginOffline(user: UserClaims, untilMs: number): void {
  localStorage.setItem(offlineKey, JSON.stringify({ user, untilMs }));
  // The previous person's token must not be used for API calls.
  clearCookie();
  useSession.setState({ user, mode: 'offline', notice: null });
  unlock();
}

/** Ends the session after the server refused the token. Leaves the outbox alone. */
export function endSession(notice: 'expired'): void {
  const email = useSession.getState().user?.email ?? '';
  localStorage.removeItem(offlineKey);
  clearCookie();
  useSession.setState({ user: null, mode: null, notice, lastEmail: email });
  unlock();
}

/** Deletes the stored session before the page unloads. */
export function forgetSession(): void {
  localStorage.removeItem(offlineKey);
  clearCookie();
}
