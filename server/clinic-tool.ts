/** The clinics of an installation, as whoever runs it sees them: a chain's live side by side in one database. */
import { asc, eq, sql } from 'drizzle-orm';
import { isValid, problemMessages } from '../domain/problems.ts';
import { settingsProblems } from '../domain/settings/rules.ts';
import { defaultSettings } from '../domain/settings/settings.ts';
import { staffProblems } from '../domain/staff/decisions.ts';
import { queriesOver } from './db/database.ts';
import type { Database } from './db/database.ts';
import { users } from './db/schema/access.ts';
import { clinics, settings } from './db/schema/clinics.ts';
import { inTransaction } from './db/transaction.ts';
import type { Ports } from './ports.ts';
import { createAdmin, firstPassword } from './first-start.ts';
import type { FirstAdmin } from './first-start.ts';
import { createClinic } from './modules/clinics/service.ts';

export interface KnownClinic {
  id: number;
  name: string;
  createdAt: number;
  /** Who can sign in. */
  people: number;
}

/**
 * Adds an empty clinic with its first administrator.
 *
 * @returns who that is, with the password that is shown this once
 * @throws Error that names what is wrong with the name or the email
 */
export async function addClinic(
  { database, config, clock, passwords }: Pick<Ports, 'database' | 'config' | 'clock' | 'passwords'>,
  wanted: { name: string; email: string },
): Promise<FirstAdmin> {
  const chosen = { practice_name: wanted.name.trim(), time_zone: config.timeZone };
  const admin: FirstAdmin = { email: wanted.email.trim().toLowerCase(), password: firstPassword() };
  const draft = { name: 'Administrator', phone: '', role: 'admin', status: 'active', ...admin } as const;
  const problems = { ...settingsProblems({ ...defaultSettings, ...chosen }), ...staffProblems(draft, { isNew: true }) };
  if (!isValid(problems)) throw new Error(Object.values(problemMessages(problems)).join('\n'));
  return inTransaction(database.$client, async (connection) => {
    const tx = queriesOver(connection);
    const at = clock();
    const clinicId = await createClinic(tx, { settings: chosen, createdAt: at });
    await createAdmin(tx, { clinicId, admin, passwords, at });
    return admin;
  });
}

export async function listClinics(database: Database): Promise<KnownClinic[]> {
  const people = sql<number>`(select count(*)::int from ${users} where ${users.clinicId} = ${clinics.id} and status = 'active' and deleted_at is null)`;
  const rows = await database
    .select({ id: clinics.id, name: clinics.name, createdAt: clinics.createdAt, people, chosen: settings.data })
    .from(clinics)
    .leftJoin(settings, eq(settings.clinicId, clinics.id))
    .orderBy(asc(clinics.id));
  // It is called what its settings say now.
  return rows.map(({ chosen, name, ...clinic }) => ({ ...clinic, name: chosen?.practice_name ?? name }));
}
