/**
 * Deletes the keys whenever the app locks and whenever a session ends, and restores what a reload could not. A session
 * without its keys locks, so that its person opens their vault. Tells the server that the app is unlocked, as long as it is.
 * Verifiers that are too old go at each start.
 */
import { emailKey } from '../db/database.ts';
import { browserPorts } from '../db/ports.ts';
import { pruneVerifiers } from '../db/verifiers.ts';
import { db } from '../local-data/database.ts';
import { actorKeyOf, dropKeys, dropLeftKeys, personalKey, signInToken } from '../session/keys.ts';
import { renewPageToken } from '../session/page-token.ts';
import { canSeal } from '../session/sealed.ts';
import { endSession, hasCurrentToken, hasSignedToken, lock, sessionToken, useSession } from '../session/session.ts';
import { requestSync } from '../sync/sync-host.ts';

export function guardKeys(): void {
  useSession.subscribe((now, before) => {
    if (now.locked !== before.locked || now.user?.id !== before.user?.id) void follow();
  });
  void follow(dropLeftKeys);
  setInterval(() => void renew(), renewMs);
  addEventListener('online', () => void renew());
  void pruneVerifiers(db, browserPorts.now());
}

/** Less than half of the time after which the server counts a session as locked. */
const renewMs = 4 * 60_000;

async function renew(): Promise<void> {
  const { mode, locked } = useSession.getState();
  if (mode === 'online' && !locked) await renewPageToken();
}

async function follow(drop = dropKeys): Promise<void> {
  const { user, locked } = useSession.getState();
  if (!user || locked) return drop();
  const [actor, session, device] = await Promise.all([
    actorKeyOf(user.id),
    db.session.get('this'),
    db.device.get('this'),
  ]);
  // Another person may have enrolled this browser as a new device.
  if (session && actor && actor.deviceId === device?.device_id) {
    // After an unlock: the feed then brings what the locked app did not get.
    if (!hasSignedToken() && hasCurrentToken() && (await renewPageToken()) === 'renewed') requestSync('signed-in');
    return;
  }
  if (!(await personalKey()) && (await db.verifiers.get(emailKey(user.email)))) return lock();
  if (!hasCurrentToken()) return;
  // Where nothing is sealed, the token of the sign-in is in the cookie; what is there otherwise brings no keys.
  const token = (await signInToken()) ?? (canSeal() ? null : sessionToken());
  if (token === null) return endSession('expired');
  const { renewKeys } = await import('../auth/sign-in.ts');
  await renewKeys(db, token);
  requestSync('signed-in');
}
