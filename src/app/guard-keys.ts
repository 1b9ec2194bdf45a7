/**
 * Deletes the keys whenever the app locks and whenever a session ends, and restores what a reload could not. A session
 * without its keys locks, so that its person opens their vault. Verifiers that are too old go at each start.
 */
import { emailKey } from '../db/database.ts';
import { browserPorts } from '../db/ports.ts';
import { pruneVerifiers } from '../db/verifiers.ts';
import { db } from '../local-data/database.ts';
import { actorKeyOf, dropKeys, personalKey } from '../session/keys.ts';
import { hasCurrentToken, lock, sessionToken, useSession } from '../session/session.ts';
import { requestSync } from '../sync/sync-host.ts';

export function guardKeys(): void {
  useSession.subscribe((now, before) => {
    if (now.locked !== before.locked || now.user?.id !== before.user?.id) void follow();
  });
  void follow();
  void pruneVerifiers(db, browserPorts.now());
}

async function follow(): Promise<void> {
  const { user, locked } = useSession.getState();
  if (!user || locked) return dropKeys(db);
  const [actor, session, device] = await Promise.all([
    actorKeyOf(db, user.id),
    db.session.get('this'),
    db.device.get('this'),
  ]);
  // Another person may have enrolled this browser as a new device.
  if (session && actor && actor.deviceId === device?.device_id) return;
  if (!(await personalKey(db)) && (await db.verifiers.get(emailKey(user.email)))) return lock();
  if (!hasCurrentToken()) return;
  const { renewKeys } = await import('../auth/sign-in.ts');
  await renewKeys(db, sessionToken()!);
  requestSync('signed-in');
}
