import { beforeEach, expect, test } from 'vitest';
import type { Role } from '#domain/staff/roles.ts';
import {
  beginOffline,
  changePerson,
  endSession,
  hasCurrentToken,
  lock,
  lockedKey,
  restoreSession,
  useSession,
} from '#src/session/session.ts';
import { readToken } from '#src/session/token.ts';
import { stubBrowser } from './browser.ts';

const now = Date.UTC(2026, 2, 2, 8);
const claims = (role: Role = 'counter', expSeconds = now / 1000 + 3600) => ({
  id: 7,
  name: 'Lucía Ferrer',
  email: 'lucia@clinic.test',
  phone: null,
  role,
  status: 'active' as const,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  exp: expSeconds,
  jti: 'not for the app',
});
const token = (body: object) => `head.${Buffer.from(JSON.stringify(body)).toString('base64url')}.signature`;
const { exp: _exp, jti: _jti, ...user } = claims();
/** Stores what a page keeps of an online session. */
function keepSession(said: ReturnType<typeof claims>): void {
  document.cookie = `pos_token=${token(said)}`;
}

beforeEach(() => {
  stubBrowser();
  useSession.setState({ user: null, mode: null, notice: null, lastEmail: '', locked: false });
});

test('a token says who its person is and until when, in any script', () => {
  expect(readToken(token(claims()))).toEqual({ user, exp: claims().exp });
  const name = 'Ñandú 何 🦷';
  expect(readToken(token({ ...claims(), name }))?.user.name).toBe(name);
});

test('a token that cannot be decoded or lacks a claim is rejected', () => {
  const bad = [
    '',
    'a.b',
    'a.%%%.c',
    token({ ...claims(), id: 'seven' }),
    token({ ...claims(), exp: 'soon' }),
    token({ id: 7, exp: claims().exp }),
    token({ ...claims(), role: 'owner' }),
    token({ ...claims(), status: 'asleep' }),
    token({ ...claims(), phone: 7 }),
    token({ ...claims(), name: undefined }),
    token({ ...claims(), updated_at: null }),
    token([]),
  ];
  expect(bad.map(readToken)).toEqual(bad.map(() => null));
});

test('a reload restores the session from the cookie', () => {
  keepSession(claims());
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user, mode: 'online', notice: null });
  expect(hasCurrentToken(now)).toBe(true);
});

test('a reload with an expired token leads to the sign-in page, with the notice and the email', () => {
  keepSession(claims('counter', now / 1000 - 1));
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user: null, mode: null, notice: 'expired', lastEmail: user.email });
  expect(document.cookie).toBe('');
});

test('an undecodable token is cleared like an expired one, and a missing token shows no notice', () => {
  document.cookie = 'pos_token=nonsense';
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user: null, notice: 'expired' });
  expect(document.cookie).toBe('');
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user: null, notice: null });
});

test('a changed name survives a reload', () => {
  keepSession(claims());
  restoreSession(now);
  changePerson({ ...user, name: 'Lucía Ferrer Gil' });
  restoreSession(now);
  expect(useSession.getState().user?.name).toBe('Lucía Ferrer Gil');
});

test('of what somebody has changed nothing is shown for another person, nor beside a later token, and never another role', () => {
  const changed = { ...user, name: 'Another name', role: 'admin' };
  const nameWith = (stored: object, said = claims()) => {
    keepSession(said);
    localStorage.setItem('person', JSON.stringify(stored));
    restoreSession(now);
    const { name, role } = useSession.getState().user!;
    return [name, role];
  };
  expect(nameWith(changed)).toEqual(['Another name', 'counter']);
  expect(nameWith({ ...changed, id: 8 })).toEqual([user.name, 'counter']);
  expect(nameWith(changed, { ...claims(), updated_at: '2026-01-02T00:00:00.000Z' })).toEqual([user.name, 'counter']);
});

test('the token of a person in clear says who is there only while the app is open', () => {
  keepSession(claims());
  restoreSession(now);
  lock();
  expect(document.cookie).toBe('');
});

test('a page that needs a session says so when there is none; the start and the sign-in page do not', () => {
  const noticeAt = (address: string) => {
    restoreSession(now, address);
    return useSession.getState().notice;
  };
  expect(['/admin/stock', '/admin', '/counter', '/outbox', '/nowhere'].map(noticeAt)).toEqual(
    Array.from({ length: 5 }, () => 'expired'),
  );
  expect(['/', '/login'].map(noticeAt)).toEqual([null, null]);
  keepSession(claims());
  expect(noticeAt('/admin/stock')).toBeNull();
});

test('a token that expires during work does not end the session before the next start', () => {
  keepSession(claims());
  restoreSession(now);
  expect(hasCurrentToken(now + 2 * 3600_000)).toBe(false);
  expect(useSession.getState()).toMatchObject({ user, mode: 'online' });
});

test('an offline session survives a reload until it expires', () => {
  beginOffline(user, now + 1000);
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user, mode: 'offline' });
  restoreSession(now + 1000);
  expect(useSession.getState()).toMatchObject({ user: null, mode: null, notice: 'expired' });
});

test('a refused token ends the session and keeps the email', () => {
  keepSession(claims());
  restoreSession(now);
  endSession('expired');
  expect(useSession.getState()).toMatchObject({ user: null, mode: null, notice: 'expired', lastEmail: user.email });
  expect(document.cookie).toBe('');
});

test('a refused call of a locked page leaves the lock as it is, because the call had no token', () => {
  keepSession(claims());
  restoreSession(now);
  lock();
  endSession('expired');
  expect(useSession.getState()).toMatchObject({ user, locked: true, notice: null });
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user, locked: true });
});

test('a tab that locks when another one has just cleared the cookie does not replace its lock by one without an end', () => {
  keepSession(claims());
  restoreSession(now);
  lock();
  const stored = localStorage.getItem(lockedKey)!;
  // The other tab's storage does not have the lock yet, but all tabs share the cookie.
  localStorage.removeItem(lockedKey);
  lock();
  expect(localStorage.getItem(lockedKey)).toBeNull();
  localStorage.setItem(lockedKey, stored);
  restoreSession(now);
  expect(useSession.getState()).toMatchObject({ user, locked: true, notice: null });
});
