/**
 * The server's processes behind one address: each call is given to one of those that are up, drawn from the seed. When one
 * dies the others go on. What it had in memory outlives it here, which is harder on the others than the truth: whoever
 * believed it would be found out.
 */
import type { Random } from '../../support/random.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

const restartMs = [500, 5000] as const;
const pauseMs = [0, 20_000] as const;

export class ServerPool {
  private readonly members: { downUntilMs: number; isUpgraded: boolean }[];
  private isHealed = false;

  constructor(
    private readonly parts: { scheduler: Scheduler; random: Random },
    count: number,
  ) {
    this.members = Array.from({ length: count }, () => ({ downUntilMs: 0, isUpgraded: false }));
  }

  get isSeveral(): boolean {
    return this.members.length > 1;
  }

  /** Who takes the next call; null when nobody is up. */
  next(): number | null {
    const { scheduler, random } = this.parts;
    const up = [...this.members.keys()].filter((index) => this.members[index]!.downUntilMs <= scheduler.nowMs);
    if (up.length === 0) return null;
    return this.isSeveral ? random.pick(up) : up[0]!;
  }

  /** Whether it knows what the newer app writes. */
  isUpgraded(index: number): boolean {
    return this.members[index]!.isUpgraded;
  }

  kill(index: number, forMs: number): void {
    const { scheduler } = this.parts;
    this.members[index]!.downUntilMs = scheduler.nowMs + forMs;
    if (this.isSeveral) scheduler.history.count('server one of several killed');
  }

  /** At some time within `withinMs` a newer server takes the place of this one: process by process, while the others serve. */
  planUpgrade(withinMs: number): void {
    const { scheduler, random } = this.parts;
    const upgrade = (index: number): void => {
      if (this.isHealed) return;
      scheduler.note(`server ${index + 1}`, 'makes place for a newer one');
      const forMs = random.between(...restartMs);
      this.members[index] = { downUntilMs: scheduler.nowMs + forMs, isUpgraded: true };
      if (index + 1 < this.members.length)
        scheduler.after(forMs + random.between(...pauseMs), () => upgrade(index + 1));
      else scheduler.history.count('server upgraded one by one');
    };
    scheduler.after(random.between(0, withinMs), () => upgrade(0));
  }

  /** All are up, and newer. */
  heal(): void {
    this.isHealed = true;
    for (const index of this.members.keys()) this.members[index] = { downUntilMs: 0, isUpgraded: true };
  }
}
