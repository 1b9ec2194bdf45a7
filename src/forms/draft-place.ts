/**
 * Gives each tab of a browser a draft of its own. Two tabs with the same form would overwrite each other's, and the first to
 * send would delete what the other has typed.
 *
 * A form takes the first of its places that no other tab has taken, and holds it by a Web Lock, which ends with its tab. It
 * begins with the place that this tab had, then with those where a draft waits. Where there are no Web Locks (on insecure
 * origins) all tabs have one place.
 */
import type { ClinicDatabase } from '../db/database.ts';

/** The first place is named as the form is. Nobody opens one form in more tabs. */
const places = ['', ...Array.from({ length: 15 }, (_, index) => `~${index + 2}`)];

/** A page that reloads may still hold its place. */
const reloadMs = 1000;

export interface DraftPlace {
  /** What the place adds to the name of its form; nothing at the first. */
  suffix: string;
  /** The key of its draft. */
  key: string;
  leave: () => void;
}

/** Returns the key under which the draft of a form is stored. Drafts are stored per person. */
const keyOf = (name: string, suffix: string, owner: number | undefined): string => `${name}${suffix}@${owner}`;

const lockOf = (key: string): string => `dental-counter-draft:${key}`;
const rememberedAs = (name: string): string => `draft-place:${name}`;

/** The locks that this tab gives back. A lock is free only once that has settled. */
const leaving = new Map<string, Promise<unknown>>();

/** Takes a lock until the returned function is called; null if another tab has it. */
async function hold(lock: string, waitMs: number): Promise<(() => void) | null> {
  await leaving.get(lock);
  return new Promise((resolve) => {
    let release!: () => void;
    const released = new Promise<void>((done) => (release = done));
    const held = navigator.locks
      .request(
        lock,
        waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true },
        async (taken): Promise<void> => {
          if (!taken) return resolve(null);
          resolve(() => {
            leaving.set(lock, held);
            release();
          });
          await released;
        },
      )
      .catch(() => resolve(null))
      .finally(() => leaving.get(lock) === held && leaving.delete(lock));
  });
}

/** Returns the keys of the drafts of a form, in whichever place. */
const draftsOf = (db: ClinicDatabase, name: string, owner: number | undefined): Promise<string[]> =>
  db.drafts
    .where('key')
    .anyOf(places.map((suffix) => keyOf(name, suffix, owner)))
    .primaryKeys();

/** Takes a place for the draft of a form. */
export async function takeDraftPlace(db: ClinicDatabase, name: string, owner: number | undefined): Promise<DraftPlace> {
  const first = { suffix: '', key: keyOf(name, '', owner), leave: () => undefined };
  if (!('locks' in navigator)) return first;
  const drafts = await draftsOf(db, name, owner);
  const own = sessionStorage.getItem(rememberedAs(name)) ?? '';
  const rankOf = (suffix: string) =>
    drafts.includes(keyOf(name, suffix, owner)) ? (suffix === own ? 0 : 1) : suffix === own ? 2 : 3;
  for (const suffix of places.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const key = keyOf(name, suffix, owner);
    const leave = await hold(lockOf(key), rankOf(suffix) === 0 ? reloadMs : 0);
    if (!leave) continue;
    sessionStorage.setItem(rememberedAs(name), suffix);
    return { suffix, key, leave };
  }
  return first;
}

/** Returns whether a draft of a form waits that no other tab has open. */
export async function hasFreeDraft(db: ClinicDatabase, name: string, owner: number | undefined): Promise<boolean> {
  const drafts = await draftsOf(db, name, owner);
  if (drafts.length === 0 || !('locks' in navigator)) return drafts.length > 0;
  const { held = [] } = await navigator.locks.query();
  const own = keyOf(name, sessionStorage.getItem(rememberedAs(name)) ?? '', owner);
  return drafts.some((key) => key === own || !held.some((lock) => lock.name === lockOf(key)));
}
