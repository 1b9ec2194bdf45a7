/**
 * Runs at most two password hashes at once. A hash takes a thread of the process for a tenth of a second on purpose, and
 * files and images need the other threads. Hashes for enrolled devices and for people who are signed in go first.
 */
import type { Passwords, Urgency } from './passwords.ts';

const atOnce = 2;
const mostWaiting = 250;

/** Thrown when too many hashes wait; the request gets a 503. */
export class HashingBusy extends Error {
  override name = 'HashingBusy';
  readonly statusCode = 503;
}

export class HashingQueue {
  private running = 0;
  private readonly waiting: Record<Urgency, (() => void)[]> = { first: [], last: [] };

  /** @throws HashingBusy */
  async run<T>(urgency: Urgency, hash: () => Promise<T>): Promise<T> {
    if (this.running < atOnce) this.running += 1;
    else if (this.waiting.first.length + this.waiting.last.length >= mostWaiting) throw new HashingBusy();
    // A hash that ends passes its place on, so the number of running hashes does not change.
    else await new Promise<void>((resolve) => this.waiting[urgency].push(resolve));
    try {
      return await hash();
    } finally {
      const next = this.waiting.first.shift() ?? this.waiting.last.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

export function inQueue(passwords: Passwords): Passwords {
  const queue = new HashingQueue();
  return {
    hash: (password) => queue.run('first', () => passwords.hash(password)),
    matches: (passwordHash, password, urgency = 'first') =>
      queue.run(urgency, () => passwords.matches(passwordHash, password)),
  };
}
