/**
 * The secrets of the person who uses the device now. A file has them while the app is unlocked, so that a reload and other tabs
 * continue without a password (`unlocked.ts`); the lock deletes it. On insecure origins they exist in memory only.
 */
import type { Personal } from '../db/database.ts';
import type { ActorKey } from '../db/proof.ts';
import { canSeal, keyBytes, keyOf, open, seal } from './sealed.ts';
import { lockedKey, readOffline, sessionToken, useSession } from './session.ts';
import { fromBase64Url, toBase64Url } from './token.ts';
import { deleteUnlocked, keepUnlocked, readUnlocked } from './unlocked.ts';
import type { StoredActorKey } from './unlocked.ts';

interface Held {
  userId: number;
  /** The data key; null on insecure origins. */
  key: CryptoKey | null;
  actor: ActorKey | null;
  /** The token of the sign-in; null in an offline session. */
  token: string | null;
}

let held: Held | null = null;

/** Reads a key as the server sends it. */
export const readActorKey = ({ key, ...owner }: StoredActorKey): ActorKey => ({ ...owner, bytes: fromBase64Url(key) });

const actorOf = (stored: StoredActorKey | null): ActorKey | null => stored && readActorKey(stored);

/** Stores the secrets of a person whose vault is open. Call it before the app unlocks. */
export async function holdKeys(
  person: Pick<Held, 'userId' | 'token'> & { key: CryptoKey; actor: StoredActorKey | null },
): Promise<void> {
  const { key, actor } = person;
  held = { ...person, actor: actorOf(actor) };
  await keepUnlocked({ ...person, key: toBase64Url(await keyBytes(key)), actor });
}

/** Keeps an actor key in memory, on insecure origins. */
export function holdActorKey(userId: number, actor: StoredActorKey): void {
  held = { userId, key: null, actor: actorOf(actor), token: null };
}

/** Returns what memory holds for the person who uses the app now. */
function atHand(): Held | null {
  const { user, locked } = useSession.getState();
  return !locked && held?.userId === user?.id ? held : null;
}

async function heldNow(): Promise<Held | null> {
  const { user, locked } = useSession.getState();
  if (!user || locked) return null;
  const known = atHand();
  if (known) return known;
  const stored = await readUnlocked();
  if (stored?.userId !== user.id) return null;
  const key = await keyOf(fromBase64Url(stored.key));
  const now = useSession.getState();
  // The app was locked meanwhile.
  if (now.locked || now.user?.id !== user.id) return null;
  held = { userId: user.id, key, actor: actorOf(stored.actor), token: stored.token };
  return held;
}

/** Returns the key that proves a person's operations (`src/db/proof.ts`); null unless they use the app now. */
export async function actorKeyOf(userId: number): Promise<ActorKey | null> {
  const now = await heldNow();
  return now?.userId === userId ? now.actor : null;
}

/** Returns the same key without a wait; null also if memory does not hold it. */
export function actorKeyAtHand(userId: number): ActorKey | null {
  const now = atHand();
  return now?.userId === userId ? now.actor : null;
}

/** Returns the data key of the person who uses the app; null while it is locked, and on insecure origins. */
export const personalKey = async (): Promise<CryptoKey | null> => (await heldNow())?.key ?? null;

/** Returns the token of the sign-in; null while the app is locked, in an offline session, and on insecure origins. */
export const signInToken = async (): Promise<string | null> => (await heldNow())?.token ?? null;

/** Seals a value for the person who uses the app; returns null while it is locked. Insecure origins can't seal. */
export async function sealPersonal(value: unknown): Promise<Personal | null> {
  if (!canSeal()) return { clear: value };
  const key = await personalKey();
  return key && seal(key, value);
}

/** Returns null for a value of another person. */
export async function openPersonal<Value>(value: Personal): Promise<Value | null> {
  if ('clear' in value) return value.clear as Value;
  const key = await personalKey();
  return key && open<Value>(key, value);
}

/** Returns false while the app is locked and while nobody is signed in, in any tab. */
export const hasStoredSession = (): boolean =>
  localStorage.getItem(lockedKey) === null && (sessionToken() ?? readOffline()) !== null;

/**
 * Forgets the secrets after a lock and after the end of a session, in memory and, unless another tab has unlocked or ended the
 * session, on the device.
 */
export async function dropKeys(): Promise<void> {
  held = null;
  if (!hasStoredSession() && !useSession.getState().endedElsewhere) await deleteUnlocked();
}

/**
 * Forgets, when the app starts without a person, what an earlier page has left. Somebody may be signing in already: their keys come
 * before their session (`src/auth/sign-in.ts`), and stay.
 */
export async function dropLeftKeys(): Promise<void> {
  if (!held) await dropKeys();
}
