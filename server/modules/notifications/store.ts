/** Emails in SQL. */
import type { EmailKind } from '#server/db/schema/notifications.ts';
import { latestAt } from '#server/clocks.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { hourMs } from '#domain/durations.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';

/** The longest pause between two attempts. A later time was stored by a clock that was wrong. */
export const longestPauseMs = hourMs;

/** Identifies one email: clinic, kind and day. */
export interface EmailKey {
  clinicId: number;
  kind: EmailKind;
  day: string;
}

const values = ({ clinicId, kind, day }: EmailKey) => [clinicId, kind, day];

/** Returns the clinics that have an address for notifications, with their settings. */
export async function clinicsWithEmail(sql: Sql): Promise<{ clinicId: number; data: Partial<ClinicSettings> }[]> {
  return rowsOf(
    sql,
    'clinics to write to',
    `select clinic_id as "clinicId", data from settings where data ->> 'notification_email' <> '' order by clinic_id`,
    [],
  );
}

/** Inserts an email that is due; does nothing when it exists. */
export async function noteEmail(sql: Sql, key: EmailKey, atMs: number): Promise<void> {
  await sql.query({
    name: 'note letter',
    text: 'insert into letters (clinic_id, kind, day, next_at) values ($1, $2, $3, $4) on conflict do nothing',
    values: [...values(key), isoOf(atMs)],
  });
}

/**
 * Takes the advisory lock of an email and returns whether this transaction got it. The lock holds no row, so no other
 * query waits for the mail server.
 */
export async function holdEmail(sql: Sql, { clinicId, kind, day }: EmailKey): Promise<boolean> {
  const rows = await rowsOf<{ isHeld: boolean }>(
    sql,
    'hold letter',
    `select pg_try_advisory_xact_lock(hashtext('letter ' || $2 || ' ' || $3), $1) as "isHeld"`,
    [clinicId, kind, day],
  );
  return rows[0]!.isHeld;
}

/** Returns the number of attempts of an email that is due now; undefined when it is not due. */
export async function dueEmail(sql: Sql, key: EmailKey, atMs: number): Promise<{ attempts: number } | undefined> {
  const rows = await rowsOf<{ attempts: number }>(
    sql,
    'due letter',
    `select attempts from letters where clinic_id = $1 and kind = $2 and day = $3 and status = 'due'
       and (next_at <= $4 or next_at > $5)`,
    [...values(key), isoOf(atMs), latestAt(atMs + longestPauseMs)],
  );
  return rows[0];
}

export async function settleEmail(sql: Sql, key: EmailKey, status: 'sent' | 'empty', atMs: number): Promise<void> {
  await sql.query({
    name: 'settle letter',
    text: 'update letters set status = $4, settled_at = $5, attempts = attempts + 1 where clinic_id = $1 and kind = $2 and day = $3',
    values: [...values(key), status, isoOf(atMs)],
  });
}

export async function postponeEmail(sql: Sql, key: EmailKey, nextAtMs: number): Promise<void> {
  await sql.query({
    name: 'postpone letter',
    text: 'update letters set attempts = attempts + 1, next_at = $4 where clinic_id = $1 and kind = $2 and day = $3',
    values: [...values(key), isoOf(nextAtMs)],
  });
}
