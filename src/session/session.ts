/**
 * The session of the signed-in user. Online, a token in the cookie `pos_token` authenticates the user; the database
 * holds one for the worker that only syncs. Offline, this device's own verifier authenticates, for the counter only.
 *
 *     (nobody) ──sign in──▶ online ──the server refuses the token──▶ (nobody, notice "expired")
 *         │                   ▲  an expired token changes nothing until the next start, so that selling can go on
 *         └──no network──▶ offline ──sign in──┘
 *
 * In both states the app can be locked, in all tabs of the device: after a time without interaction (`idle.ts`), or by
 * the user. The session continues at the server while the app is locked, but nothing here can use it: the lock clears the
 * cookie and the keys (`keys.ts`). The same user unlocks it, or another user takes over (`src/auth/unlock.ts`); both open
 * their vault.
 *
 * This module does not import the database, so that the sign-in page shows before the database has loaded.
 */
import { create } from 'zustand';
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { clearCookie, readCookie, writeCookie } from './cookie.ts';
import { isCurrent, isSigned, readToken } from './token.ts';

interface SessionState {
  user: UserClaims | null;
  mode: 'online' | 'offline' | null;
  notice: 'expired' | null;
  /** Prefills the sign-in form after an expiry. */
  lastEmail: string;
  /** Survives a reload. */
  locked: boolean;
  /** True if another tab has ended the session: what is stored is its own to clear, or already somebody else's. */
  endedElsewhere: boolean;
}

