/**
 * Carries over a restore what people have decided since the backup and what must not be undone: which patients they have
 * erased, who may enter, which tablets are revoked, whose actor keys have ended, and which codes, numbers and ids were
 * granted. The data that are being replaced may be of an older version, so rows travel as JSON, in which a missing column is null.
 */
import type { Sql } from '../sql.ts';
import { grantedIds } from './granted-ids.ts';
import type { GrantedIds } from './granted-ids.ts';

/** Rows of the replaced data, as JSON. */
interface CarriedOver {
  erasures: string;
  people: string;
  tablets: string;
  endedKeys: string;
  prefixes: string;
  counters: string;
  /** For the caller, who leaves room above them. */
  ids: GrantedIds;
}

/** Ends all sessions, so that open event streams end with the commit, and returns what a restore keeps. */
export async function leavingData(sql: Sql): Promise<CarriedOver> {
  await endSessions(sql);
  return {
    erasures: await rowsOfClinics(sql, 'patient_erasures', `to_jsonb(t) ->> 'erased_by' is not null`),
    people: await rowsOfClinics(sql, 'users'),
    tablets: await rowsOfClinics(sql, 'devices', `to_jsonb(t) ->> 'revoked_at' is not null`),
    endedKeys: await rowsOfClinics(sql, 'sessions', `to_jsonb(t) ->> 'key_ended_at' is not null`),
    prefixes: await grantedPrefixes(sql),
    counters: await countersOfClinics(sql),
    ids: await grantedIds(sql),
  };
}

/** Puts it into the restored data. Everybody signs in again, with the password and the role of now. */
export async function carryOver(
  sql: Sql,
  { erasures, people, tablets, endedKeys, prefixes, counters }: CarriedOver,
): Promise<void> {
  // The server erases these patients again. Whose retention period has ended it decides anew: a wrong clock may have ended it.
  await sql.query(
    `insert into patient_erasures select (p).* from ${sameClinics('patient_erasures')} on conflict do nothing`,
    [erasures],
  );
  await keepPeople(sql, people);
  await keepRevocations(sql, tablets);
  await keepEndedKeys(sql, endedKeys);
  await keepPrefixes(sql, prefixes);
  await keepCounters(sql, counters);
  await endSessions(sql);
  // The backup may have passkeys that have ended since. Tablets keep those that open vaults, and ask for the password once.
  await sql.query('delete from passkeys');
}

async function endSessions(sql: Sql): Promise<void> {
  if (await hasTable(sql, 'sessions')) await sql.query('update sessions set ended_at = now() where ended_at is null');
}

/** Returns false if an older version made the data and had no such table. */
async function hasTable(sql: Sql, table: string): Promise<boolean> {
  const { rows } = await sql.query<{ known: boolean }>('select to_regclass($1) is not null as known', [
    `public.${table}`,
  ]);
  return rows[0]!.known;
}

/** Returns rows of a table with the time at which their clinic was created; none if an older version has no such table. */
async function rowsOfClinics(sql: Sql, table: string, condition = 'true'): Promise<string> {
  if (!(await hasTable(sql, table))) return '[]';
  const { rows } = await sql.query<{ all: string }>(
    `select coalesce(json_agg(to_jsonb(t) || jsonb_build_object('clinic_created_at', c.created_at)), '[]')::text as "all"
     from ${table} t join clinics c on c.id = t.clinic_id where ${condition}`,
  );
  return rows[0]!.all;
}

/** Returns the letters of codes that were granted. An older version keeps no former ones. */
async function grantedPrefixes(sql: Sql): Promise<string> {
  const prefixes: unknown[] = [];
  for (const table of ['taxpayer_codes', 'forgotten_prefixes']) {
    if (!(await hasTable(sql, table))) continue;
    const { rows } = await sql.query(`select tax_id, prefix from ${table} where prefix is not null`);
    prefixes.push(...rows);
  }
  return JSON.stringify(prefixes);
}

