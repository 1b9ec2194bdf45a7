/**
 * Clocks go wrong: a battery is empty, somebody sets the wrong year, an hour later it is right again. What was stored meanwhile
 * has a time to come. So nothing that cannot be taken back runs on one clock (`clocksAgree`), and where a stored time decides
 * what somebody may do, one to come counts as no time at all: it keeps nobody out until that date, and keeps nothing open.
 */
import { dayMs } from '#domain/durations.ts';
import { isoOf } from '#domain/instant.ts';
import type { Ports } from './ports.ts';
import { rowsOf } from './db/sql.ts';
import type { Sql } from './db/sql.ts';

/** Processes on several machines differ by less, or their operator hears of it. */
export const clockSlackMs = 5 * 60_000;

/** Something is stored on each day on which a clinic works. What waits for the clocks waits until then. */
const latelyMs = dayMs;
/** No clinic is closed for longer without waiting a day more afterwards. */
const beforeMs = 45 * dayMs;

/** Returns whether a stored time lies ahead of a clock, so that one of the two is wrong. */
export const isAhead = (storedMs: number | null, nowMs: number): boolean =>
  storedMs !== null && storedMs > nowMs + clockSlackMs;

/** The latest time that a stored one can have, as a parameter. */
export const latestAt = (nowMs: number): string => isoOf(nowMs + clockSlackMs);

/** Returns PostgreSQL's time in milliseconds since 1970. */
export async function databaseNow(sql: Sql): Promise<number> {
  const [row] = await rowsOf<{ ms: number }>(
    sql,
    'database now',
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    [],
  );
  return row!.ms;
}

/**
 * Returns whether the clock of this server agrees with PostgreSQL's, and with what the clinic has stored on this day and on
 * the days before. Where both run on one machine whose clock is wrong, there is work of this minute, and none of the days before.
 */
export async function clocksAgree(
  sql: Sql,
  clinicId: number,
  { nowMs, readDatabase = databaseNow }: { nowMs: number; readDatabase?: Ports['databaseNow'] | undefined },
): Promise<boolean> {
  if (Math.abs((await readDatabase(sql)) - nowMs) > clockSlackMs) return false;
  const isStored = (from: string, until: string) =>
    `exists (select from audit_log where clinic_id = $1 and at > ${from} and at <= ${until})`;
  const [stored] = await rowsOf<{ agrees: boolean }>(
    sql,
    'stored lately',
    `select ${isStored('$3', '$2')} and ${isStored('$4', '$3')} as agrees`,
    [clinicId, isoOf(nowMs), isoOf(nowMs - latelyMs), isoOf(nowMs - beforeMs)],
  );
  return stored!.agrees;
}
