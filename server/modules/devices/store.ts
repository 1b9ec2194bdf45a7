/** Devices and their codes in SQL. Instants are milliseconds since 1970. */
import type { DeviceResource } from '#domain/protocol/sync.ts';
import type { ReportingDevice } from '#domain/report/now.ts';
import { isoOf } from '#domain/instant.ts';
import { latestAt } from '#server/clocks.ts';
import { isoText, msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface DeviceRow {
  id: number;
  /** Null for the server's own device. */
  keyHash: string | null;
  name: string;
  code: string;
  lastSeq: number;
  revokedAtMs: number | null;
}

const deviceColumns = `id, key_hash as "keyHash", name, code, last_seq::float8 as "lastSeq", ${msOf('revoked_at')}::float8 as "revokedAtMs"`;

/** Returns how many devices a clinic has enrolled since an instant. */
export async function countEnrolledSince(
  sql: Sql,
  clinicId: number,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    'devices enrolled since',
    'select count(*)::int as count from devices where clinic_id = $1 and key_hash is not null and created_at > $2 and created_at <= $3',
    [clinicId, isoOf(sinceMs), latestAt(nowMs)],
  );
  return row!.count;
}

/** Marks a device as revoked for good. */
export async function markRevoked(
  sql: Sql,
  clinicId: number,
  { id, userId, reason, atMs }: { id: number; userId: number; reason: string; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'revoke device',
    text: 'update devices set revoked_at = $3, revoked_by = $4, revoked_reason = $5 where clinic_id = $1 and id = $2',
    values: [clinicId, id, isoOf(atMs), userId, reason],
  });
}

export interface NewDevice {
  clinicId: number;
  id: number;
  keyHash: string | null;
  name: string;
  code: string;
  enrolledAtMs: number;
  /** False for one that comes back: it may hold unsent work. */
  isNew: boolean;
}

/** Returns an id that no device has had. */
export async function drawDeviceId(sql: Sql): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    sql,
    'draw device id',
    `select nextval(pg_get_serial_sequence('devices', 'id'))::int as id`,
    [],
  );
  return row!.id;
}

export async function insertDevice(
  sql: Sql,
  { clinicId, id, keyHash, name, code, enrolledAtMs, isNew }: NewDevice,
): Promise<void> {
  await sql.query({
    name: 'insert device',
    text: `insert into devices (clinic_id, id, key_hash, name, code, created_at, last_seen_at, cleared_at) overriding system value
     values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    values: [clinicId, id, keyHash, name, code, isoOf(enrolledAtMs), isNew ? isoOf(enrolledAtMs) : null],
  });
}

/** Returns whether the sequence has granted this id although no device of any clinic has it. */
export async function isGrantedToNobody(sql: Sql, id: number): Promise<boolean> {
  const [row] = await rowsOf<{ isFree: boolean }>(
    sql,
    'device id granted to nobody',
    `select $1::int between 1 and coalesce(pg_sequence_last_value(pg_get_serial_sequence('devices', 'id')), 0)
       and not exists (select from devices where id = $1::int) as "isFree"`,
    [id],
  );
  return row!.isFree;
}

/** Returns the device and locks it until the transaction ends. */
export async function lockDevice(sql: Sql, clinicId: number, id: number): Promise<DeviceRow | undefined> {
  const [row] = await rowsOf<DeviceRow>(
    sql,
    'lock device',
    `select ${deviceColumns} from devices where clinic_id = $1 and id = $2 for update`,
    [clinicId, id],
  );
  return row;
}

/** Changes the given columns and keeps the others. */
export async function updateDevice(
  sql: Sql,
  clinicId: number,
  id: number,
  { name, code, lastSeenAtMs }: { name?: string; code?: string; lastSeenAtMs?: number },
): Promise<void> {
  await sql.query({
    name: 'update device',
    text: `update devices set name = coalesce($3, name), code = coalesce($4, code), last_seen_at = coalesce($5, last_seen_at)
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, name ?? null, code ?? null, lastSeenAtMs ? isoOf(lastSeenAtMs) : null],
  });
}

export interface DeviceInUse extends ReportingDevice {
  id: number;
  name: string;
  code: string;
}

