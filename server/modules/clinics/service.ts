/** A clinic: its creation and its settings. */
import { isDeepStrictEqual } from 'node:util';
import { businessDay } from '#domain/business-day.ts';
import { serverDeviceCode } from '#domain/device.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { verifactuChangeProblems } from '#domain/settings/verifactu.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import { defaultSettings, textsOfProfile } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { holdUploads } from '../uploads/service.ts';
import type { Sql } from '#server/db/sql.ts';
import type { WriteContext } from '#server/context.ts';
import { recordAudit } from '../audit/service.ts';
import { renewCodes } from '../devices/service.ts';
import { insertClinic, insertServerDevice, loadSettings, lockSettings, saveSettings, someSettings } from './store.ts';

export { listClinics, saveAgencySystem } from './store.ts';

export interface NewClinic {
  settings: Partial<ClinicSettings>;
  createdAt: number;
}

/**
 * Creates a clinic with its settings and the device under whose code the server itself numbers documents.
 *
 * @returns the clinic's id
 */
export async function createClinic(sql: Sql, { settings: chosen, createdAt }: NewClinic): Promise<number> {
  const data = { ...defaultSettings, ...chosen };
  const clinicId = await insertClinic(sql, data, createdAt);
  await insertServerDevice(sql, clinicId, serverDeviceCode, createdAt);
  return clinicId;
}

export async function clinicSettings(sql: Sql, clinicId: number): Promise<ClinicSettings> {
  // Settings introduced after the row was written have their defaults.
  return { ...defaultSettings, ...(await loadSettings(sql, clinicId)) };
}

/**
 * Changes the given settings and keeps the others. Tablets receive them through the feed.
 *
 * @param isDemo invoices of a demo must not reach the tax agency
 */
export async function changeSettings(
  { sql, session, clinicId, atMs: at }: WriteContext,
  changes: { [Field in keyof ClinicSettings]?: ClinicSettings[Field] | undefined },
  { isDemo }: { isDemo: boolean },
): Promise<Result<ClinicSettings>> {
  const before = { ...defaultSettings, ...(await lockSettings(sql, clinicId)) };
  const stated = {
    ...before,
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
  };
  const after = { ...stated, ...textsOfProfile(before, stated) };
  const problems = {
    ...verifactuChangeProblems(before, after, businessDay(at, before.time_zone)),
    ...(isDemo && after.verifactu_since !== '' && { verifactu_since: 'VERIFACTU_DEMO' as const }),
    ...settingsProblems(after),
  };
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  await holdUploads(sql, clinicId, [after.logo_url]);
  await saveSettings(sql, clinicId, after, at);
  if (taxpayerOf(after) !== taxpayerOf(before)) await renewCodes(sql, clinicId, { settings: after, atMs: at });
  const changed = Object.keys(after).filter(
    (field) => !isDeepStrictEqual(before[field as keyof ClinicSettings], after[field as keyof ClinicSettings]),
  );
  if (changed.length > 0)
    await recordAudit(sql, session, { action: 'settings.changed', details: { fields: changed.join(' ') }, at });
  return accept(after);
}

/**
 * Returns the practice's name and language for the sign-in page. A server with several clinics reveals none of them.
 */
export async function publicFace(sql: Sql): Promise<Pick<ClinicSettings, 'practice_name' | 'default_language'>> {
  const [settings, other] = await someSettings(sql, 2);
  const { practice_name, default_language } = { ...defaultSettings, ...(!other && settings) };
  return { practice_name, default_language };
}
