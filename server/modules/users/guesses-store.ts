/**
 * Failed guesses in SQL, so that all processes share one count. $1 is now; counts up to $2 are forgotten.
 */
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const freeFailures = { account: 5, address: 50 };
const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 60 * 60_000;
/** A failure removes up to this many forgotten counts, which is more than it adds. */
const removedAtOnce = 10;

const mustWait = (row: string, free: number): string =>
  `(${row}.failures >= ${free} and $1 < ${row}.last_at + least(${longestWaitMs}, 1000 * power(2, least(${row}.failures - ${free}, 30))) * interval '1 ms')`;

const oneMore = `failures = case when g.last_at > $2 then g.failures + 1 else 1 end, last_at = excluded.last_at`;

const times = (nowMs: number): [string, string] => [isoOf(nowMs), isoOf(nowMs - forgottenAfterMs)];

/**
 * Counts an attempt at the account as failed, unless the account or the address has to wait.
 *
 * @returns whether the attempt may be made
 */
export async function beginGuess(
  sql: Sql,
  { account, address }: { account: string; address: string },
  nowMs: number,
): Promise<boolean> {
  const begun = await rowsOf(
    sql,
    'begin guess',
    `insert into guesses as g (who, failures, last_at)
     select $3, 1, $1::timestamptz where not exists (select from guesses a where a.who = $4 and ${mustWait('a', freeFailures.address)})
     on conflict (who) do update set ${oneMore} where not ${mustWait('g', freeFailures.account)} returning 1`,
    [...times(nowMs), account, address],
  );
  return begun.length > 0;
}

/** Counts a failure of the address. */
export async function countFailure(sql: Sql, address: string, nowMs: number): Promise<void> {
  await sql.query({
    name: 'count guess',
    // Rows that another process removes at this moment are skipped.
    text: `with swept as (delete from guesses where who in
        (select who from guesses where last_at <= $2 and who <> $3 order by last_at limit ${removedAtOnce} for update skip locked))
      insert into guesses as g (who, failures, last_at) values ($3, 1, $1::timestamptz) on conflict (who) do update set ${oneMore}`,
    values: [...times(nowMs), address],
  });
}

export async function forgetFailures(sql: Sql, account: string): Promise<void> {
  await sql.query({ name: 'forget guesses', text: 'delete from guesses where who = $1', values: [account] });
}
