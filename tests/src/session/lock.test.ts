import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClinicDatabase } from '#src/db/database.ts';
import { followTabs, stayOpen, useComingLock, warnMs, watchTouches } from '#src/session/idle.ts';
import { dropKeys, hasStoredSession } from '#src/session/keys.ts';
import { lendSession } from '#src/session/mirror.ts';
import {
  beginOffline,
  idleMs,
  lock,
  noteTouch,
  obeyRemoteLock,
  restoreSession,
  sessionToken,
  unlock,
  useSession,
} from '#src/session/session.ts';
import { keepUnlocked, readUnlocked } from '#src/session/unlocked.ts';
import { withoutSignature } from '#src/session/token.ts';
import { enter, peopleHere } from '#src/auth/unlock.ts';
import { vouched } from '#src/auth/verifier.ts';
import type { Vouched } from '#src/auth/verifier.ts';
import { person, signedInOnline, syncTokenOf, tokenOf as tokenUntil } from '../auth/people.ts';
import { stubBrowser } from './browser.ts';
import { unique } from '#tests/support/unique.ts';

const start = Date.UTC(2026, 2, 2, 8);
const hourMs = 3_600_000;
const [ana, bea, cleo] = [person(1, 'Ana'), person(2, 'Bea'), person(3, 'Cleo')];
const tokenOf = (user: typeof ana, expMs = start + 8 * hourMs) => tokenUntil(user, expMs);
/** Stores what a page keeps of an online session. */
function keepSession(user: typeof ana, expMs?: number): void {
  document.cookie = `pos_token=${tokenOf(user, expMs)}`;
}

const isLocked = () => useSession.getState().locked;
let browser: ReturnType<typeof stubBrowser>;
let ends: (() => void)[] = [];
const running = (end: () => void) => void ends.push(end);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now: start });
  browser = stubBrowser();
  useSession.setState({ user: ana, mode: 'online', notice: null, lastEmail: '', locked: false, endedElsewhere: false });
});

