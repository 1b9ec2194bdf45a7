import 'fake-indexeddb/auto';
import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wipePersonal } from '#src/auth/sign-out.ts';
import { enter } from '#src/auth/unlock.ts';
import { verifyOffline } from '#src/auth/verifier.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import { keepDraft, readDraft } from '#src/session/drafts.ts';
import {
  actorKeyAtHand,
  actorKeyOf,
  dropKeys,
  dropLeftKeys,
  holdActorKey,
  holdKeys,
  personalKey,
} from '#src/session/keys.ts';
import { newKey } from '#src/session/sealed.ts';
import { beginOnline, forgetSession, lock, restoreSession, sessionToken, useSession } from '#src/session/session.ts';
import { recall, remember } from '#src/server-data/response-cache.ts';
import { person, signedInOnline, tokenOf } from '../auth/people.ts';
import { stubBrowser } from './browser.ts';
import { unique } from '#tests/support/unique.ts';

const start = Date.UTC(2026, 2, 2, 8);
const hourMs = 3_600_000;
const [manager, clerk] = [person(1, 'Marta', 'manager'), person(2, 'Ana')];
const ports = { now: () => start, random: (bytes: number) => new Uint8Array(bytes) };
const keyOf = (user: typeof manager) => Buffer.alloc(32, user.id);

let db: ClinicDatabase;
let browser: ReturnType<typeof stubBrowser>;

/** Signs in as the app does, with a password. */
async function signIn(user: typeof manager, password = `password of ${user.name}`): Promise<void> {
  await signedInOnline(db, ports, { user, password });
  const answer = await verifyOffline(db, ports, { email: user.email, password });
  if (!answer.ok) throw new Error(answer.code);
  await enter(db, answer, start);
}

async function lockApp(): Promise<void> {
  lock();
  await dropKeys();
}

async function signOut(user: typeof manager): Promise<void> {
  forgetSession();
  useSession.setState({ user: null, mode: null, locked: false });
  await wipePersonal(db, user.email);
  await dropKeys();
}

/** Returns all bytes and texts that a copy of the device holds. */
async function copyOfDevice(): Promise<string> {
  const rows = (await Promise.all(db.tables.map((table) => table.toArray()))).flat();
  const texts: string[] = [document.cookie, ...browser.storage.values(), ...browser.files.values()];
  const visit = (value: unknown): void => {
    if (value instanceof ArrayBuffer) texts.push(Buffer.from(value).toString('latin1'));
    else if (ArrayBuffer.isView(value)) texts.push(Buffer.from(value.buffer).toString('latin1'));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
    else texts.push(String(value));
  };
  rows.forEach(visit);
  return texts.join('\n');
}

/** Returns the names of the secrets of both people that a text contains. */
const secretsIn = (text: string): string[] =>
  [manager, clerk].flatMap((user) => [
    ...(text.includes(tokenOf(user, start + 8 * hourMs)) ? [`token of ${user.name}`] : []),
    ...(text.includes(keyOf(user).toString('latin1')) || text.includes(keyOf(user).toString('base64url'))
      ? [`actor key of ${user.name}`]
      : []),
    ...(text.includes(`password of ${user.name}`) ? [`password of ${user.name}`] : []),
  ]);

const actorKey = (user: typeof manager) => actorKeyOf(user.id);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  browser = stubBrowser();
  useSession.setState({ user: null, mode: null, notice: null, lastEmail: '', locked: false });
  db = new ClinicDatabase(unique('keys'));
});

afterEach(async () => {
  await signOut(manager);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await db.delete();
});

test('SECURITY a locked device holds neither a session token nor an actor key that can be read', async () => {
  await signIn(clerk);
  await signIn(manager);
  expect(secretsIn(await copyOfDevice())).toEqual(['token of Marta', 'actor key of Marta']);
  expect((await actorKey(manager))?.bytes).toEqual(Uint8Array.from(keyOf(manager)));
  expect(actorKeyAtHand(manager.id)).toEqual(await actorKey(manager));
  expect(actorKeyAtHand(clerk.id)).toBeNull();
  await lockApp();
  expect(actorKeyAtHand(manager.id)).toBeNull();
  expect(secretsIn(await copyOfDevice())).toEqual([]);
  expect(browser.files.size).toBe(0);
  expect([await actorKey(manager), await personalKey(), sessionToken()]).toEqual([null, null, null]);
});

test('SECURITY a sign-out of one person leaves no live token of another', async () => {
  await signIn(manager);
  await lockApp();
  await signIn(clerk);
  await signOut(clerk);
  expect(secretsIn(await copyOfDevice())).toEqual([]);
  expect(browser.files.size).toBe(0);
});

test('SECURITY after a sign-out the password opens the actor key, and no token', async () => {
  await signIn(manager);
  await signOut(manager);
  const answer = await verifyOffline(db, ports, { email: manager.email, password: 'password of Marta' });
  if (!answer.ok) throw new Error(answer.code);
  await enter(db, answer, start);
  expect(useSession.getState()).toMatchObject({ user: manager, mode: 'offline' });
  expect((await actorKey(manager))?.bytes).toEqual(Uint8Array.from(keyOf(manager)));
});

