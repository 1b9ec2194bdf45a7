import { randomBytes } from 'node:crypto';
import { gatherStatistics } from './db/statistics.ts';
import { acrossClinics } from './db/database.ts';
import { inTransaction } from './db/transaction.ts';
import type { Ports } from './ports.ts';
import { createClinic, listClinics } from './modules/clinics/service.ts';
import { createAdmin, hasActiveAdmin, setAccountsActive } from './modules/users/service.ts';
import { demoAccounts } from './seed/demo-accounts.ts';
import { seedDemoClinic } from './seed/demo-clinic.ts';

export interface FirstAdmin {
  email: string;
  password: string;
}

/**
 * Makes sure that a clinic exists and that someone can sign in. An empty database becomes the demo clinic in demo mode,
 * otherwise an empty clinic. The demo accounts, whose passwords are public, are active in demo mode and inactive
 * otherwise, also on data that began as a demo.
 *
 * @returns the created administrator, with the password that is shown only now; null when one existed
 */
export async function ensureClinic({ database, config, clock, passwords }: Ports): Promise<FirstAdmin | null> {
  return inTransaction(acrossClinics(database), async (sql) => {
    // Processes that start together take turns; the second finds the clinic of the first.
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('dental-counter.first-start', 0))`);
    const atMs = clock();
    const [existing] = await listClinics(sql);
    if (!existing && config.demo) {
      await seedDemoClinic(sql, { nowMs: atMs, timeZone: config.timeZone, language: config.language, passwords });
      await gatherStatistics(sql);
      return null;
    }
    const clinicId =
      existing?.id ??
      (await createClinic(sql, {
        settings: { time_zone: config.timeZone, default_language: config.language, setup_finished: false },
        createdAt: atMs,
      }));
    const demoEmails = demoAccounts.map(({ email }) => email);
    await setAccountsActive(sql, demoEmails, config.demo, atMs);
    if (await hasActiveAdmin(sql)) return null;
    const admin = { email: 'admin@clinic.local', password: firstPassword() };
    await createAdmin(sql, { clinicId, email: admin.email, passwordHash: await passwords.hash(admin.password), atMs });
    return admin;
  });
}

export const firstPassword = (): string => randomBytes(12).toString('base64url');
