/**
 * Slows down guessing. After a few free failures each further one doubles the wait per account. An address waits in the same
 * way, with more free failures because a whole clinic may share one. An unknown account is counted like a known one.
 *
 * An attempt is counted before it is made and forgotten when it succeeds, so parallel attempts on an account cannot exceed
 * the free ones. An address is counted when the attempt has failed.
 */
import { keyedHash } from '../../http/idempotency.ts';
import type { Ports } from '../../ports.ts';
import { beginGuess, countFailure, forgetFailures } from './guesses-store.ts';

const mostWaiting = 20;

export class GuessThrottle {
  private readonly turns = new Map<string, { waiting: number; last: Promise<unknown> }>();

  /** @param secretKind the kind of secret that is guessed; kinds are counted apart */
  constructor(
    private readonly ports: Pick<Ports, 'database' | 'clock' | 'secret'>,
    private readonly secretKind: string,
  ) {}

  /** Makes one attempt and returns its result, null for a failure, or 'throttled' when the attempt was not allowed. */
  async attempt<T>(
    who: { account: string; address: string },
    verify: () => Promise<T | null>,
  ): Promise<T | null | 'throttled'> {
    const { database, clock, secret } = this.ports;
    const pool = database.$client;
    const hashed = (kind: 'account' | 'address') => keyedHash(secret, `${this.secretKind} ${kind} ${who[kind]}`);
    const account = hashed('account');
    const address = hashed('address');
    return this.inTurn(account, async () => {
      if (!(await beginGuess(pool, { account, address }, clock()))) return 'throttled';
      const result = await verify();
      await (result === null ? countFailure(pool, address, clock()) : forgetFailures(pool, account));
      return result;
    });
  }

  /** Runs the attempts on one account one after the other, so that a user's own tablets do not count against each other. */
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
}
