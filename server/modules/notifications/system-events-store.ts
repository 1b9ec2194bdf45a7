/** What happened to the system, in SQL. */
import { isoOf, isoOrNull } from '#domain/instant.ts';
import type { SystemEventKind } from '#server/db/schema/notifications.ts';
import { latestAt } from '#server/clocks.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { longestPauseMs } from './store.ts';

export interface SystemEvent {
  kind: SystemEventKind;
  reference: string;
  occurredAtMs: number;
  attempts: number;
}

/** Inserts an event for every clinic; does nothing for a clinic that has it. A clinic's first version is no news to it. */
export async function insertEvent(sql: Sql, kind: SystemEventKind, reference: string, atMs: number): Promise<void> {
  await sql.query({
    name: 'insert system event',
    text: `insert into system_events (clinic_id, kind, reference, occurred_at, next_at)
           select c.id, $1::text, $2, $3, case when $1 <> 'version'
             or exists (select from system_events e where e.clinic_id = c.id and e.kind = 'version') then $3::timestamptz end
           from clinics c on conflict do nothing`,
    values: [kind, reference, isoOf(atMs)],
  });
}

/**
 * Returns whether this connection is the one that tells a clinic what happened to the system, until its transaction ends.
 * It locks no row: while the mail server keeps silent, tablets would be sent again what has changed since.
 */
export async function holdSystemEmail(sql: Sql, clinicId: number): Promise<boolean> {
  const [row] = await rowsOf<{ isHeld: boolean }>(
    sql,
    'hold system letter',
    `select pg_try_advisory_xact_lock(hashtext('letter system'), $1) as "isHeld"`,
    [clinicId],
  );
  return row!.isHeld;
}

/** Returns a clinic's events that are due, the oldest first. */
export function dueEvents(
  sql: Sql,
  clinicId: number,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<SystemEvent[]> {
  return rowsOf(
    sql,
    'due system events',
    `select kind, reference, (${msOf('occurred_at')})::float8 as "occurredAtMs", attempts from system_events
     where clinic_id = $1 and (next_at <= $2 or next_at > $4) and occurred_at >= $3 order by occurred_at, kind`,
    [clinicId, isoOf(nowMs), isoOf(sinceMs), latestAt(nowMs + longestPauseMs)],
  );
}

/** @param nextAtMs null when the events have been sent */
export async function settleEvents(
  sql: Sql,
  clinicId: number,
  events: readonly SystemEvent[],
  nextAtMs: number | null,
): Promise<void> {
  await sql.query({
    name: 'settle system events',
    text: `update system_events e set next_at = $4, attempts = e.attempts + 1
           from unnest($2::text[], $3::text[]) as sent(kind, reference)
           where e.clinic_id = $1 and e.kind = sent.kind and e.reference = sent.reference`,
    values: [clinicId, events.map(({ kind }) => kind), events.map(({ reference }) => reference), isoOrNull(nextAtMs)],
  });
}
