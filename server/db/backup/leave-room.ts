/** What data need that lack what happened since they were taken: a backup, a dump or a copy. */
import type { Sql } from '../sql.ts';
import { idSequences } from './granted-ids.ts';
import type { GrantedIds } from './granted-ids.ts';

/**
 * The numbers left free above those in the data: numbers granted since are printed on documents and stored on tablets that the
 * restored server does not know.
 */
const unknownGrants = { devices: 100_000, codes: 1000, otherwise: 100_000 };

/**
 * Gives every clinic a new epoch, and leaves room for what happened since.
 *
 * @param takenAt the time of the data in ISO 8601
 * @param granted how far ids are known to have been granted, besides what the database itself says of them
 */
export async function leaveRoom(sql: Sql, takenAt: string, ...granted: GrantedIds[]): Promise<void> {
  await raiseCounters(sql, granted);
  await askTheAgency(sql, takenAt);
}

/**
 * Makes the sender ask the tax agency what it has of the months since the backup, and of those whose records the backup has
 * as unsent (`fiscal/inquiry.ts`).
 */
async function askTheAgency(sql: Sql, takenAt: string): Promise<void> {
  await sql.query(
    `insert into fiscal_inquiries (tax_id, month, next_at)
     select t.tax_id, m.month, $1::timestamptz from (
       select distinct data ->> 'tax_id' as tax_id from settings where data ->> 'tax_profile' = 'ES' and data ->> 'verifactu_since' <> '') t
     join lateral (
       select to_char(g, 'YYYY-MM') as month from generate_series(date_trunc('month', $1::timestamptz at time zone 'Europe/Madrid'),
         greatest($1::timestamptz, $2::timestamptz) at time zone 'Europe/Madrid', interval '1 month') g
       union select substr(r.record -> 'fields' ->> 'issued_on', 7, 4) || '-' || substr(r.record -> 'fields' ->> 'issued_on', 4, 2)
         from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
         where s.state = 'unsent' and s.tax_id = t.tax_id) m on true
     on conflict (tax_id, month) do update set after_number = null, after_issued_on = null, failures = 0, next_at = excluded.next_at,
       doubts_since = null`,
    [takenAt, new Date()],
  );
}

/**
 * Gives every clinic a new epoch and raises counters above every number that may have been granted since the backup. The
 * highest id among the rows is not enough: without rows of its own, room that an earlier restore left would be given out again.
 */
async function raiseCounters(sql: Sql, granted: readonly GrantedIds[]): Promise<void> {
  for (const { table, column, sequence } of await idSequences(sql)) {
    const room = table === 'devices' ? unknownGrants.devices : unknownGrants.otherwise;
    await sql.query(
      `select setval($1::regclass, greatest((select max(${column}) from ${table}), pg_sequence_last_value($1::regclass), $2::bigint) + $3::bigint)`,
      [sequence, Math.max(0, ...granted.map((ids) => ids[table] ?? 0)), room],
    );
  }
  await sql.query('update clinics set epoch = gen_random_uuid(), next_device = next_device + $1', [
    unknownGrants.codes,
  ]);
  // The server has numbered documents since the backup, and the other copy of the data may still do.
  await sql.query(`insert into forgotten_prefixes (tax_id, prefix)
    select tax_id, prefix from taxpayer_codes where prefix is not null on conflict do nothing`);
  await sql.query('update taxpayer_codes set granted = granted + $1, prefix = null', [unknownGrants.codes]);
  await sql.query(`update device_codes set retired_at = now() where tax_id is not null and code like '%0'`);
}
