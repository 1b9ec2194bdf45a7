/** Unlocks the app, either for the person whose session is locked, or for another person known to this device. */
import { tableActions } from '#domain/column-permissions.ts';
import { may } from '#domain/permissions.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { ClinicDatabase, VerifierRow } from '../db/database.ts';
import { syncRow } from '../db/singletons.ts';
import { holdKeys } from '../session/keys.ts';
import { mirrorSession } from '../session/mirror.ts';
import { open } from '../session/sealed.ts';
import { beginOffline, beginOnline, useSession } from '../session/session.ts';
import { isCurrent, readToken, withoutSignature } from '../session/token.ts';
import type { StoredActorKey } from '../session/unlocked.ts';
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
  const { sync } = row;
  const { user: before, mode } = useSession.getState();
  const isSame = before?.id === row.user.id;
  const user = isSame ? before : row.user;
  const [actor, token] = await Promise.all([
    open<StoredActorKey | null>(key, row.actor),
    row.token ? open<string>(key, row.token) : null,
  ]);
  const claims = token === null ? null : readToken(token);
  const isLive = claims !== null && isCurrent(claims, nowMs);
  await Promise.all([
    holdKeys({ userId: user.id, key, actor, token }),
    dropUnreadable(db, user.role),
    isLive && sync ? mirrorSession(db, { ...sync, user }) : undefined,
  ]);
  const isKept = isLive || (isSame && mode === 'online');
  if (token === null || !claims || !isKept) return beginOffline(user, untilMs);
  // The server gives a new page token as soon as it answers.
  beginOnline(withoutSignature(token), user);
}

/**
 * Deletes the rows that a role may not read: what the feed brought for the person before. The feed brings them again to
 * somebody who may.
 */
export async function dropUnreadable(db: ClinicDatabase, role: Role): Promise<void> {
  const { attention, documents, drawers, patients, patient_details, sync } = db;
  await db.transaction('rw', [attention, documents, drawers, patients, patient_details, sync], async () => {
    const row = await syncRow(db);
    const lacks = new Set(row.lacks);
    if (!may(role, tableActions.attention) && (await attention.count()) > 0) {
      await attention.clear();
      lacks.add('attention');
    }
    if (!may(role, tableActions.drawers)) {
      // An open drawer has no count, and the next person may take cash into it offline.
      const counted = await drawers.filter(({ closed_at }) => closed_at !== null).primaryKeys();
      if (counted.length > 0) lacks.add('drawers');
      await Promise.all([drawers.bulkDelete(counted), documents.bulkDelete(counted)]);
    }
    if (!may(role, tableActions.patient_details) && (await patient_details.count()) > 0) {
      await patient_details.clear();
      lacks.add('patient_details');
    }
    if (lacks.size > row.lacks.length) await sync.put({ ...row, lacks: [...lacks] });
    if (!may(role, tableActions.patients) && (await patients.filter(({ unsent }) => !unsent).delete()) > 0)
      // Treatments come without their patients as well, so the feed starts over.
      await sync.update('this', { cursor: null });
  });
}
