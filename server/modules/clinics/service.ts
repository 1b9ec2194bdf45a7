/** The clinic itself: how one comes into being, and its settings. */
import { and, eq, inArray } from 'drizzle-orm';
import { serverDeviceCode } from '../../../domain/order/numbers.ts';
import { defaultSettings } from '../../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { Executor } from '../../db/database.ts';
import { users } from '../../db/schema/access.ts';
import { clinics, deviceCodes, devices, settings } from '../../db/schema/clinics.ts';
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
  const [clinic] = await tx.insert(clinics).values({ name: data.practice_name, createdAt }).returning({ id: clinics.id });
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

/** What the sign-in page calls the practice. A server of several clinics names none of them to strangers. */
export async function publicPracticeName(database: Executor): Promise<string> {
  const rows = await database.select({ data: settings.data }).from(settings).limit(2);
  return rows.length === 1 ? rows[0]!.data.practice_name : defaultSettings.practice_name;
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
