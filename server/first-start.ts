import { randomBytes } from 'node:crypto';
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { queriesOver } from './db/database.ts';
import type { Executor } from './db/database.ts';
import { users } from './db/schema/access.ts';
import { clinics } from './db/schema/clinics.ts';
import { inTransaction } from './db/transaction.ts';
import type { Ports } from './ports.ts';
import { createClinic } from './modules/clinics/service.ts';
import { demoAccounts } from './seed/demo-accounts.ts';
import { seedDemoClinic } from './seed/demo-clinic.ts';

export interface FirstAdmin {
  email: string;
  password: string;
}

/**
 * Sees to it that there is a clinic and that somebody can sign in. An empty database becomes the demo clinic in demo
 * mode, else an empty clinic. The demo accounts, whose passwords everyone knows, are open in demo mode and closed
 * otherwise, also on data that began as a demo.
 *
 * @returns the admin that was made because there was none, with the password that is shown this once
 */
export async function ensureClinic({ database, config, clock, passwords }: Ports): Promise<FirstAdmin | null> {
  return inTransaction(database.$client, async (connection) => {
    const tx = queriesOver(connection);
    // Processes that start together take turns; the second finds the first one's clinic.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('dental-counter.first-start', 0))`);
    const at = clock();
    const [existing] = await tx.select({ id: clinics.id }).from(clinics).orderBy(asc(clinics.id)).limit(1);
    if (!existing && config.demo) {
      await seedDemoClinic(connection, { nowMs: at, timeZone: config.timeZone, passwords });
      return null;
    }
    const clinicId =
      existing?.id ?? (await createClinic(tx, { settings: { time_zone: config.timeZone }, createdAt: at }));
    await setDemoAccounts(tx, config.demo, at);
    if (await hasAdmin(tx)) return null;
    const admin = { email: 'admin@clinic.local', password: firstPassword() };
    await createAdmin(tx, { clinicId, admin, passwords, at });
    return admin;
  });
}

async function setDemoAccounts(tx: Executor, open: boolean, at: number): Promise<void> {
  const emails = demoAccounts.map(({ email }) => email);
  await tx
    .update(users)
    .set(open ? { status: 'active', deactivatedAt: null } : { status: 'inactive', deactivatedAt: at })
    .where(and(inArray(users.email, emails), eq(users.status, open ? 'inactive' : 'active')));
}

async function hasAdmin(tx: Executor): Promise<boolean> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), eq(users.status, 'active'), isNull(users.deletedAt)))
    .limit(1);
  return admins.length > 0;
}

export const firstPassword = (): string => randomBytes(12).toString('base64url');

/** The first administrator of a clinic. */
export async function createAdmin(
  tx: Executor,
  {
    clinicId,
    admin,
    passwords,
    at,
  }: { clinicId: number; admin: FirstAdmin; passwords: Ports['passwords']; at: number },
): Promise<void> {
  const passwordHash = await passwords.hash(admin.password);
  await tx.insert(users).values({
    clinicId,
    name: 'Administrator',
    email: admin.email,
    passwordHash,
    role: 'admin',
    createdAt: at,
    updatedAt: at,
  });
}
