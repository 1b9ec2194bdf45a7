/**
 * Locks the app when nobody has touched any of its tabs for a while. Tabs share the time of the last touch and the
 * lock: work in one tab keeps the others unlocked, and unlocking one unlocks all.
 */
import { create } from 'zustand';
import { continueSession, idleMs, lock, lockedKey, noteTouch, sinceTouchMs, useSession } from './session.ts';

/** A pointer moves many times a second; recording one move is enough. */
const noteEveryMs = 1000;
/** Timers stop while a device sleeps, and no event reports that it woke. */
const longestNapMs = 30_000;
/** How long before the lock the app warns. */
export const warnMs = 20_000;
/** Touches in another tab end the warning within this time. */
const lookWhileWarningMs = 1000;

/** The time of the coming lock in milliseconds, while the app warns of it. */
export const useComingLock = create<{ atMs: number | null }>(() => ({ atMs: null }));

function warn(atMs: number | null): void {
  if (useComingLock.getState().atMs !== atMs) useComingLock.setState({ atMs });
}

const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'];

/** @returns a function that stops watching */
export function watchTouches(): () => void {
  const end = new AbortController();
  const listening = { signal: end.signal, capture: true, passive: true };
  let timer: ReturnType<typeof setTimeout> | undefined;
  function look(): void {
    clearTimeout(timer);
    const [since, limit] = [sinceTouchMs(), idleMs()];
    const isClose = since >= limit - warnMs && since < limit;
    // Rounded, because both clocks are read one after the other.
    warn(isClose ? Math.round((Date.now() + limit - since) / 100) * 100 : null);
    if (since >= limit) return lock();
    // Never touched, or the clock was set back: restarts the period, which would otherwise grow by the clock change.
    if (since <= 0) noteTouch();
    const nextMs = isClose ? Math.min(limit - since, lookWhileWarningMs) : limit - warnMs - since;
    timer = setTimeout(look, Math.min(nextMs, longestNapMs));
  }
  function touched(): void {
    const since = sinceTouchMs();
    // The first touch after a sleep comes before any timer, so it must lock.
    if (since >= idleMs()) lock();
    else if (Math.abs(since) >= noteEveryMs) noteTouch();
    if (useComingLock.getState().atMs !== null) look();
  }
  for (const touch of touches) addEventListener(touch, touched, listening);
  document.addEventListener('visibilitychange', look, listening);
  look();
  return () => {
    clearTimeout(timer);
    warn(null);
    end.abort();
  };
}

/** Keeps a wall screen unlocked, which is in use without being touched. @returns a function that stops this */
export function stayOpen(): () => void {
  const timer = setInterval(noteTouch, longestNapMs);
  return () => clearInterval(timer);
}

/** The cookie of another tab arrives within this time, or within a few of it. */
const lookAgainMs = 100;

/**
 * Follows other tabs: locks with them, and continues as the person who unlocked there, as soon as that person's token can
 * be read here. Until then this tab stays locked. @returns a function that stops following
 */
export function followTabs(): () => void {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function proceed(): void {
    if (!continueSession()) timer = setTimeout(proceed, lookAgainMs);
  }
  function follow({ key, newValue }: StorageEvent): void {
    if (key !== lockedKey) return;
    clearTimeout(timer);
    if (newValue === null) proceed();
    else useSession.setState({ locked: true });
  }
  addEventListener('storage', follow, { signal: end.signal });
  return () => {
    clearTimeout(timer);
    end.abort();
  };
}
