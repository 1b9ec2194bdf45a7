/**
 * Who is signed in. Online: by a token in the cookie `pos_token`, which the worker finds mirrored in the database. Offline:
 * by this device's own verifier, for the counter only, until the tab is closed.
 *
 *     (nobody) ──sign in──▶ online ──the server refuses the token──▶ (nobody, notice "expired")
 *         │                   ▲  a token that merely runs out changes nothing until the next start: selling goes on
 *         └──no network──▶ offline ──sign in──┘
 *
 * This module stays free of the database, so that the sign-in page shows before it is loaded.
 */
import { create } from 'zustand';
import type { UserClaims } from '../../domain/staff/roles.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isCurrent, readToken } from './token.ts';

interface SessionState {
  user: UserClaims | null;
  mode: 'online' | 'offline' | null;
  notice: 'expired' | null;
  /** Fills in the form after an expiry: most likely the same person goes on. */
  lastEmail: string;
}

export const useSession = create<SessionState>(() => ({ user: null, mode: null, notice: null, lastEmail: '' }));

const offlineKey = 'offline-session';

/** The token for calls to the API, expired or not: the server decides. */
export const sessionToken = readCookie;

/** Whether the token would still be taken; false in an offline session. */
export function hasCurrentToken(nowMs = Date.now()): boolean {
  const claims = readToken(readCookie() ?? '');
  return claims !== null && isCurrent(claims, nowMs);
}

/** Reads the session that a reload left behind. */
export function restoreSession(nowMs = Date.now()): void {
  const token = readCookie();
  const claims = token === null ? null : readToken(token);
  if (claims && isCurrent(claims, nowMs)) {
    useSession.setState({ user: claims.user, mode: 'online', notice: null });
    return;
  }
  const offline = JSON.parse(sessionStorage.getItem(offlineKey) ?? 'null') as { user: UserClaims; untilMs: number } | null;
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
}

export function beginOnline(token: string, user: UserClaims): void {
  sessionStorage.removeItem(offlineKey);
  writeCookie(token);
  useSession.setState({ user, mode: 'online', notice: null });
}

/** @param untilMs when this device stops vouching for the person without the server */
export function beginOffline(user: UserClaims, untilMs: number): void {
  sessionStorage.setItem(offlineKey, JSON.stringify({ user, untilMs }));
  useSession.setState({ user, mode: 'offline', notice: null });
}

/** The server refused the token: nobody is signed in any more. Nothing that waits to be sent is touched. */
export function endSession(notice: 'expired'): void {
  const email = useSession.getState().user?.email ?? '';
  sessionStorage.removeItem(offlineKey);
  clearCookie();
  useSession.setState({ user: null, mode: null, notice, lastEmail: email });
}

/** Forgets who was here, before the page is left for good. */
export function forgetSession(): void {
  sessionStorage.removeItem(offlineKey);
  clearCookie();
}
