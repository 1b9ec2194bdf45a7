/**
 * Counts of guesses in SQL, so that all processes share them. $1 is now; counts up to $2 are forgotten. Statements that
 * touch several counts lock them in the order of their names, so that two never wait for each other.
 */
import { isoOf } from '#domain/instant.ts';
import { isoText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 60 * 60_000;
/** A failure removes up to this many expired counts, more than it adds. */
const removedAtOnce = 10;

export interface Bucket {
  /** What is counted, as a keyed hash. */
  who: string;
  /** The number of failures before the first wait. */
  free: number;
}

/** One attempt in one bucket. */
export interface Counted {
  who: string;
  /** The instant of the attempt before this one; null for the first. */
  before: string | null;
}

const waitAfter = (row: string, free: string): string =>
  `least(${longestWaitMs}, 1000 * power(2, least(${row}.failures - ${free}, 30))) * interval '1 ms'`;

/** A failure of a time to come was counted by a clock that was wrong, and makes nobody wait until then. */
const isPast = (row: string): string => `${row}.last_at <= $1::timestamptz + ${longestWaitMs} * interval '1 ms'`;

const mustWait = (row: string, free: string): string =>
  `(${row}.failures >= ${free} and $1 < ${row}.last_at + ${waitAfter(row, free)} and ${isPast(row)})`;

/** Returns whether an attempt at an instant still counts. */
export const isRemembered = (at: string | null | undefined, nowMs: number): boolean =>
  typeof at === 'string' && Date.parse(at) > nowMs - forgottenAfterMs;

const forgottenAt = (nowMs: number): string => isoOf(nowMs - forgottenAfterMs);

/**
 * Counts an attempt as failed in every bucket, unless one of them has to wait.
 *
 * @returns what was counted; fewer than the buckets when an attempt at the same moment used up one of them
 */
export async function countAttempt(sql: Sql, buckets: readonly Bucket[], nowMs: number): Promise<Counted[]> {
  return rowsOf<Counted>(
    sql,
    'count attempt',
    `with asked as (select * from json_to_recordset($3::json) as a(who text, free int)),
     counted as (
       insert into guesses as g (who, failures, last_at)
       select who, 1, $1::timestamptz from asked
       where not exists (select from guesses b join asked a on a.who = b.who where ${mustWait('b', 'a.free')})
       order by who
       on conflict (who) do update
       set failures = case when g.last_at > $2 then g.failures + 1 else 1 end, last_at = excluded.last_at
       where not ${mustWait('g', '(select a.free from asked a where a.who = excluded.who)')}
       returning who
     )
     select c.who, ${isoText('b.last_at')} as before from counted c left join guesses b on b.who = c.who`,
    [isoOf(nowMs), forgottenAt(nowMs), JSON.stringify(buckets)],
  );
}

/** Returns how long an attempt in a bucket has to wait, in milliseconds. */
export async function waitOf(sql: Sql, { who, free }: Bucket, nowMs: number): Promise<number> {
  const [row] = await rowsOf<{ ms: number }>(
    sql,
    'wait of guesses',
    `select ceil(extract(epoch from g.last_at + ${waitAfter('g', '$3::int')} - $1) * 1000)::float8 as ms
     from guesses g where g.who = $2 and ${mustWait('g', '$3::int')}`,
    [isoOf(nowMs), who, free],
  );
  return row?.ms ?? 0;
}

/** Forgets what a bucket has counted. */
export async function forgetGuesses(sql: Sql, who: string): Promise<void> {
  await sql.query({ name: 'forget guesses', text: 'delete from guesses where who = $1', values: [who] });
}

/** Takes attempts back, as if they had not been made. The counts of `forgotten` are deleted. */
export async function takeBack(
  sql: Sql,
  counted: readonly Counted[],
  { atMs, forgotten }: { atMs: number; forgotten: readonly string[] },
): Promise<void> {
  const rows = counted.map((one) => ({ ...one, forget: forgotten.includes(one.who) }));
  await sql.query({
    name: 'take attempt back',
    text: `with counted as (
        select g.who, r.before, r.forget or g.failures <= 1 as gone
        from guesses g join json_to_recordset($2::json) as r(who text, before timestamptz, forget boolean) on r.who = g.who
        order by g.who for update of g
      ), removed as (delete from guesses g using counted c where c.who = g.who and c.gone)
      update guesses g set failures = g.failures - 1, last_at = case when g.last_at = $1 then coalesce(c.before, g.last_at) else g.last_at end
      from counted c where c.who = g.who and not c.gone`,
    values: [isoOf(atMs), JSON.stringify(rows)],
  });
}

/** Removes some forgotten counts. Skips rows that another process removes at this moment. */
export async function removeForgotten(sql: Sql, nowMs: number): Promise<void> {
  await sql.query({
    name: 'remove guesses',
    text: `delete from guesses where who in
      (select who from guesses where last_at <= $1 order by last_at limit ${removedAtOnce} for update skip locked)`,
    values: [forgottenAt(nowMs)],
  });
}