afterEach(() => {
  for (const end of ends) end();
  ends = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the idle lock', () => {
  test('locks after five minutes without input, and not before', () => {
    running(watchTouches());
    vi.advanceTimersByTime(idleMs() - 1);
    expect(isLocked()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isLocked()).toBe(true);
  });

  test('warns before it locks, until somebody touches this tab or another one', () => {
    const warned = () => useComingLock.getState().atMs !== null;
    running(watchTouches());
    vi.advanceTimersByTime(idleMs() - warnMs - 1);
    expect(warned()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(useComingLock.getState().atMs).toBe(start + idleMs());
    browser.window.dispatchEvent(new Event('pointerdown'));
    expect(warned()).toBe(false);
    vi.advanceTimersByTime(idleMs() - warnMs);
    expect(warned()).toBe(true);
    noteTouch();
    vi.advanceTimersByTime(1000);
    expect(warned()).toBe(false);
    expect(isLocked()).toBe(false);
    vi.advanceTimersByTime(idleMs());
    expect([warned(), isLocked()]).toEqual([false, true]);
  });

  test.each(['pointerdown', 'pointermove', 'keydown', 'wheel'])('starts the five minutes again on %s', (touch) => {
    running(watchTouches());
    vi.advanceTimersByTime(idleMs() - 1000);
    browser.window.dispatchEvent(new Event(touch));
    vi.advanceTimersByTime(idleMs() - 1);
    expect(isLocked()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isLocked()).toBe(true);
  });

  test('stays open while somebody works in another tab', () => {
    running(watchTouches());
    vi.advanceTimersByTime(idleMs() - 1000);
    // What the other tab notes is all that this one sees of it.
    localStorage.setItem('touched-at', String(Date.now()));
    vi.advanceTimersByTime(idleMs() - 1);
    expect(isLocked()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isLocked()).toBe(true);
  });

  test('locks at the first input after the device slept', () => {
    running(watchTouches());
    // Asleep, no timer runs.
    vi.setSystemTime(start + hourMs);
    browser.window.dispatchEvent(new Event('pointermove'));
    expect(isLocked()).toBe(true);
  });

  test('does not lock the preparation board while it is shown', () => {
    running(watchTouches());
    const takeDown = stayOpen();
    vi.advanceTimersByTime(idleMs() * 3);
    expect(isLocked()).toBe(false);
    takeDown();
    vi.advanceTimersByTime(idleMs());
    expect(isLocked()).toBe(true);
  });

  test('locks at once when the page becomes visible after that time', () => {
    running(watchTouches());
    vi.setSystemTime(start + hourMs);
    browser.document.dispatchEvent(new Event('visibilitychange'));
    expect(isLocked()).toBe(true);
  });

  test('locks on time when the clock is set back by an hour', () => {
    running(watchTouches());
    vi.setSystemTime(start - hourMs);
    vi.advanceTimersByTime(idleMs() + 30_000);
    expect(isLocked()).toBe(true);
  });
});

describe('a request of a manager to lock', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const open = () => beginOffline(ana, start + 8 * hourMs);

  test('locks once, whoever opens the app later', () => {
    obeyRemoteLock(at(start - 1000), 0);
    expect(isLocked()).toBe(true);
    vi.advanceTimersByTime(1000);
    open();
    obeyRemoteLock(at(start - 1000), 0);
    expect(isLocked()).toBe(false);
    vi.advanceTimersByTime(1000);
    obeyRemoteLock(at(start + 1500), 0);
    expect(isLocked()).toBe(true);
  });

  test('locks nobody who has opened the app since, by the clock of the server', () => {
    lock();
    vi.advanceTimersByTime(60_000);
    open();
    // The clock of this device is an hour behind.
    obeyRemoteLock(at(start + hourMs + 59_000), hourMs);
    expect(isLocked()).toBe(false);
    obeyRemoteLock(at(start + hourMs + 61_000), hourMs);
    expect(isLocked()).toBe(true);
  });

  test.each([
    ['nothing is known of the clock', () => null],
    ['the clock was set back since', () => (vi.setSystemTime(start - hourMs), 0)],
  ])('locks if %s', (_, offsetAfter) => {
    open();
    const offset = offsetAfter();
    obeyRemoteLock(at(start - 1000), offset);
    expect(isLocked()).toBe(true);
  });
});

describe('a reload', () => {
  test('stays locked', () => {
    keepSession(ana);
    lock();
    useSession.setState({ user: null, mode: null, locked: false });
    restoreSession(start);
    expect(useSession.getState()).toMatchObject({ user: ana, mode: 'online', locked: true });
  });

  test('ends at the server the token of a cookie that a crash brought back', () => {
    keepSession(ana);
    lock();
    const calls = vi.fn(() => Promise.resolve(new Response()));
    vi.stubGlobal('fetch', calls);
    keepSession(ana);
    restoreSession(start);
    expect(calls).toHaveBeenCalledExactlyOnceWith('/api/auth/lock', expect.objectContaining({ method: 'POST' }));
    expect(document.cookie).toBe('');
  });

  test('stays locked with an offline session', () => {
    beginOffline(ana, start + hourMs);
    lock();
    useSession.setState({ user: null, mode: null, locked: false });
    restoreSession(start);
    expect(useSession.getState()).toMatchObject({ user: ana, mode: 'offline', locked: true });
  });

  test('locks when the last input was five minutes ago', () => {
    keepSession(ana);
    localStorage.setItem('touched-at', String(start - idleMs()));
    restoreSession(start);
    expect(isLocked()).toBe(true);
  });

  test('without a session shows the sign-in page and removes the lock', () => {
    keepSession(ana, start - 1000);
    lock();
    restoreSession(start);
    expect(useSession.getState()).toMatchObject({ user: null, notice: 'expired', locked: false });
    expect(localStorage.getItem('locked')).toBeNull();
  });

  test('does not lock when the last input was more recent', () => {
    keepSession(ana);
    localStorage.setItem('touched-at', String(start - idleMs() + 1));
    restoreSession(start);
    expect(isLocked()).toBe(false);
  });
});

