/** The clinic itself: how one comes into being, and its settings. */
import { and, eq, inArray } from 'drizzle-orm';
import { serverDeviceCode } from '../../../domain/order/numbers.ts';
import { isValid, problemMessages } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { settingsProblems } from '../../../domain/settings/rules.ts';
import { defaultSettings } from '../../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { queriesOver } from '../../db/database.ts';
import type { Executor } from '../../db/database.ts';
import { users } from '../../db/schema/access.ts';
import { clinics, deviceCodes, devices, settings } from '../../db/schema/clinics.ts';
import type { WriteContext } from '../../context.ts';
import { recordAudit } from '../audit/service.ts';
import { demoAccounts } from '../../seed/demo-accounts.ts';
import type { DemoAccount } from '../../seed/demo-accounts.ts';

export interface NewClinic {
  settings: Partial<ClinicSettings>;
  createdAt: number;
}

/**
 * A clinic with its settings, and the device under which the server itself numbers.
 *
 * @returns its id
 */
export async function createClinic(tx: Executor, { settings: chosen, createdAt }: NewClinic): Promise<number> {
  const data = { ...defaultSettings, ...chosen };
  const [clinic] = await tx
    .insert(clinics)
    .values({ name: data.practice_name, createdAt })
    .returning({ id: clinics.id });
  const clinicId = clinic!.id;
  await tx.insert(settings).values({ clinicId, data, updatedAt: createdAt });
  const [device] = await tx
    .insert(devices)
    .values({ clinicId, code: serverDeviceCode, name: 'Server', createdAt })
    .returning({ id: devices.id });
  await tx.insert(deviceCodes).values({ clinicId, code: serverDeviceCode, deviceId: device!.id, grantedAt: createdAt });
  return clinicId;
}

export async function clinicSettings(database: Executor, clinicId: number): Promise<ClinicSettings> {
  const [row] = await database.select({ data: settings.data }).from(settings).where(eq(settings.clinicId, clinicId));
  // Settings that were introduced after the row was written have their defaults.
  return { ...defaultSettings, ...row?.data };
}

/** Changes what is named and keeps the rest. Tablets learn of it through the feed. */
export async function changeSettings(
  { sql, session, clinicId, atMs: at }: WriteContext,
  changes: { [Field in keyof ClinicSettings]?: ClinicSettings[Field] | undefined },
): Promise<Result<ClinicSettings>> {
  const tx = queriesOver(sql);
  await tx.select({ clinicId: settings.clinicId }).from(settings).where(eq(settings.clinicId, clinicId)).for('update');
  const before = await clinicSettings(tx, clinicId);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const after = { ...before, ...Object.fromEntries(given) };
  const problems = settingsProblems(after);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  await tx.update(settings).set({ data: after, updatedAt: at }).where(eq(settings.clinicId, clinicId));
  const changed = given
    .map(([field]) => field)
    .filter((field) => before[field as keyof ClinicSettings] !== after[field as keyof ClinicSettings]);
  if (changed.length > 0)
    await recordAudit(tx, session, { action: 'settings.changed', details: { fields: changed.join(' ') }, at });
  return accept(after);
}

/** What the sign-in page shows of the practice. A server of several clinics names none of them to strangers. */
export async function publicFace(
  database: Executor,
): Promise<Pick<ClinicSettings, 'practice_name' | 'default_language'>> {
  const rows = await database.select({ data: settings.data }).from(settings).limit(2);
  const { practice_name, default_language } = { ...defaultSettings, ...(rows.length === 1 && rows[0]!.data) };
  return { practice_name, default_language };
}

/** The demo accounts that open: none outside demo mode, and none on data that did not begin as a demo. */
export async function openDemoAccounts(database: Executor): Promise<DemoAccount[]> {
  const emails = demoAccounts.map(({ email }) => email);
  const open = await database
    .select({ email: users.email })
    .from(users)
    .where(and(inArray(users.email, emails), eq(users.status, 'active')));
  return demoAccounts.filter(({ email }) => open.some((user) => user.email === email));
}
