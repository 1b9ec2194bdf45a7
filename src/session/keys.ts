/**
 * The keys of the person who uses the device now. The database holds the data key while the app is unlocked, so that a
 * reload and other tabs continue without a password; the lock deletes it. On insecure origins the actor key exists in
 * memory only.
 */
import type { ClinicDatabase, Personal, UnlockedRow } from '../db/database.ts';
import type { ActorKey } from '../db/proof.ts';
import { lockedKey, readOffline, sessionToken, useSession } from './session.ts';
import { canSeal, open, seal } from './sealed.ts';
import { fromBase64Url } from './token.ts';

/** An actor key as the server sends it and as it is sealed: in base64url. */
export interface StoredActorKey {
  deviceId: number;
  key: string;
}

interface Held {
  userId: number;
  /** Null on insecure origins. */
  key: CryptoKey | null;
  actor: ActorKey | null;
}

let held: Held | null = null;

/** Reads a key as the server sends it. */
export const readActorKey = (deviceId: number, key: string): ActorKey => ({ deviceId, bytes: fromBase64Url(key) });

const actorOf = (stored: StoredActorKey | null): ActorKey | null => stored && readActorKey(stored.deviceId, stored.key);

/** Stores the keys of a person whose vault is open. Call it before the app unlocks. */
export async function holdKeys(db: ClinicDatabase, { user_id, key, actor }: Omit<UnlockedRow, 'id'>): Promise<void> {
  held = { userId: user_id, key, actor: actorOf(await open<StoredActorKey>(key, actor)) };
  await db.unlocked.put({ id: 'this', user_id, key, actor });
}

/** Keeps an actor key in memory, on insecure origins. */
export function holdActorKey(userId: number, actor: StoredActorKey): void {
  held = { userId, key: null, actor: actorOf(actor) };
}

/** Returns what memory holds for the person who uses the app now. */
function atHand(): Held | null {
  const { user, locked } = useSession.getState();
  return !locked && held?.userId === user?.id ? held : null;
}

async function heldNow(db: ClinicDatabase): Promise<Held | null> {
  const { user, locked } = useSession.getState();
  if (!user || locked) return null;
  const known = atHand();
  if (known) return known;
  const row = await db.unlocked.get('this');
  if (row?.user_id !== user.id) return null;
  const actor = actorOf(await open<StoredActorKey>(row.key, row.actor));
  const now = useSession.getState();
  // The app was locked meanwhile.
  if (now.locked || now.user?.id !== user.id) return null;
  held = { userId: user.id, key: row.key, actor };
  return held;
}

/** Returns the key that proves a person's operations (`src/db/proof.ts`); null unless they use the app now. */
export async function actorKeyOf(db: ClinicDatabase, userId: number): Promise<ActorKey | null> {
  const now = await heldNow(db);
  return now?.userId === userId ? now.actor : null;
}

/** Returns the same key without a wait; null also if memory does not hold it. */
export function actorKeyAtHand(userId: number): ActorKey | null {
  const now = atHand();
  return now?.userId === userId ? now.actor : null;
}

/** Returns the data key of the person who uses the app; null while it is locked, and on insecure origins. */
export const personalKey = async (db: ClinicDatabase): Promise<CryptoKey | null> => (await heldNow(db))?.key ?? null;

/** Seals a value for the person who uses the app; returns null while it is locked. Insecure origins can't seal. */
export async function sealPersonal(db: ClinicDatabase, value: unknown): Promise<Personal | null> {
  if (!canSeal()) return { clear: value };
  const key = await personalKey(db);
  return key && seal(key, value);
}

/** Returns null for a value of another person. */
export async function openPersonal<Value>(db: ClinicDatabase, value: Personal): Promise<Value | null> {
  if ('clear' in value) return value.clear as Value;
  const key = await personalKey(db);
  return key && open<Value>(key, value);
}

/** Returns false while the app is locked and while nobody is signed in, in any tab. */
export const hasStoredSession = (): boolean =>
  localStorage.getItem(lockedKey) === null && (sessionToken() ?? readOffline()) !== null;

/**
 * Forgets the keys after a lock and after the end of a session, in memory and, unless another tab has unlocked or ended the
 * session, in the database.
 */
export async function dropKeys(db: ClinicDatabase): Promise<void> {
  held = null;
  if (hasStoredSession() || useSession.getState().endedElsewhere) return;
  await db.transaction('rw', db.unlocked, db.session, async () => {
    await db.unlocked.clear();
    // The worker continues to sync, and no more.
    await db.session.update('this', { full: undefined });
  });
}
