/**
 * Notices that nobody has touched the app for a while, in any of its tabs, and locks it. The time of the last touch and the
 * lock are shared: work in one tab keeps the others open, and what opens one opens all.
 */
import {
  idleMs,
  lock,
  lockedKey,
  noteTouch,
  readOffline,
  restoreSession,
  sessionToken,
  sinceTouchMs,
  useSession,
} from './session.ts';
import { readToken } from './token.ts';

/** A pointer moves many times a second; noting it once is enough. */
const noteEveryMs = 1000;
/** Timers stand still while a device sleeps, and nothing may say that it woke. */
const longestNapMs = 30_000;

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'];

/** @returns what ends the watch */
export function watchTouches(): () => void {
  const end = new AbortController();
  const listening = { signal: end.signal, capture: true, passive: true };
  let timer: ReturnType<typeof setTimeout> | undefined;
  function look(): void {
    clearTimeout(timer);
    const since = sinceTouchMs();
    if (since >= idleMs) return lock();
    // Never touched yet, or the clock was put back: the time begins anew, rather than last for as long as it was put back by.
    if (since <= 0) noteTouch();
    timer = setTimeout(look, Math.min(idleMs - since, longestNapMs));
  }
  function touched(): void {
    const since = sinceTouchMs();
    // The first touch after a sleep comes before any timer, and opens nothing.
    if (since >= idleMs) lock();
    else if (Math.abs(since) >= noteEveryMs) noteTouch();
  }
  for (const touch of touches) addEventListener(touch, touched, listening);
  document.addEventListener('visibilitychange', look, listening);
  look();
  return () => {
    clearTimeout(timer);
    end.abort();
  };
}

/** A screen that is read from afar is in use without being touched. @returns what ends it */
export function stayOpen(): () => void {
  const timer = setInterval(noteTouch, longestNapMs);
  return () => clearInterval(timer);
}

/** Does as another tab did: locks, or goes on as whoever unlocked there. @returns what ends it */
export function followTabs(): () => void {
  const end = new AbortController();
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== lockedKey) return;
    const here = readToken(sessionToken() ?? '')?.user ?? readOffline()?.user;
    // A token that ran out while somebody worked ends nothing, and so the same person's session is not read again.
    if (newValue === null && here?.id !== useSession.getState().user?.id) restoreSession();
    useSession.setState({ locked: newValue !== null });
  };
  addEventListener('storage', follow, { signal: end.signal });
  return () => end.abort();
}
