/** The platform's own locks and reads in SQL. */
import { createHash } from 'node:crypto';
import { serverDeviceCode } from '#domain/device.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { readProof } from '#domain/protocol/proof.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { latestAt } from '../clocks.ts';
import { epochOf, msOf, rowsOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { Actor } from './operation-module.ts';

/** Serialises transactions on the same aggregates, which need not exist yet. Locks in ascending order of the keys. */
export async function lockAggregates(sql: Sql, clinicId: number, aggregates: readonly string[]): Promise<void> {
  await sql.query({
    name: 'lock aggregates',
    text: 'select pg_advisory_xact_lock(key) from (select unnest($1::bigint[]) as key) keys',
    values: [lockKeys(clinicId, aggregates)],
  });
}

const lockKeys = (clinicId: number, aggregates: readonly string[]): string[] =>
  [...new Set(aggregates)]
    .map((aggregate) => createHash('sha256').update(`${clinicId} ${aggregate}`).digest().readBigInt64BE())
    .sort((a, b) => (a < b ? -1 : 1))
    .map(String);

/** The first key of the locks that batches share; the second is the clinic. Aggregates have another space of keys. */
const batchLock = 1;

/** Locks aggregates, and then shares the clinic's lock of running batches. */
export async function lockBatch(sql: Sql, clinicId: number, aggregates: readonly string[]): Promise<void> {
  await sql.query({
    name: 'lock batch',
    text: `with locked as materialized (select pg_advisory_xact_lock(key) from (select unnest($1::bigint[]) as key) keys)
           select pg_advisory_xact_lock_shared(${batchLock}, $2) from (select count(*) from locked) counted`,
    values: [lockKeys(clinicId, aggregates), clinicId],
  });
}

/**
 * Waits until no batch of the clinic runs, and holds new ones back until the transaction ends. The caller locks no
 * aggregate afterwards.
 */
export async function holdBatches(sql: Sql, clinicId: number): Promise<void> {
  await sql.query({
    name: 'hold batches',
    text: `select pg_advisory_xact_lock(${batchLock}, $1)`,
    values: [clinicId],
  });
}

export interface Actors {
  devices: Map<number, ActorDevice>;
  users: Map<number, Actor>;
  /** The sessions whose keys have ended, by number. */
  endedKeys: Map<number, EndedKey>;
}

export interface EndedKey {
  userId: number;
  /** In milliseconds since 1970. */
  endedAtMs: number;
}

export interface ActorDevice {
  code: string;
  /** Null while the device is not revoked. */
  revokedAtMs: number | null;
  /** When it last reported that nothing waited, in milliseconds since 1970; null before the first report. */
  clearedAtMs: number | null;
}

/** SQL: a stored time; null for one to come, which says nothing. $5 is the latest that a stored time can have. */
const pastOnly = (column: string): string => `case when ${column} <= $5 then ${column} end`;

/** SQL: when a key ended. Of one that ended at a time to come, nobody knows more than when it was last seen before. */
const keyEnd = `coalesce(${['key_ended_at', 'last_seen_at', 'created_at'].map(pastOnly).join(', ')}, to_timestamp(0))`;

export async function loadActors(
  sql: Sql,
  clinicId: number,
  uploadedBy: number,
  operations: readonly Pick<AnyOperation, 'actor_id' | 'device_id' | 'approval' | 'proof'>[],
  nowMs: number,
): Promise<Actors> {
  const people = operations.flatMap(({ actor_id, approval }) => (approval ? [actor_id, approval.actor_id] : actor_id));
  const userIds = [...new Set([uploadedBy, ...people])];
  const deviceIds = [...new Set(operations.map((operation) => operation.device_id))];
  const proofs = operations.flatMap(({ proof, approval }) => [readProof(proof), readProof(approval?.proof)]);
  const sessionIds = [...new Set(proofs.flatMap((proof) => proof?.sessionId ?? []))];
  const [found] = await rowsOf<{
    ended: (EndedKey & { id: number })[];
    devices: (ActorDevice & { id: number })[];
    users: (Actor & { id: number })[];
  }>(
    sql,
    'actors',
    `select
       (select coalesce(json_agg(json_build_object('id', id, 'code', code, 'revokedAtMs', ${msOf('revoked_at')},
          'clearedAtMs', ${msOf(pastOnly('cleared_at'))})), '[]') from devices where clinic_id = $1 and id = any($3::int[])) as devices,
       (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'role', role,
          'deactivatedAtMs', ${msOf(`coalesce(${pastOnly('deactivated_at')}, case when deactivated_at is not null then to_timestamp(0) end)`)})), '[]')
        from users where clinic_id = $1 and id = any($2::int[])) as users,
       (select coalesce(json_agg(json_build_object('id', id, 'userId', user_id, 'endedAtMs', ${msOf(keyEnd)})), '[]')
        from sessions where clinic_id = $1 and id = any($4::int[]) and key_ended_at is not null) as ended`,
    [clinicId, userIds, deviceIds, sessionIds, latestAt(nowMs)],
  );
  const { devices, users, ended } = found!;
  return {
    devices: new Map(devices.map((device) => [device.id, device])),
    users: new Map(users.map((user) => [user.id, user])),
    endedKeys: new Map(ended.map((key) => [key.id, key])),
  };
}

export interface LoadedClinic {
  epoch: string;
  settings: ClinicSettings;
  /** The clinic's first day, in milliseconds since 1970. */
  firstDayMs: number;
  /** From which actor keys are derived. */
  actorKeySecret: Buffer;
}

/** Returns what every batch and every request needs of its clinic. */
export async function loadClinic(sql: Sql, clinicId: number): Promise<LoadedClinic> {
  const [clinic] = await rowsOf<Omit<LoadedClinic, 'settings'> & { settings: Partial<ClinicSettings> | null }>(
    sql,
    'clinic',
    `select ${epochOf('c.epoch')} as epoch, s.data as settings, c.actor_key_secret as "actorKeySecret",
       ${msOf('c.created_at')}::float8 as "firstDayMs"
     from clinics c left join settings s on s.clinic_id = c.id where c.id = $1`,
    [clinicId],
  );
  const { settings, ...rest } = clinic!;
  return { ...rest, settings: { ...defaultSettings, ...settings } };
}

/** Returns the device of the server itself, for numbers and receipts. */
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
