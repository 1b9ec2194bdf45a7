import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/database.ts';
import { sessions, users } from '../../db/schema/access.ts';
import { clinics } from '../../db/schema/clinics.ts';
import { epochOf } from '../../db/sql.ts';

export type UserRow = typeof users.$inferSelect;

/** Everyone with this email, in whichever clinic: who signs in has not named one. */
export async function usersByEmail(database: Database, email: string): Promise<UserRow[]> {
  const rows = await database
    .select({ user: users })
    .from(clinics)
    .innerJoin(users, and(eq(users.clinicId, clinics.id), eq(users.email, email), isNull(users.deletedAt)))
    .orderBy(clinics.id);
  return rows.map(({ user }) => user);
}

export async function insertSession(
  database: Executor,
  session: { clinicId: number; jti: string; userId: number; createdAt: number; expiresAt: number },
): Promise<void> {
  await database.insert(sessions).values(session);
}

/** Asked with every call: built once for each database, and planned once by it. */
const sessionQueries = new WeakMap<Database, ReturnType<typeof sessionQuery>>();

const sessionQuery = (database: Database) =>
  database
    .select({ session: sessions, user: users, epoch: sql<string>`${sql.raw(epochOf('clinics.epoch'))}` })
    .from(sessions)
    .innerJoin(users, and(eq(users.clinicId, sessions.clinicId), eq(users.id, sessions.userId)))
    .innerJoin(clinics, eq(clinics.id, sessions.clinicId))
    .where(and(eq(sessions.clinicId, sql.placeholder('clinicId')), eq(sessions.jti, sql.placeholder('jti'))))
    .prepare('session by token');

/** A session with its user as they are now, and the clinic's epoch. */
export async function sessionByToken(database: Database, { clinicId, jti }: { clinicId: number; jti: string }) {
  const query = sessionQueries.get(database) ?? sessionQuery(database);
  sessionQueries.set(database, query);
  const [row] = await query.execute({ clinicId, jti });
  return row;
}

export async function endSession(
  database: Database,
  { clinicId, jti, at }: { clinicId: number; jti: string; at: number },
): Promise<void> {
  await database
    .update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.clinicId, clinicId), eq(sessions.jti, jti), isNull(sessions.endedAt)));
}

export async function setSessionDevice(
  database: Executor,
  { clinicId, jti, deviceId }: { clinicId: number; jti: string; deviceId: number },
): Promise<void> {
  await database
    .update(sessions)
    .set({ deviceId })
    .where(and(eq(sessions.clinicId, clinicId), eq(sessions.jti, jti)));
}