test('SECURITY a manager’s attention items go when a clerk takes over', async () => {
  await signIn(manager);
  await db.attention.add({ id: 1, kind: 'refused' } as never);
  await db.sync.put({ id: 'this', cursor: 'c', lacks: [] } as never);
  await signIn(clerk);
  expect(await db.attention.count()).toBe(0);
  expect((await db.sync.get('this'))?.lacks).toEqual(['attention']);
});

test('SECURITY patients go when somebody takes over who may not read them, except those that only this device has', async () => {
  await signIn(clerk);
  await db.patients.bulkAdd([{ id: 'a' }, { id: 'b', unsent: 1 }] as never[]);
  await db.sync.put({ id: 'this', cursor: 'c', lacks: [] } as never);
  await signIn(person(3, 'Kit', 'kitchen'));
  expect(await db.patients.toCollection().primaryKeys()).toEqual(['b']);
  expect((await db.sync.get('this'))?.cursor).toBeNull();
});

test('SECURITY the details of patients go when a clinician takes over, and the feed is told', async () => {
  await signIn(clerk);
  await db.patients.add({ id: 'a' } as never);
  await db.patient_details.bulkAdd([{ id: 'a' }, { id: 'b' }] as never[]);
  await db.sync.put({ id: 'this', cursor: 'c', lacks: [] } as never);
  await signIn(person(3, 'Cleo', 'server'));
  expect([await db.patients.count(), await db.patient_details.count()]).toEqual([1, 0]);
  expect(await db.sync.get('this')).toMatchObject({ cursor: 'c', lacks: ['patient_details'] });
});

test('a reload and another tab continue with the keys of the person who is unlocked', async () => {
  await signIn(manager);
  // The module forgets what it holds, as a reload does; the database and the cookie stay.
  holdActorKey(0, { deviceId: 0, sessionId: 0, key: '' });
  restoreSession(start);
  expect((await actorKey(manager))?.deviceId).toBe(3);
});

test('a page never uses the key of another person', async () => {
  await signIn(manager);
  holdActorKey(0, { deviceId: 0, sessionId: 0, key: '' });
  useSession.setState({ user: clerk });
  expect(await actorKey(manager)).toBeNull();
});

test('a lock that another tab has already ended deletes no keys', async () => {
  await signIn(manager);
  useSession.setState({ locked: true });
  await dropKeys();
  expect(browser.files.size).toBe(1);
});

test('SECURITY unsent forms and loaded responses are sealed for their person', async () => {
  await signIn(manager);
  await keepDraft(db, 'expense@1', { note: 'Rent of the practice' });
  await remember(db, 'staff', { name: 'Salary of Ana' }, start);
  const copy = await copyOfDevice();
  for (const text of ['Rent of the practice', 'Salary of Ana']) expect(copy).not.toContain(text);
  await lockApp();
  await signIn(clerk);
  expect(await readDraft(db, 'expense@1')).toBeNull();
  expect(await recall(db, 'staff')).toBeNull();
  await lockApp();
  expect(await keepDraft(db, 'expense@1', { note: 'typed just before the lock' })).toBe(false);
  await signIn(manager);
  expect(await readDraft(db, 'expense@1')).toEqual({ note: 'Rent of the practice' });
  expect(await recall(db, 'staff')).toMatchObject({ value: { name: 'Salary of Ana' }, at: start });
});

test('a form with a file is stored and read with the file', async () => {
  await signIn(manager);
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  const receipt = new File([bytes], 'candles.png', { type: 'image/png' });
  await keepDraft(db, 'expense:new@1', { title: 'Candles', receipt, notes: null });
  const draft = await readDraft<{ title: string; receipt: File; notes: null }>(db, 'expense:new@1');
  expect(draft).toMatchObject({ title: 'Candles', notes: null });
  expect([draft!.receipt.name, draft!.receipt.type]).toEqual(['candles.png', 'image/png']);
  expect(new Uint8Array(await draft!.receipt.arrayBuffer())).toEqual(bytes);
});

test.each(['after', 'while'])(
  'keys that are held %s the app starts to guard them stay for the sign-in',
  async (when) => {
    const key = await newKey();
    const hold = () => holdKeys({ userId: clerk.id, key, actor: null, token: null });
    if (when === 'after') {
      // The page that signs in shows before the rest of the app has loaded.
      await hold();
      await dropLeftKeys();
    } else {
      const open = caches.open.bind(caches);
      // The deletion, which comes first, takes longer than what follows.
      vi.spyOn(caches, 'open').mockImplementationOnce(async (name) => {
        await new Promise((resolve) => void setTimeout(resolve, 20));
        return open(name);
      });
      await Promise.all([dropLeftKeys(), hold()]);
    }
    beginOnline(tokenOf(clerk, start + hourMs), clerk);
    expect(await personalKey()).toEqual(key);
    expect(browser.files.size).toBe(1);
  },
);
