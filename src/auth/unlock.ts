/** Unlocks the app, either for the person whose session is locked, or for another person known to this device. */
import { may } from '../../domain/permissions.ts';
import type { Role } from '../../domain/staff/roles.ts';
import type { ClinicDatabase, VerifierRow } from '../db/database.ts';
import { syncRow } from '../db/singletons.ts';
import { holdKeys } from '../session/keys.ts';
import { mirrorSession } from '../session/mirror.ts';
import { open } from '../session/sealed.ts';
import { beginOffline, beginOnline, useSession } from '../session/session.ts';
import { isCurrent, readToken } from '../session/token.ts';
import { isRecent } from './verifier.ts';
import type { Vouched } from './verifier.ts';

/** Returns the people who can unlock this device, sorted by name. */
export async function peopleHere(db: ClinicDatabase, nowMs: number): Promise<VerifierRow[]> {
  const rows = await db.verifiers.toArray();
  return rows.filter((row) => isRecent(row, nowMs)).sort((a, b) => a.user.name.localeCompare(b.user.name));
}

/**
 * Begins the session of a verified person: an online one if their vault has a valid token, otherwise an offline one. An
 * expired token does not end a session that was only locked.
 */
export async function enter(db: ClinicDatabase, { row, key, untilMs }: Vouched, nowMs: number): Promise<void> {
  const { actor, sync } = row;
  const { user: before, mode } = useSession.getState();
  const isSame = before?.id === row.user.id;
  const user = isSame ? before : row.user;
  const token = row.token ? await open<string>(key, row.token) : null;
  const claims = token === null ? null : readToken(token);
  await holdKeys(db, { user_id: user.id, key, actor });
  await dropUnreadable(db, user.role);
  if (token === null || !claims) return beginOffline(user, untilMs);
  if (isCurrent(claims, nowMs)) {
    if (sync) await mirrorSession(db, { ...sync, user, full: token });
  } else if (!isSame || mode === 'offline') return beginOffline(user, untilMs);
  beginOnline(token, user);
}

/**
 * Deletes the rows that a role may not read: what the feed brought for the person before. The feed brings them again to
 * somebody who may.
 */
export async function dropUnreadable(db: ClinicDatabase, role: Role): Promise<void> {
  const { attention, patients, sync } = db;
  await db.transaction('rw', attention, patients, sync, async () => {
    const row = await syncRow(db);
    if (!may(role, 'attention.read') && (await attention.count()) > 0) {
      await attention.clear();
      await sync.put({ ...row, lacks: ['attention'] });
    }
    if (!may(role, 'patient.read') && (await patients.filter(({ unsent }) => !unsent).delete()) > 0)
      // Treatments come without their patients as well, so the feed starts over.
      await sync.update('this', { cursor: null });
  });
}
