import type { Random } from '#tests/support/random.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

const restartMs = [500, 5000] as const;
const pauseMs = [0, 20_000] as const;

/**
 * The server processes behind one address. Each call goes to a random process that is up. A killed process keeps its memory
 * here, unlike a real one: a server that trusted its memory would then return stale data, and a checker would find it.
 */
export class ServerPool {
  private readonly members: { downUntilMs: number; isUpgraded: boolean }[];
  private isHealed = false;
  /** Called with each process that dies or is replaced. */
  onDown: (index: number) => void = () => undefined;

  constructor(
    private readonly parts: { scheduler: Scheduler; random: Random },
    count: number,
  ) {
    this.members = Array.from({ length: count }, () => ({ downUntilMs: 0, isUpgraded: false }));
  }

  get isSeveral(): boolean {
    return this.members.length > 1;
  }

  /** Returns the process for the next call; null when all are down. */
  next(): number | null {
    const { random } = this.parts;
    const up = [...this.members.keys()].filter((index) => this.isUp(index));
    if (up.length === 0) return null;
    return this.isSeveral ? random.pick(up) : up[0]!;
  }

  /** Replaces all processes at once. */
  restart(): void {
    for (const index of this.members.keys()) this.onDown(index);
  }

  /** Returns true if the process knows the operations of the newer app. */
  isUpgraded(index: number): boolean {
    return this.members[index]!.isUpgraded;
  }

  get count(): number {
    return this.members.length;
  }

  isUp(index: number): boolean {
    return this.members[index]!.downUntilMs <= this.parts.scheduler.nowMs;
  }

  kill(index: number, forMs: number): void {
    const { scheduler } = this.parts;
    this.onDown(index);
    this.members[index]!.downUntilMs = scheduler.nowMs + forMs;
    if (this.isSeveral) scheduler.history.count('server one of several killed');
  }

  /** Plans a rolling upgrade within `withinMs`: one process after another is replaced while the others serve. */
  planUpgrade(withinMs: number): void {
    const { scheduler, random } = this.parts;
    const upgrade = (index: number): void => {
      if (this.isHealed) return;
      scheduler.note(`server ${index + 1}`, 'is replaced by a newer one');
      const forMs = random.between(...restartMs);
      this.onDown(index);
      this.members[index] = { downUntilMs: scheduler.nowMs + forMs, isUpgraded: true };
      if (index + 1 < this.members.length)
        scheduler.after(forMs + random.between(...pauseMs), () => upgrade(index + 1));
      else scheduler.history.count('server upgraded one by one');
    };
    scheduler.after(random.between(0, withinMs), () => upgrade(0));
  }

  /** Starts and upgrades all processes. */
  heal(): void {
    this.isHealed = true;
    for (const index of this.members.keys()) this.members[index] = { downUntilMs: 0, isUpgraded: true };
  }
}
