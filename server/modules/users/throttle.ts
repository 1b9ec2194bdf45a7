/**
 * Slows down guessing. After a few free failures each further one doubles the wait, per account; an address that fails
 * everywhere waits in the same way, with more room because a whole clinic may share one. An unknown account is counted
 * like a known one. Attempts at one account take turns, so that many at once are no way around the count.
 *
 * The counts live in this process: a restart or a second process gives a guesser a few more attempts, no more.
 */
const freeFailures = { account: 5, address: 50 };
const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 60 * 60_000;
const mostTracked = 10_000;
const mostWaiting = 20;

interface Failures {
  failures: number;
  lastAtMs: number;
}

export class GuessThrottle {
  private readonly records = new Map<string, Failures>();
  private readonly turns = new Map<string, { waiting: number; last: Promise<unknown> }>();

  constructor(private readonly clock: () => number) {}

  /** Runs one attempt. Answers what the attempt answered (null: it failed), or 'throttled' when it was not made. */
  async attempt<T>(who: { account: string; address: string }, verify: () => Promise<T | null>): Promise<T | null | 'throttled'> {
    const account = `account ${who.account}`;
    const address = `address ${who.address}`;
    return this.inTurn(account, async () => {
      if (this.mustWait(account, freeFailures.account) || this.mustWait(address, freeFailures.address)) return 'throttled';
      const result = await verify();
      if (result === null) {
        this.countFailure(account);
        this.countFailure(address);
      } else {
        this.records.delete(account);
      }
      return result;
    });
  }

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

  private mustWait(key: string, free: number): boolean {
    const record = this.records.get(key);
    if (!record || record.failures < free) return false;
    const waitMs = Math.min(longestWaitMs, 1000 * 2 ** (record.failures - free));
    return this.clock() < record.lastAtMs + waitMs;
  }

  private countFailure(key: string): void {
    const now = this.clock();
    const known = this.records.get(key);
    const failures = known && now - known.lastAtMs < forgottenAfterMs ? known.failures + 1 : 1;
    // Deleting first keeps the map in the order of the last failure, so that the oldest is the first to go.
    this.records.delete(key);
    this.records.set(key, { failures, lastAtMs: now });
    if (this.records.size > mostTracked) this.records.delete(this.records.keys().next().value!);
  }
}
