/**
 * Slows down guessing. After a few free failures each further one doubles the wait. An attempt is counted before it is
 * made and taken back when it succeeds, so that parallel attempts cannot exceed the free ones.
 *
 * Every attempt falls into several buckets, all of which must allow it. The count of an account is the account's in its
 * clinic, not that of its e-mail, which somebody else may have in another clinic: what one account succeeds in forgives no
 * other. A device that proves itself has buckets of its own, so that nobody outside the clinic can lock its users out.
 * Unknown accounts are counted like known ones.
 */
import { pinAttempts } from '#domain/staff/pin.ts';
import { keyedHash } from '#server/http/idempotency.ts';
import { networkOf } from '#server/http/networks.ts';
import { acrossClinics } from '#server/db/database.ts';
import type { Ports } from '#server/ports.ts';
import { countAttempt, forgetGuesses, isRemembered, removeForgotten, takeBack, waitOf } from './guesses-store.ts';

export interface GuessBucket {
  name: string;
  /** The number of failures before the first wait. */
  free: number;
}

/** The buckets of an attempt. A success forgets the failures of `own`, and only its own attempt in the `shared` ones. */
export interface GuessBuckets {
  /** Absent where an attempt stands for attempts on several accounts. */
  own?: GuessBucket;
  shared: readonly GuessBucket[];
}

/** An enrolled device. */
export interface KnownDevice {
  clinicId: number;
  deviceId: number;
}

const freeOfOne = 5;
/** More than one person's, because a whole clinic may share an address and a device. */
const freeOfMany = 50;

/** Names an account in counts: by its ids, or by what was typed when there is no such account. */
export const accountName = (account: { clinicId: number; userId: number } | { email: string }): string =>
  'email' in account ? `unknown ${account.email}` : `${account.clinicId} ${account.userId}`;

/** The bucket of the address of an unknown device: it holds once for all accounts that an e-mail has. */
export const addressBuckets = (address: string): GuessBuckets => ({
  shared: [{ name: `address ${networkOf(address)}`, free: freeOfMany }],
});

/** The bucket of one account for all unknown devices, and for whoever is signed in: an address may be that of many clinics. */
export const accountBuckets = (account: string): GuessBuckets => ({
  own: { name: `account ${account}`, free: freeOfOne },
  shared: [],
});

/**
 * The buckets of an attempt from an enrolled device. One counts an account at all devices of the clinic, because its people
 * may enrol more than one. On a device on which the account has signed in before, only its own tries count: nobody can use
 * them up with wrong tries for other accounts, or from other devices.
 */
export function deviceBuckets(
  account: string,
  { clinicId, deviceId }: KnownDevice,
  { isAtHome }: { isAtHome: boolean },
): GuessBuckets & { own: GuessBucket } {
  const own = { name: `account ${account} on device ${clinicId} ${deviceId}`, free: freeOfOne };
  if (isAtHome) return { own, shared: [] };
  return {
    own,
    shared: [
      { name: `device ${clinicId} ${deviceId}`, free: freeOfMany },
      { name: `account ${account} on the devices of ${clinicId}`, free: freeOfMany },
    ],
  };
}

/**
 * The bucket of PINs, which a tablet verifies itself. The tablet removes a PIN after as many, so the server makes it wait only
 * when somebody has reset the tablet's own count.
 */
export const pinBucket = (
  { clinicId, deviceId }: { clinicId: number; deviceId: number | null },
  userId: number,
): GuessBucket => ({ name: `${userId} on device ${clinicId} ${deviceId ?? ''}`, free: pinAttempts });

/**
 * The buckets of assertions, which nobody guesses: they bound the work for a device that sends wrong ones. One person's right
 * assertion forgives none of another passkey.
 */
export const passkeyBuckets = (
  { clinicId, deviceId }: KnownDevice,
  { credentialId }: { credentialId: string },
): GuessBuckets => ({
  own: { name: `credential ${credentialId} on device ${clinicId} ${deviceId}`, free: freeOfOne },
  shared: [{ name: `device ${clinicId} ${deviceId}`, free: freeOfMany }],
});

const mostWaiting = 20;
/** The free attempts of what is only noted. */
const endless = 1_000_000_000;

export class GuessThrottle {
  private readonly turns = new Map<string, { waiting: number; last: Promise<unknown> }>();

  /** @param secretKind the kind of secret that is guessed; kinds are counted apart */
  constructor(
    private readonly ports: Pick<Ports, 'database' | 'clock' | 'secret'>,
    private readonly secretKind: string,
  ) {}

  /**
   * Makes one attempt and returns its result, null for a failure, or 'throttled' when the attempt was not allowed. One that
   * `verify` itself does not allow has shown nothing, so it neither counts nor forgives.
   *
   * @param onWrong hears of a failure, with what takes it back
   */
  async attempt<T>(
    { own, shared }: GuessBuckets,
    verify: () => Promise<T | null | 'throttled'>,
    onWrong?: (takeBack: () => Promise<void>) => void,
  ): Promise<T | null | 'throttled'> {
    const { database, clock } = this.ports;
    const pool = acrossClinics(database);
    const mine = own && this.hashed(own);
    const buckets = [...(mine ? [mine] : []), ...shared.map((bucket) => this.hashed(bucket))];
    return this.inTurn(mine?.who, async () => {
      const atMs = clock();
      const counted = await countAttempt(pool, buckets, atMs);
      const undo = (forgotten: string[] = []): Promise<void> => takeBack(pool, counted, { atMs, forgotten });
      if (counted.length < buckets.length) {
        if (counted.length > 0) await undo();
        return 'throttled';
      }
      const result = await orElse(verify, undo);
      if (result === null) {
        onWrong?.(undo);
        await removeForgotten(pool, atMs);
      } else await undo(mine && result !== 'throttled' ? [mine.who] : []);
      return result;
    });
  }

  /** Notes something. @returns whether it was noted within the last hour */
  async note(name: string): Promise<boolean> {
    const { database, clock } = this.ports;
    const atMs = clock();
    const [noted] = await countAttempt(acrossClinics(database), [this.hashed({ name, free: endless })], atMs);
    return isRemembered(noted?.before, atMs);
  }

  /** Returns how long an attempt that is made elsewhere has to wait, in milliseconds. */
  waitOf(bucket: GuessBucket): Promise<number> {
    const { database, clock } = this.ports;
    return waitOf(acrossClinics(database), this.hashed(bucket), clock());
  }

  /** Counts a failure elsewhere. */
  async countFailure(bucket: GuessBucket): Promise<void> {
    const { database, clock } = this.ports;
    const atMs = clock();
    await countAttempt(acrossClinics(database), [this.hashed(bucket)], atMs);
    await removeForgotten(acrossClinics(database), atMs);
  }

  forget(bucket: GuessBucket): Promise<void> {
    return forgetGuesses(acrossClinics(this.ports.database), this.hashed(bucket).who);
  }

  private hashed({ name, free }: GuessBucket): { who: string; free: number } {
    return { who: keyedHash(this.ports.secret, `${this.secretKind} ${name}`), free };
  }

  /** Runs the attempts on one account one after the other, so that a user's own tablets do not count against each other. */
  private async inTurn<T>(key: string | undefined, work: () => Promise<T>): Promise<T | 'throttled'> {
    if (key === undefined) return work();
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

/** An attempt that ends in a fault has guessed nothing, so it is taken back. */
async function orElse<T>(verify: () => Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    await undo();
    throw error;
  }
}
