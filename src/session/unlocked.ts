/**
 * What an unlocked app needs after a reload, in a file of its own: an entry of the browser's Cache Storage. To delete the entry
 * removes the file. A row of IndexedDB stays readable in the log of the database after it was deleted (decision 045).
 */

/** An actor key as the server sends it and as it is sealed. */
export interface StoredActorKey {
  deviceId: number;
  /** The session to which it belongs. */
  sessionId: number;
  /** In base64url. */
  key: string;
}

export interface Unlocked {
  userId: number;
  /** The data key, in base64url. */
  key: string;
  actor: StoredActorKey | null;
  /** The token of the sign-in; null in an offline session. */
  token: string | null;
}

const cacheName = 'unlocked';
const address = '/unlocked';

export async function keepUnlocked(unlocked: Unlocked): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.put(address, new Response(JSON.stringify(unlocked)));
}

/** Returns null while the app is locked, and on insecure origins. */
export async function readUnlocked(): Promise<Unlocked | null> {
  const found = await globalThis.caches?.match(address, { cacheName });
  return found ? ((await found.json()) as Unlocked) : null;
}

export async function deleteUnlocked(): Promise<void> {
  const cache = await globalThis.caches?.open(cacheName);
  // The entry, not the cache, whose files stay as long as another tab has it open.
  await cache?.delete(address);
}
