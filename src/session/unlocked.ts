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

let last: Promise<unknown> = Promise.resolve();

/** Begins a change of the file when the one before has ended, so that the last one that was asked for is what stays. */
function inTurn(change: () => Promise<void>): Promise<void> {
  const done = last.then(change);
  last = done.catch(() => undefined);
  return done;
}

export const keepUnlocked = (unlocked: Unlocked): Promise<void> =>
  inTurn(async () => {
    const cache = await caches.open(cacheName);
    await cache.put(address, new Response(JSON.stringify(unlocked)));
  });

/** Returns null while the app is locked, and on insecure origins. */
export async function readUnlocked(): Promise<Unlocked | null> {
  const found = await globalThis.caches?.match(address, { cacheName });
  return found ? ((await found.json()) as Unlocked) : null;
}

export const deleteUnlocked = (): Promise<void> =>
  inTurn(async () => {
    const cache = await globalThis.caches?.open(cacheName);
    // The entry, not the cache, whose files stay as long as another tab has it open.
    await cache?.delete(address);
  });