describe('several tabs', () => {
  const tell = (newValue: string | null) =>
    browser.window.dispatchEvent(Object.assign(new Event('storage'), { key: 'locked', newValue }));
  /** Unlocks in another tab. Its cookie arrives here when `arrive` is called, as in WebKit. */
  function unlockedElsewhere(user: typeof ana, expMs?: number): { arrive: () => void } {
    const jar = browser.document as unknown as { cookie: string };
    const cookie = Object.getOwnPropertyDescriptor(jar, 'cookie')!;
    localStorage.setItem('session-of', String(user.id));
    jar.cookie = `pos_token=${tokenOf(user, expMs)}`;
    Object.defineProperty(jar, 'cookie', { ...cookie, get: () => '', configurable: true });
    tell(null);
    return { arrive: () => Object.defineProperty(jar, 'cookie', cookie) };
  }

  test('lock at the same time', () => {
    running(followTabs());
    tell('1');
    expect(isLocked()).toBe(true);
  });

  test('unlock at the same time, and keep the session of the same user although its token has expired', () => {
    running(followTabs());
    useSession.setState({ locked: true });
    unlockedElsewhere(ana, start - 1000).arrive();
    vi.advanceTimersByTime(1000);
    expect(useSession.getState()).toMatchObject({ user: ana, mode: 'online', locked: false });
  });

  test('switch to another user when one of them does', () => {
    running(followTabs());
    useSession.setState({ locked: true });
    localStorage.setItem('session-of', String(bea.id));
    localStorage.setItem('offline-session', JSON.stringify({ user: bea, untilMs: start + hourMs }));
    tell(null);
    expect(useSession.getState()).toMatchObject({ user: bea, mode: 'offline', locked: false });
  });

  test('a tab that does not see the new token yet stays locked, clears nothing, and reads again', () => {
    running(followTabs());
    useSession.setState({ locked: true });
    const { arrive } = unlockedElsewhere(ana);
    vi.advanceTimersByTime(20_000);
    expect(useSession.getState()).toMatchObject({ user: ana, locked: true });
    arrive();
    vi.advanceTimersByTime(1000);
    expect(useSession.getState()).toMatchObject({ user: ana, mode: 'online', locked: false });
    expect(sessionToken()).toBe(tokenOf(ana));
  });

  test('a tab that still sees the token of the person before waits for that of the next one', () => {
    running(followTabs());
    useSession.setState({ locked: true });
    keepSession(ana);
    localStorage.setItem('session-of', String(bea.id));
    tell(null);
    expect(useSession.getState()).toMatchObject({ user: ana, locked: true });
    keepSession(bea);
    vi.advanceTimersByTime(1000);
    expect(useSession.getState()).toMatchObject({ user: bea, mode: 'online', locked: false });
  });

  test('a lock ends the waiting', () => {
    running(followTabs());
    useSession.setState({ locked: true });
    const { arrive } = unlockedElsewhere(ana);
    tell('1');
    arrive();
    vi.advanceTimersByTime(20_000);
    expect(isLocked()).toBe(true);
  });

  test('a session that ends in one tab ends in the others, which leave what it stored alone', async () => {
    await keepUnlocked({ userId: bea.id, key: '', actor: null, token: null });
    running(followTabs());
    useSession.setState({ locked: true });
    unlock();
    useSession.setState({ locked: true });
    localStorage.removeItem('session-of');
    tell(null);
    expect(useSession.getState()).toMatchObject({ user: null, mode: null, locked: false, endedElsewhere: true });
    vi.useRealTimers();
    await dropKeys();
    expect(await readUnlocked()).toMatchObject({ userId: bea.id });
  });
});

describe('the lock', () => {
  test('takes the token out of the page', () => {
    keepSession(ana);
    lock();
    expect(sessionToken()).toBeNull();
    expect(document.cookie).toBe('');
    expect(JSON.stringify([...browser.storage])).not.toContain(tokenOf(ana));
  });
});

