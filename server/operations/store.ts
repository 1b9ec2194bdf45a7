/** What applying operations reads and locks besides treatments and stock. */
import { createHash } from 'node:crypto';
import { noNumbersUsed, parseNumber, serverDeviceCode, series } from '../../domain/order/numbers.ts';
import type { NumberCounters, Series } from '../../domain/order/numbers.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { defaultSettings } from '../../domain/settings/settings.ts';
import type { Role } from '../../domain/staff/roles.ts';
import { epochOf, isoOf, msOf, rowsOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { NewReceipt } from './receipts.ts';

/** Serialises transactions that touch the same aggregate, also one that does not exist yet. Always in ascending order. */
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
  /** Their codes, by id. */
  devices: Map<number, string>;
  users: Map<number, { name: string; role: Role; deactivatedAtMs: number | null }>;
  /** `<user>@<device>` for everyone who ever held a session on a device. */
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
    users: { id: number; name: string; role: Role; deactivatedAtMs: number | null }[];
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

/** SYNC-12: remembers how far each device has counted, so that one which lost its storage is noticed. */
export async function noteDeviceProgress(
  sql: Sql,
  clinicId: number,
  atMs: number,
  receipts: readonly NewReceipt[],
): Promise<void> {
  const lastSeq = new Map<number, number>();
  const counters = new Map<string, NumberCounters & { code: string; device: number }>();
  for (const { envelope } of receipts) {
    const { device_id: device, device_seq, payload } = envelope;
    if (device === null) continue;
    lastSeq.set(device, Math.max(lastSeq.get(device) ?? 0, device_seq));
    for (const { of, code, count } of numbersIn(payload)) {
      const key = `${device} ${code}`;
      const known = counters.get(key) ?? { code, device, ...noNumbersUsed };
      counters.set(key, { ...known, [of]: Math.max(known[of], count) });
    }
  }
  if (lastSeq.size === 0) return;
  // Updating several would lock them in no certain order.
  if (lastSeq.size > 1) {
    await sql.query({
      name: 'lock devices',
      text: 'select 1 from devices where clinic_id = $1 and id = any($2::int[]) order by id for no key update',
      values: [clinicId, [...lastSeq.keys()]],
    });
  }
  await sql.query({
    name: 'device progress',
    text: `with counted as (
             update device_codes c set treatment = greatest(c.treatment, r.treatment), invoice = greatest(c.invoice, r.invoice),
               credit_note = greatest(c.credit_note, r.credit_note)
             from json_to_recordset($3::json) as r(code text, device int, treatment int, invoice int, credit_note int)
             where c.clinic_id = $1 and c.code = r.code and c.device_id = r.device
           )
           update devices d set last_seq = greatest(d.last_seq, r.seq), last_seen_at = $4
           from json_to_recordset($2::json) as r(id int, seq bigint) where d.clinic_id = $1 and d.id = r.id`,
    values: [
      clinicId,
      JSON.stringify([...lastSeq].map(([id, seq]) => ({ id, seq }))),
      JSON.stringify([...counters.values()]),
      isoOf(atMs),
    ],
  });
}

function numbersIn(payload: unknown): { of: Series; code: string; count: number }[] {
  const { number, invoice, credit_note_number } = payload as {
    number?: unknown;
    invoice?: { invoice_number?: unknown };
    credit_note_number?: unknown;
  };
  const texts: Record<Series, unknown> = {
    treatment: number,
    invoice: invoice?.invoice_number,
    credit_note: credit_note_number,
  };
  return series.flatMap((of) => {
    const text = texts[of];
    const parsed = typeof text === 'string' ? parseNumber(of, text) : null;
    return parsed && parsed.count <= 2_147_483_647 ? [{ of, ...parsed }] : [];
  });
}

export interface ClinicFacts {
  epoch: string;
  timeZone: string;
  currency: string;
  discountLimitPercent: number;
}

/** What every write and pull needs to know of its clinic. */
export async function clinicFacts(sql: Sql, clinicId: number): Promise<ClinicFacts> {
  const [facts] = await rowsOf<ClinicFacts>(
    sql,
    'clinic facts',
    `select ${epochOf('c.epoch')} as epoch, coalesce(s.data ->> 'time_zone', 'UTC') as "timeZone", coalesce(s.data ->> 'currency', 'EUR') as currency,
       coalesce((s.data ->> 'discount_limit_percent')::float8, ${defaultSettings.discount_limit_percent}) as "discountLimitPercent"
     from clinics c left join settings s on s.clinic_id = c.id where c.id = $1`,
    [clinicId],
  );
  return facts!;
}

/** The device that stands for the server itself in numbers and receipts. */
export async function serverDevice(sql: Sql, clinicId: number): Promise<number> {
  const [row] = await rowsOf<{ device_id: number }>(
    sql,
    'server device',
    `select device_id from device_codes where clinic_id = $1 and code = '${serverDeviceCode}'`,
    [clinicId],
  );
  return row!.device_id;
}
