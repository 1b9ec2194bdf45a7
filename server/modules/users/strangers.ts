/**
 * Turns of sign-ins from devices that nobody knows. They wait by networks, so who floods from one makes nobody else wait, and behind
 * networks from which nothing has been wrong: of a flood from many, each has been wrong before long.
 */
import type { Asker } from '#server/http/askers.ts';
import { ClinicTurns } from '#server/http/clinic-turns.ts';

/** More than the hashes at once, so that one is ready when another ends. A network lets as many wait as people who arrive together. */
const limits = { atOnce: 4, perClinic: 4, beside: 4, waiting: 26 };
/** What waits in all. The last places are for networks from which nothing has been wrong. */
const most = { ofAll: 4000, ofWrong: 2000 };
/** After this wait a network has its turn, although something was wrong. */
const patienceMs = 5000;
const wrongForMs = 15 * 60_000;
/** Networks whose time is over are forgotten when there are this many. */
const mostKept = 20_000;

export class Strangers {
  /** When something was wrong last, by network. */
  private readonly wrongAt = new Map<string, number>();
  private waiting = 0;
  /** What waits of networks from which nothing has been wrong. */
  private waitingFirst = 0;
  private readonly turns: ClinicTurns;

  constructor(private readonly clock: () => number) {
    const goFirst = (network: number | string) => this.waitingFirst > 0 && this.wasWrong(String(network));
    this.turns = new ClinicTurns(limits, { areAtWork: () => false, goFirst }, patienceMs);
  }

  /**
   * Runs a sign-in in the turn of its network.
   *
   * @returns 'busy' when too much waits, or when the asker is gone
   */
  async run<T>(network: string, asker: Asker, work: () => Promise<T | null | 'throttled'>): Promise<Answer<T>> {
    const leave = await this.enter(network, asker);
    if (!leave) return 'busy';
    try {
      const answer = await work();
      if (answer === null || answer === 'throttled') this.note(network);
      return answer;
    } finally {
      leave();
    }
  }

  private async enter(network: string, asker: Asker): Promise<(() => void) | null> {
    const isFirst = !this.wasWrong(network);
    if (this.waiting >= (isFirst ? most.ofAll : most.ofWrong)) return null;
    this.count(1, isFirst);
    const leave = await this.turns.enter(network, { asker });
    this.count(-1, isFirst);
    // Those who had let it go first may begin now.
    this.turns.next();
    return leave;
  }

  private count(change: 1 | -1, isFirst: boolean): void {
    this.waiting += change;
    if (isFirst) this.waitingFirst += change;
  }

  private wasWrong(network: string): boolean {
    const sinceMs = this.clock() - (this.wrongAt.get(network) ?? -Infinity);
    return sinceMs >= 0 && sinceMs < wrongForMs;
  }

  private note(network: string): void {
    if (this.wrongAt.size >= mostKept)
      for (const one of this.wrongAt.keys()) if (!this.wasWrong(one)) this.wrongAt.delete(one);
    this.wrongAt.set(network, this.clock());
  }
}

type Answer<T> = T | null | 'throttled' | 'busy';
