/**
 * The server's processes behind one address: each call is given to one of those that are up, drawn from the seed. When one
 * dies the others go on. What it had in memory outlives it here, which is harder on the others than the truth: whoever
 * believed it would be found out.
 */
import type { Chance } from './random.ts';
import type { World } from './world.ts';

const restartMs = [500, 5000] as const;
const pauseMs = [0, 20_000] as const;

export class Fleet {
  private readonly members: { downUntilMs: number; isUpgraded: boolean }[];
  private isHealed = false;

  constructor(
    private readonly parts: { world: World; chance: Chance },
    count: number,
  ) {
    this.members = Array.from({ length: count }, () => ({ downUntilMs: 0, isUpgraded: false }));
  }

  get isSeveral(): boolean {
    return this.members.length > 1;
  }

  /** Who takes the next call; null when nobody is up. */
  next(): number | null {
    const { world, chance } = this.parts;
    const up = [...this.members.keys()].filter((index) => this.members[index]!.downUntilMs <= world.nowMs);
    if (up.length === 0) return null;
    return this.isSeveral ? chance.pick(up) : up[0]!;
  }

  /** Whether it knows what the newer app writes. */
  isUpgraded(index: number): boolean {
    return this.members[index]!.isUpgraded;
  }

  kill(index: number, forMs: number): void {
    const { world } = this.parts;
    this.members[index]!.downUntilMs = world.nowMs + forMs;
    if (this.isSeveral) world.history.count('server one of several killed');
  }

  /** At some time within `withinMs` a newer server takes the place of this one: process by process, while the others serve. */
  planUpgrade(withinMs: number): void {
    const { world, chance } = this.parts;
    const upgrade = (index: number): void => {
      if (this.isHealed) return;
      world.note(`server ${index + 1}`, 'makes place for a newer one');
      const forMs = chance.between(...restartMs);
      this.members[index] = { downUntilMs: world.nowMs + forMs, isUpgraded: true };
      if (index + 1 < this.members.length) world.after(forMs + chance.between(...pauseMs), () => upgrade(index + 1));
      else world.history.count('server upgraded one by one');
    };
    world.after(chance.between(0, withinMs), () => upgrade(0));
  }

  /** All are up, and newer. */
  heal(): void {
    this.isHealed = true;
    for (const index of this.members.keys()) this.members[index] = { downUntilMs: 0, isUpgraded: true };
  }
}