/** Notes the browser of a sign-in. A sign-in after a request to lock fulfils it. */
export async function noteSignIn(
  sql: Sql,
  { clinicId, jti, deviceId, browser }: { clinicId: number; jti: string; deviceId: number; browser: string },
): Promise<void> {
  await sql.query({
    name: 'note sign-in on device',
    text: `update devices d set browser = $4,
         lock_asked_at = case when d.lock_asked_at >= s.created_at then d.lock_asked_at end
       from sessions s where d.clinic_id = $1 and d.id = $2 and s.clinic_id = $1 and s.jti = $3`,
    values: [clinicId, deviceId, jti, browser],
  });
}

/** Notes that a device is to lock at its next contact. */
export async function askToLock(sql: Sql, clinicId: number, { id, atMs }: { id: number; atMs: number }): Promise<void> {
  await sql.query({
    name: 'ask device to lock',
    text: 'update devices set lock_asked_at = $3 where clinic_id = $1 and id = $2',
    values: [clinicId, id, isoOf(atMs)],
  });
}

/** Days of payments among which the last one of each device is looked for, so that no list reads years of them. */
const saleDays = 30;

/** SQL: the devices that somebody enrolled, with the sales before `$2`. The server's own device has no key. */
const enrolledRows = `select json_build_object('id', d.id, 'name', d.name, 'code', d.code, 'created_at', ${isoText('d.created_at')},
       'last_seen_at', ${isoText('d.last_seen_at')}, 'waiting', d.waiting, 'browser', d.browser,
       'last_sale_at', ${isoText('sale.at')}, 'lock_asked_at', ${isoText('d.lock_asked_at')},
       'revoked', case when d.revoked_at is not null then json_build_object('at', ${isoText('d.revoked_at')},
         'by', coalesce(u.name, ''), 'reason', d.revoked_reason) end) as row
     from devices d left join users u on u.clinic_id = d.clinic_id and u.id = d.revoked_by
     left join (select device_id, max(effective_at) as at from payments
       where clinic_id = $1 and effective_at > $2::timestamptz - interval '${saleDays} days' and amount_minor > 0 group by device_id) sale on sale.device_id = d.id
     where d.clinic_id = $1 and d.key_hash is not null`;

/** Returns the devices that somebody enrolled. The latest seen comes first, revoked ones last. */
export async function enrolledDevices(sql: Sql, clinicId: number, nowMs: number): Promise<DeviceResource[]> {
  const rows = await rowsOf<{ row: DeviceResource }>(
    sql,
    'enrolled devices',
    `${enrolledRows} order by (d.revoked_at is not null), d.last_seen_at desc, d.id desc`,
    [clinicId, isoOf(nowMs)],
  );
  return rows.map(({ row }) => row);
}

/** Returns one device that somebody enrolled. */
export async function enrolledDevice(
  sql: Sql,
  clinicId: number,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<DeviceResource | undefined> {
  const [found] = await rowsOf<{ row: DeviceResource }>(sql, 'enrolled device', `${enrolledRows} and d.id = $3`, [
    clinicId,
    isoOf(nowMs),
    id,
  ]);
  return found?.row;
}

/**
 * Returns the devices that somebody is signed in on and that were heard of within the last 30 days, those with the most
 * unsent work first. An expired session counts: the work of the device is still unsent.
 */
export async function devicesInUse(sql: Sql, clinicId: number, nowMs: number): Promise<DeviceInUse[]> {
  return rowsOf<DeviceInUse>(
    sql,
    'devices in use',
    `select d.id, d.name, d.code, d.waiting, ${msOf('d.last_seen_at')}::float8 as "lastSeenAtMs" from devices d
     where d.clinic_id = $1 and d.key_hash is not null and d.revoked_at is null and d.last_seen_at > $2::timestamptz - interval '30 days'
       and (d.waiting > 0 or exists (select from sessions s where s.clinic_id = d.clinic_id and s.device_id = d.id
         and s.ended_at is null and s.created_at > $2::timestamptz - interval '7 days'))
     order by d.waiting desc, d.last_seen_at desc, d.id limit 100`,
    [clinicId, isoOf(nowMs)],
  );
}

/** Returns how many operations the devices of all clinics last reported as unsent, the most first. */
export async function longestOutboxes(
  sql: Sql,
  limit: number,
): Promise<{ clinic: string; device: string; waiting: number }[]> {
  return rowsOf(
    sql,
    'reported queues',
    `select clinic_id::text as clinic, code as device, waiting from devices where key_hash is not null
     order by waiting desc, clinic_id, id limit $1`,
    [limit],
  );
}