export const useSession = create<SessionState>(() => ({
  user: null,
  mode: null,
  notice: null,
  lastEmail: '',
  locked: false,
  endedElsewhere: false,
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
/** Names the person whose session it is, by id, for tabs that were locked. Absent when it has ended. */
const sessionOfKey = 'session-of';
/** What its person has changed about themselves since the token was made. */
const personKey = 'person';
const touchedKey = 'touched-at';

const idleKey = 'idle-minutes';
const usualIdleMinutes = 5;

/** Returns the time without a touch after which the app locks. It is needed before the settings are there. */
export const idleMs = (): number => Number(localStorage.getItem(idleKey) ?? usualIdleMinutes) * 60_000;

export const keepIdleTime = (minutes: number): void => localStorage.setItem(idleKey, String(minutes));

/** Returns the time since the last touch in any tab; negative if the clock was set back since. */
export const sinceTouchMs = (nowMs = Date.now()): number => nowMs - Number(localStorage.getItem(touchedKey) ?? nowMs);

export const noteTouch = (): void => localStorage.setItem(touchedKey, String(Date.now()));

/** Who is locked, without anything that only they may use. */
interface StoredLock {
  user: UserClaims;
  mode: 'online' | 'offline';
  /** The end of the session, in milliseconds. */
  untilMs: number;
}

export function lock(): void {
  const { user, mode } = useSession.getState();
  if (!user || !mode) return;
  const offline = readOffline();
  const untilMs = offline?.untilMs ?? (readToken(readCookie() ?? '')?.exp ?? 0) * 1000;
  // Another tab that has locked the session has cleared the cookie, and its note may not have arrived here.
  if (untilMs > 0 && !isLockStored())
    localStorage.setItem(lockedKey, JSON.stringify({ user, mode, untilMs } satisfies StoredLock));
  tellLocked(readCookie() ?? '');
  clearCookie();
  useSession.setState({ locked: true });
}

/** Tells the server that the app is locked, so that the token opens nothing any more, wherever a copy of it is. */
export function tellLocked(token: string): void {
  if (token === '' || !isSigned(token)) return;
  const headers = { authorization: `Bearer ${token}` };
  // Without an answer the token ends after ten minutes.
  void fetch('/api/auth/lock', { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

const obeyedKey = 'lock-obeyed';
/** When somebody last proved who they are, by this device's clock. */
const openedKey = 'opened-at';

/**
 * Locks the app once for each time at which a manager asked for it, also if it was closed then. Somebody who has opened it since
 * need not do so again: they have proved who they are.
 *
 * @param clockOffsetMs what this device's clock lacks to the server's, by which the manager asked; null if unknown
 */
export function obeyRemoteLock(askedAt: string, clockOffsetMs: number | null, nowMs = Date.now()): void {
  if (localStorage.getItem(obeyedKey) === askedAt) return;
  localStorage.setItem(obeyedKey, askedAt);
  const openedAtMs = Number(localStorage.getItem(openedKey));
  // A time to come is of a clock that was set back since, and says nothing.
  const isKnown = clockOffsetMs !== null && openedAtMs <= nowMs;
  if (isKnown && openedAtMs + clockOffsetMs > Date.parse(askedAt)) return;
  lock();
}

const isLockStored = (): boolean => localStorage.getItem(lockedKey) !== null;

/**
 * Unlocks all tabs. Call it after the new session is stored, because the other tabs read it then.
 *
 * @param session what changes with it, in one step: nothing may see the new person behind the old lock
 */
export function unlock(session: Partial<SessionState> = {}): void {
  const { user } = { ...useSession.getState(), ...session };
  noteTouch();
  if (user) {
    localStorage.setItem(sessionOfKey, String(user.id));
    localStorage.setItem(openedKey, String(Date.now()));
  } else localStorage.removeItem(sessionOfKey);
  localStorage.removeItem(lockedKey);
  useSession.setState({ notice: null, ...session, locked: false, endedElsewhere: false });
}

/**
 * Continues with the session that another tab has unlocked, or ends with it. It clears nothing, because WebKit shows the
 * cookie of another tab later than its storage, and an empty one is no sign of an end.
 *
 * @returns false if the token of that session has not arrived; call it again
 */
export function continueSession(): boolean {
  const userId = localStorage.getItem(sessionOfKey);
  if (userId === null) {
    useSession.setState({ user: null, mode: null, notice: null, locked: false, endedElsewhere: true });
    return true;
  }
  const offline = readOffline();
  const user = offline?.user ?? personOf(readCookie());
  if (user?.id !== Number(userId)) return false;
  // An expired token does not end a running session.
  if (user.id === useSession.getState().user?.id) useSession.setState({ locked: false });
  else useSession.setState({ user, mode: offline ? 'offline' : 'online', notice: null, locked: false });
  return true;
}

/** Returns the person of the offline session and its end, or null. */
export function readOffline(): { user: UserClaims; untilMs: number } | null {
  return JSON.parse(localStorage.getItem(offlineKey) ?? 'null') as { user: UserClaims; untilMs: number } | null;
}

/** Returns the person whose token it is; null for a token that says nothing of one. */
function personOf(token: string | null): UserClaims | null {
  const said = token === null ? undefined : readToken(token)?.user;
  if (!said) return null;
  const changed = JSON.parse(localStorage.getItem(personKey) ?? 'null') as UserClaims | null;
  const isNewer = changed?.id === said.id && changed.updated_at >= said.updated_at;
  // What somebody may do is what the token says.
  return isNewer ? { ...said, name: changed.name, phone: changed.phone } : said;
}

/** Returns the token for API calls, expired, unsigned or not: the server decides. */
export const sessionToken = readCookie;

/** Returns false if there is no token that the server would accept, and in an offline session. */
export const hasSignedToken = (): boolean => isSigned(readCookie() ?? '.');

/** Returns false if the token has expired, and in an offline session. */
export function hasCurrentToken(nowMs = Date.now()): boolean {
  const claims = readToken(readCookie() ?? '');
  return claims !== null && isCurrent(claims, nowMs);
}

/** The addresses that everybody may open. */
const openAddresses: readonly string[] = ['/', '/login'];

/**
 * Restores the session after a reload. Without one the sign-in page follows. It says that the session has expired if there
 * was one, or if the address needs one: a link or a bookmark, of which nobody expects to sign in.
 */
export function restoreSession(nowMs = Date.now(), address = '/'): void {
  const locked = JSON.parse(localStorage.getItem(lockedKey) ?? 'null') as StoredLock | null;
  if (locked && locked.untilMs > nowMs) {
    // Browsers write late, so after a crash a cookie that the lock has cleared may be back, or a lock that somebody had opened.
    tellLocked(readCookie() ?? '');
    clearCookie();
    useSession.setState({ user: locked.user, mode: locked.mode, notice: null, locked: true });
    return;
  }
  const token = readCookie();
  const person = personOf(token);
  const offline = readOffline();
  if (person && hasCurrentToken(nowMs)) return resume({ user: person, mode: 'online' }, nowMs);
  if (offline && offline.untilMs > nowMs) return resume({ user: offline.user, mode: 'offline' }, nowMs);
  const hasEnded = token !== null || offline !== null || locked !== null;
  if (hasEnded) forgetSession();
  // Without a session there is nothing to lock.
  unlock({
    user: null,
    mode: null,
    notice: hasEnded || !openAddresses.includes(address) ? 'expired' : null,
    lastEmail: (person ?? (offline ?? locked)?.user)?.email ?? '',
  });
}

function resume(session: Pick<SessionState, 'user' | 'mode'>, nowMs: number): void {
  useSession.setState({ ...session, notice: null });
  if (sinceTouchMs(nowMs) >= idleMs()) lock();
}

/** @param token a token of `user` */
export function beginOnline(token: string, user: UserClaims): void {
  localStorage.removeItem(offlineKey);
  writeCookie(token);
  unlock({ user, mode: 'online' });
}

/** Shows what the person has changed about themselves at the server. */
export function changePerson(user: UserClaims): void {
  localStorage.setItem(personKey, JSON.stringify(user));
  useSession.setState({ user });
}

/** @param untilMs end of the person's offline access */
export function beginOffline(user: UserClaims, untilMs: number): void {
  localStorage.setItem(offlineKey, JSON.stringify({ user, untilMs }));
  // The previous person's token must not be used for API calls.
  clearCookie();
  unlock({ user, mode: 'offline' });
}

/** Ends the session after the server refused the token. Leaves the outbox alone. */
export function endSession(notice: 'expired'): void {
  // A call of a locked page has no token, so its refusal says nothing about the session.
  if (useSession.getState().locked || isLockStored()) return;
  const email = useSession.getState().user?.email ?? '';
  forgetSession();
  unlock({ user: null, mode: null, notice, lastEmail: email });
}

/** Deletes the stored session before the page unloads. */
export function forgetSession(): void {
  localStorage.removeItem(offlineKey);
  localStorage.removeItem(personKey);
  clearCookie();
}
