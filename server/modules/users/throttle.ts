/**
 * Slows down guessing. After a few free failures each further one doubles the wait, per account; an address that fails
 * everywhere waits in the same way, with more room because a whole clinic may share one. An unknown account is counted
 * like a known one.
 *
 * The counts lie in the database, so that as many processes as there are keep one. An attempt is counted before it is made
 * and forgotten when it succeeds: however many are made at once on an account, no more than the free ones are looked at. An
 * address is counted when it has failed.
 */
import { sealed } from '../../http/idempotency.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Ports } from '../../ports.ts';

const freeFailures = { account: 5, address: 50 };
const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 60 * 60_000;
const mostWaiting = 20;
/** How many forgotten counts one failure removes: more than it adds. */
const sweptAtOnce = 10;

/** Whether a row's next attempt comes too early; $1 is now. */
const mustWait = (row: string, free: number): string =>
  `(${row}.failures >= ${free} and $1 < ${row}.last_at + least(${longestWaitMs}, 1000 * power(2, least(${row}.failures - ${free}, 30))) * interval '1 ms')`;

const oneMore = `failures = case when g.last_at > $2 then g.failures + 1 else 1 end, last_at = excluded.last_at`;

export class GuessThrottle {
  private readonly turns = new Map<string, { waiting: number; last: Promise<unknown> }>();

  /** @param what is guessed: each is counted for itself */
  constructor(
    private readonly ports: Pick<Ports, 'database' | 'clock' | 'secret'>,
    private readonly what: string,
  ) {}

  /** Runs one attempt. Answers what the attempt answered (null: it failed), or 'throttled' when it was not made. */
  async attempt<T>(
    who: { account: string; address: string },
    verify: () => Promise<T | null>,
  ): Promise<T | null | 'throttled'> {
    const [account, address] = (['account', 'address'] as const).map((kind) =>
      sealed(this.ports.secret, `${this.what} ${kind} ${who[kind]}`),
    ) as [string, string];
    return this.inTurn(account, async () => {
      if (!(await this.begin(account, address))) return 'throttled';
      const result = await verify();
      await (result === null ? this.countAddress(address) : this.forget(account));
      return result;
    });
  }

  /** Of one person's attempts at several tablets none is held against the others: in one process they take turns. */
  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T | 'throttled'> {
    const turn = this.turns.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (turn.waiting >= mostWaiting) return 'throttled';
    this.turns.set(key, turn);
    turn.waiting += 1;
    const mine = turn.last.then(work);
    turn.last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.turns.delete(key);
    }
  }

  /** Counts an attempt at the account as failed, unless it or the address has to wait. */
  private async begin(account: string, address: string): Promise<boolean> {
    const begun = await rowsOf(
      this.ports.database.$client,
      'begin guess',
      `insert into guesses as g (who, failures, last_at)
       select $3, 1, $1::timestamptz where not exists (select from guesses a where a.who = $4 and ${mustWait('a', freeFailures.address)})
       on conflict (who) do update set ${oneMore} where not ${mustWait('g', freeFailures.account)} returning 1`,
      [...this.times(), account, address],
    );
    return begun.length > 0;
  }

  private async countAddress(address: string): Promise<void> {
    await this.ports.database.$client.query({
      name: 'count guess',
      // What others sweep at this moment is left to them.
      text: `with swept as (delete from guesses where who in
          (select who from guesses where last_at <= $2 and who <> $3 order by last_at limit ${sweptAtOnce} for update skip locked))
        insert into guesses as g (who, failures, last_at) values ($3, 1, $1::timestamptz) on conflict (who) do update set ${oneMore}`,
      values: [...this.times(), address],
    });
  }

  private async forget(account: string): Promise<void> {
    await this.ports.database.$client.query({
      name: 'forget guesses',
      text: 'delete from guesses where who = $1',
      values: [account],
    });
  }

  /** Now, and until when a count is forgotten. */
  private times(): [string, string] {
    const nowMs = this.ports.clock();
    return [isoOf(nowMs), isoOf(nowMs - forgottenAfterMs)];
  }
}