describe('a shared tablet', () => {
  let db: ClinicDatabase;
  const ports = { now: () => Date.now(), random: (bytes: number) => new Uint8Array(bytes) };
  const open = async (user: typeof ana, expMs = start + 8 * hourMs): Promise<Vouched> => {
    const { row, key } = await signedInOnline(db, ports, { user, password: 'secret', expMs });
    return vouched(row, key);
  };
  const worker = async () => db.session.get('this');

  beforeEach(() => {
    // The database needs real timers.
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    db = new ClinicDatabase(unique('lock'));
  });
  afterEach(() => db.delete());

  test('restores the session when the same user unlocks', async () => {
    keepSession(ana);
    lock();
    await enter(db, await open(ana), start);
    expect(useSession.getState()).toMatchObject({ user: ana, mode: 'online', locked: false });
    expect(localStorage.getItem('locked')).toBeNull();
    // Until the server gives another token, the cookie says who is there and opens nothing.
    expect(sessionToken()).toBe(withoutSignature(tokenOf(ana)));
  });

  test('keeps an online session whose token has expired behind the lock', async () => {
    keepSession(ana, start - 1);
    lock();
    await enter(db, await open(ana, start - 1), start);
    expect(useSession.getState()).toMatchObject({ user: ana, mode: 'online', locked: false });
  });

  test('starts an online session of another user with a current token', async () => {
    keepSession(ana);
    lock();
    await enter(db, await open(bea), start);
    expect(useSession.getState()).toMatchObject({ user: bea, mode: 'online', locked: false });
    expect(sessionToken()).toBe(withoutSignature(tokenOf(bea)));
    expect(await worker()).toMatchObject({ user: bea, token: syncTokenOf(bea) });
  });

  test('starts an offline session of another user without a current token, and does not use the previous user’s token', async () => {
    keepSession(ana);
    lock();
    await enter(db, await open(bea, start), start);
    expect(useSession.getState()).toMatchObject({ user: bea, mode: 'offline', locked: false });
    expect(sessionToken()).toBeNull();
    restoreSession(start);
    expect(useSession.getState()).toMatchObject({ user: bea, mode: 'offline', locked: false });
  });

  test('never shows another user behind the lock of the one before, whose keys would go', async () => {
    keepSession(ana);
    lock();
    const seen: boolean[] = [];
    running(
      useSession.subscribe(({ user, locked }) => user?.id === bea.id && seen.push(!locked && hasStoredSession())),
    );
    await enter(db, await open(bea), start);
    lock();
    await enter(db, await open(bea, start - 1), start);
    expect([seen[0], useSession.getState().locked]).toEqual([true, false]);
  });

  test('starts the five minutes again when somebody unlocks', () => {
    localStorage.setItem('touched-at', String(start - hourMs));
    lock();
    unlock();
    running(watchTouches());
    expect(isLocked()).toBe(false);
  });

  test('offers the users who signed in online within seven days, by name', async () => {
    for (const user of [cleo, ana, bea]) await open(user);
    await db.verifiers.update(bea.email, { last_online_at: start - 7 * 24 * hourMs - 1 });
    expect((await peopleHere(db, start)).map(({ user }) => user.name)).toEqual(['Ana', 'Cleo']);
  });

  test('SYNC-8 the worker uses another user’s current sync token when the server refuses one', async () => {
    for (const user of [cleo, bea, ana])
      await enter(db, await open(user, user === cleo ? start : start + hourMs), start);
    expect(await worker()).toMatchObject({ user: ana });
    expect(await lendSession(db, start)).toBe(true);
    expect(await worker()).toEqual({ id: 'this', user: bea, token: syncTokenOf(bea), exp: (start + hourMs) / 1000 });
  });

  test('SYNC-8 the worker keeps its token when there is no other current one', async () => {
    await open(bea, start);
    await enter(db, await open(ana), start);
    expect(await lendSession(db, start)).toBe(false);
    expect(await worker()).toMatchObject({ user: ana });
  });
});
