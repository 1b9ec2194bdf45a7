/** Clinics and their settings in SQL. */
import { defaultSettings } from '#domain/settings/settings.ts';
import type { AgencySystem, ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

type StoredSettings = Partial<ClinicSettings>;

/** @returns the id of the new clinic */
export async function insertClinic(sql: Sql, settings: ClinicSettings, createdAtMs: number): Promise<number> {
  const [clinic] = await rowsOf<{ id: number }>(
    sql,
    'insert clinic',
    'insert into clinics (name, created_at) values ($1, $2) returning id',
    [settings.practice_name, isoOf(createdAtMs)],
  );
  await sql.query({
    name: 'insert settings',
    text: 'insert into settings (clinic_id, data, updated_at) values ($1, $2, $3)',
    values: [clinic!.id, JSON.stringify(settings), isoOf(createdAtMs)],
  });
  return clinic!.id;
}

/** Inserts the device under whose code the server itself numbers documents. */
export async function insertServerDevice(sql: Sql, clinicId: number, code: string, createdAtMs: number): Promise<void> {
  await sql.query({
    name: 'insert server device',
    text: `with device as (
             insert into devices (clinic_id, code, name, created_at) values ($1, $2, 'Server', $3) returning id)
           insert into device_codes (clinic_id, code, device_id, granted_at) select $1, $2, id, $3 from device`,
    values: [clinicId, code, isoOf(createdAtMs)],
  });
}

export async function loadSettings(sql: Sql, clinicId: number): Promise<StoredSettings | undefined> {
  const [row] = await rowsOf<{ data: StoredSettings }>(
    sql,
    'settings',
    'select data from settings where clinic_id = $1',
    [clinicId],
  );
  return row?.data;
}

/** Returns the settings and locks them until the transaction ends. */
export async function lockSettings(sql: Sql, clinicId: number): Promise<StoredSettings | undefined> {
  const [row] = await rowsOf<{ data: StoredSettings }>(
    sql,
    'lock settings',
    'select data from settings where clinic_id = $1 for update',
    [clinicId],
  );
  return row?.data;
}

export async function saveSettings(sql: Sql, clinicId: number, settings: ClinicSettings, atMs: number): Promise<void> {
  await sql.query({
    name: 'save settings',
    text: 'update settings set data = $2, updated_at = $3 where clinic_id = $1',
    values: [clinicId, JSON.stringify(settings), isoOf(atMs)],
  });
}

/** Stores for all clinics to which of the agency's systems this server sends. Tablets hear of a change by the feed. */
export async function saveAgencySystem(sql: Sql, system: AgencySystem, atMs: number): Promise<void> {
  await sql.query({
    name: 'save agency system',
    text: `update settings set data = data || jsonb_build_object('verifactu_system', $1::text), updated_at = $2
           where coalesce(data ->> 'verifactu_system', '${defaultSettings.verifactu_system}') <> $1`,
    values: [system, isoOf(atMs)],
  });
}

/** Returns the settings of at most `limit` clinics. */
export async function someSettings(sql: Sql, limit: number): Promise<StoredSettings[]> {
  const rows = await rowsOf<{ data: StoredSettings }>(sql, 'some settings', 'select data from settings limit $1', [
    limit,
  ]);
  return rows.map(({ data }) => data);
}

export interface ClinicRow {
  id: number;
  /** The practice's name as the settings have it now. */
  name: string;
  createdAtMs: number;
  activeUsers: number;
}

/** Returns every clinic of the installation, the oldest first. */
export async function listClinics(sql: Sql): Promise<ClinicRow[]> {
  return rowsOf<ClinicRow>(
    sql,
    'clinics',
    `select c.id, coalesce(s.data ->> 'practice_name', c.name) as name, ${msOf('c.created_at')}::float8 as "createdAtMs",
       (select count(*)::int from users u where u.clinic_id = c.id and u.status = 'active' and u.deleted_at is null) as "activeUsers"
     from clinics c left join settings s on s.clinic_id = c.id order by c.id`,
    [],
  );
}
