/**
 * Slows down guessing. After a few free failures each further one doubles the wait. An attempt is counted before it is
 * made and taken back when it succeeds, so that parallel attempts cannot exceed the free ones.
 *
 * Every attempt falls into several buckets, all of which must allow it. A device that proves itself has buckets of its
 * own, so that nobody outside the clinic can lock its users out. Unknown accounts are counted like known ones.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { keyedHash } from '../../http/idempotency.ts';
import type { Ports } from '../../ports.ts';
import { countAttempt, removeForgotten, takeBack } from './guesses-store.ts';

export interface GuessBucket {
  name: string;
  /** The number of failures before the first wait. */
  free: number;
}

/** The buckets of an attempt. A success forgets the failures of `own`, and only its own attempt in the `shared` ones. */
export interface GuessBuckets {
  own: GuessBucket;
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

/** The buckets of an attempt from an unknown device. */
export const strangerBuckets = (account: string, address: string): GuessBuckets => ({
  own: { name: `account ${account}`, free: freeOfOne },
  shared: [{ name: `address ${networkOf(address)}`, free: freeOfMany }],
});

/**
 * The buckets of an attempt from an enrolled device. One counts an account at all devices of the clinic, because whoever
 * works there may enrol more than one.
 */
export const deviceBuckets = (account: string, { clinicId, deviceId }: KnownDevice): GuessBuckets => ({
  own: { name: `account ${account} on device ${clinicId} ${deviceId}`, free: freeOfOne },
  shared: [
    { name: `device ${clinicId} ${deviceId}`, free: freeOfMany },
    { name: `account ${account} on the devices of ${clinicId}`, free: freeOfMany },
  ],
});

/** Returns the network that one caller has to itself: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped && isIPv4(mapped)) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::');
  const groups = (text = '') => text.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const mostWaiting = 20;

export class GuessThrottle {
  private readonly turns = new Map<string, { waiting: number; last: Promise<unknown> }>();

  /** @param secretKind the kind of secret that is guessed; kinds are counted apart */
  constructor(
    private readonly ports: Pick<Ports, 'database' | 'clock' | 'secret'>,
    private readonly secretKind: string,
  ) {}

  /** Makes one attempt and returns its result, null for a failure, or 'throttled' when the attempt was not allowed. */
  async attempt<T>({ own, shared }: GuessBuckets, verify: () => Promise<T | null>): Promise<T | null | 'throttled'> {
    const { database, clock, secret } = this.ports;
    const pool = database.$client;
    const hashed = ({ name, free }: GuessBucket) => ({ who: keyedHash(secret, `${this.secretKind} ${name}`), free });
    const mine = hashed(own);
    const buckets = [mine, ...shared.map(hashed)];
    return this.inTurn(mine.who, async () => {
      const atMs = clock();
      const counted = await countAttempt(pool, buckets, atMs);
      const undo = (forgotten: string[] = []): Promise<void> => takeBack(pool, counted, { atMs, forgotten });
      if (counted.length < buckets.length) {
        if (counted.length > 0) await undo();
        return 'throttled';
      }
      const result = await orElse(verify, undo);
      await (result === null ? removeForgotten(pool, atMs) : undo([mine.who]));
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

/** An attempt that ends in a fault has guessed nothing, so it is taken back. */
async function orElse<T>(verify: () => Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    await undo();
    throw error;
  }
}
