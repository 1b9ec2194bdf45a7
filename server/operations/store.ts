/** The platform's own locks and reads in SQL. */
import { createHash } from 'node:crypto';
import { serverDeviceCode } from '../../domain/device.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { defaultSettings } from '../../domain/settings/settings.ts';
import type { ClinicSettings } from '../../domain/settings/settings.ts';
import { epochOf, msOf, rowsOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { Actor } from './operation-module.ts';

/** Serialises transactions on the same aggregates, which need not exist yet. Locks in ascending order of the keys. */
export async function lockAggregates(sql: Sql, clinicId: number, aggregates: readonly string[]): Promise<void> {
  const keys = [...new Set(aggregates)]
    .map((aggregate) => createHash('sha256').update(`${clinicId} ${aggregate}`).digest().readBigInt64BE())
    .sort((a, b) => (a < b ? -1 : 1));
  await sql.query({
    name: 'lock aggregates',
    text: 'select pg_advisory_xact_lock(key) from (select unnest($1::bigint[]) as key) keys',
    values: [keys.map(String)],
  });
}

export interface Actors {
  /** Codes by device id. */
  devices: Map<number, string>;
  users: Map<number, Actor>;
  /** `<user>@<device>` for everyone who ever had a session on a device. */
  sessions: Set<string>;
}

export async function loadActors(
  sql: Sql,
  clinicId: number,
  operations: readonly Pick<AnyOperation, 'actor_id' | 'device_id'>[],
): Promise<Actors> {
  const userIds = [...new Set(operations.map((operation) => operation.actor_id))];
  const deviceIds = [...new Set(operations.map((operation) => operation.device_id))];
  const [found] = await rowsOf<{
    devices: { id: number; code: string }[];
    users: (Actor & { id: number })[];
    sessions: string[];
  }>(
    sql,
    'actors',
    `select
       (select coalesce(json_agg(json_build_object('id', id, 'code', code)), '[]') from devices where clinic_id = $1 and id = any($3::int[])) as devices,
       (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'role', role,
          'deactivatedAtMs', ${msOf('deactivated_at')})), '[]')
        from users where clinic_id = $1 and id = any($2::int[])) as users,
       (select coalesce(json_agg(distinct user_id || '@' || device_id), '[]') from sessions
        where clinic_id = $1 and user_id = any($2::int[]) and device_id = any($3::int[])) as sessions`,
    [clinicId, userIds, deviceIds],
  );
  const { devices, users, sessions } = found!;
  return {
    devices: new Map(devices.map(({ id, code }) => [id, code])),
    users: new Map(users.map((user) => [user.id, user])),
    sessions: new Set(sessions),
  };
}

/** Returns the clinic's epoch and settings: every batch and every request needs them. */
export async function loadClinic(sql: Sql, clinicId: number): Promise<{ epoch: string; settings: ClinicSettings }> {
  const [clinic] = await rowsOf<{ epoch: string; settings: Partial<ClinicSettings> | null }>(
    sql,
    'clinic',
    `select ${epochOf('c.epoch')} as epoch, s.data as settings
     from clinics c left join settings s on s.clinic_id = c.id where c.id = $1`,
    [clinicId],
  );
  const { epoch, settings } = clinic!;
  return { epoch, settings: { ...defaultSettings, time_zone: 'UTC', ...settings } };
}

/** Returns the device that stands for the server itself in numbers and receipts. */
export async function serverDevice(sql: Sql, clinicId: number): Promise<number> {
  const [row] = await rowsOf<{ device_id: number }>(
    sql,
    'server device',
    `select device_id from device_codes where clinic_id = $1 and code = '${serverDeviceCode}'`,
    [clinicId],
  );
  return row!.device_id;
}

/** Returns the author's device; an author without one works in the name of the server's own. */
export const deviceOf = async (
  sql: Sql,
  { clinicId, deviceId }: { clinicId: number; deviceId: number | null },
): Promise<number> => deviceId ?? serverDevice(sql, clinicId);