/** Returns how far each clinic has counted its codes and its purchase orders. */
async function countersOfClinics(sql: Sql): Promise<string> {
  if (!(await hasTable(sql, 'clinics'))) return '[]';
  const { rows } = await sql.query<{ all: string }>(
    `select coalesce(json_agg(json_build_object('id', c.id, 'clinic_id', c.id, 'clinic_created_at', c.created_at,
       'next_device', to_jsonb(c) -> 'next_device', 'purchase_orders', to_jsonb(c) -> 'purchase_orders')), '[]')::text as "all"
     from clinics c`,
  );
  return rows[0]!.all;
}

/** The given rows as `p`, those whose clinic is also in the backup: ids are only unique within an installation. */
const sameClinics = (table: string): string => `(
  select json_populate_record(null::${table}, given) as p from json_array_elements($1::json) given
  join clinics c on c.id = (given ->> 'clinic_id')::int and c.created_at = (given ->> 'clinic_created_at')::timestamptz) carried`;

/**
 * The last change of what a person may do. A deactivation at the start of the server leaves `updated_at`. A backup that says
 * one to come has it of a wrong clock, and is not the newer one.
 */
const lastWord = (row: string): string => `greatest(${row}.updated_at, ${row}.deactivated_at)`;

/**
 * Keeps password, role, deactivation and removal of everybody, except where the backup is the newer one. People who came
 * since the backup stay too: without them a clinic could be left to administrators who have gone.
 */
async function keepPeople(sql: Sql, people: string): Promise<void> {
  await sql.query(
    `update users u set password_hash = (p).password_hash, role = (p).role, status = (p).status,
       deactivated_at = (p).deactivated_at, deleted_at = (p).deleted_at, updated_at = (p).updated_at
     from ${sameClinics('users')}
     where u.clinic_id = (p).clinic_id and u.id = (p).id and (${lastWord('(p)')} > ${lastWord('u')} or ${lastWord('u')} > greatest(now(), $2::timestamptz) + interval '1 day')`,
    [people, new Date().toISOString()],
  );
  await sql.query(
    `insert into users overriding system value select (p).* from ${sameClinics('users')} on conflict do nothing`,
    [people],
  );
}

/** Keeps tablets revoked. One that enrolled since the backup would otherwise come back as an unknown tablet. */
async function keepRevocations(sql: Sql, tablets: string): Promise<void> {
  await sql.query(
    `insert into devices as d overriding system value select (p).* from ${sameClinics('devices')}
     on conflict (clinic_id, id) do update set revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by,
       revoked_reason = excluded.revoked_reason where d.revoked_at is null`,
    [tablets],
  );
}

/** Keeps actor keys ended. What a session since the backup has signed would otherwise count as proven again. */
async function keepEndedKeys(sql: Sql, sessions: string): Promise<void> {
  await sql.query(
    `insert into sessions as s (clinic_id, jti, id, user_id, created_at, expires_at, ended_at, key_ended_at) overriding system value
     select (p).clinic_id, (p).jti, (p).id, (p).user_id, (p).created_at, (p).expires_at, (p).ended_at, (p).key_ended_at from ${sameClinics('sessions')}
     on conflict (clinic_id, jti) do update set key_ended_at = coalesce(s.key_ended_at, excluded.key_ended_at)`,
    [sessions],
  );
}

/** Keeps the letters of codes known. The backup may be from before they were drawn, and documents with them are out. */
async function keepPrefixes(sql: Sql, prefixes: string): Promise<void> {
  await sql.query(
    `insert into forgotten_prefixes (tax_id, prefix)
     select tax_id, prefix from json_to_recordset($1::json) as p(tax_id text, prefix text) on conflict do nothing`,
    [prefixes],
  );
}

/** Keeps clinics counting where they were: the numbers since the backup are on paper. */
async function keepCounters(sql: Sql, counters: string): Promise<void> {
  await sql.query(
    `update clinics c set next_device = greatest(c.next_device, (p).next_device),
       purchase_orders = greatest(c.purchase_orders, (p).purchase_orders)
     from ${sameClinics('clinics')} where c.id = (p).id`,
    [counters],
  );
}
