/** The way between tablets and clinic. Each call meets a fate; what the clinic does is done by the real handlers at the moment of arrival. */
import { timeoutMs } from '../../sw/sync/transport.ts';
import type { NetResponse, Call } from '../../sw/sync/ports.ts';
import type { Clinic } from './clinic.ts';
import type { CommitTrouble } from './commit-gate.ts';
import type { Fate, Profile } from './faults.ts';
import type { Chance } from './random.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** Sees what the clinic answered, whether or not the answer arrives. */
export type Witness = (call: Call, answer: NetResponse) => void;

const inside: Partial<Record<Fate, CommitTrouble>> = {
  server_killed_before_commit: { type: 'killed_before_commit' },
  commit_unknown: { type: 'commit_unknown' },
  repeatable_failure: { type: 'statement_fails', statement: 7, code: '40001' },
};

/** Troubles that only work at the server can meet. */
const forBatches: ReadonlySet<Fate> = new Set([
  'proxy_413',
  'server_killed_before_commit',
  'server_killed_after_commit',
  'commit_unknown',
  'statement_fails',
  'repeatable_failure',
  'commit_held',
]);

/** What is asked for; a cursor names transactions of the database, which are other ones each time. */
const whatIs = ({ path }: Call): string => path.split('?')[0]!;

export class Network {
  /** Nothing goes wrong any more. */
  isHealed = false;
  /** What the next call meets, whatever chance would say. */
  nextFate: Fate | null = null;
  /** Calls on their way, so that a history can wait for the last of them. */
  underWay = 0;

  constructor(
    private readonly parts: {
      world: World;
      clinic: Clinic;
      chance: Chance;
      profile: Pick<Profile, 'fates' | 'latencyMs'>;
      witness: Witness;
      rewrite: (from: Process, call: Call, server: number) => Call;
    },
  ) {}

  send(from: Process, call: Call): Promise<NetResponse> {
    const { world } = this.parts;
    const what = whatIs(call);
    from.reach(`send ${what}`);
    return new Promise((resolve) => {
      let isAnswered = false;
      let callOffTimeout = () => {};
      const answer = (given: NetResponse) => {
        if (isAnswered || !from.isAlive) return;
        isAnswered = true;
        callOffTimeout();
        from.reach(`answer ${what}`);
        if (from.isAlive) resolve(given);
      };
      if (!from.isAlive) return;
      callOffTimeout = world.after(timeoutMs, () => answer(null));
      this.dispatch(from, call, answer);
    });
  }

  private dispatch(from: Process, call: Call, answer: (given: NetResponse) => void): void {
    const { world } = this.parts;
    const what = whatIs(call);
    if (!this.isHealed && !from.tablet.isOnline) {
      world.note(from.name, `${what}: no network`);
      world.after(this.latency(), () => answer(null));
      return;
    }
    const fate = this.fateOf(call);
    if (fate !== 'arrives') world.history.count(`network ${fate}`);
    world.note(from.name, `${what}: ${fate}`);
    const there = this.latency();
    switch (fate) {
      case 'request_lost':
        world.after(there, () => answer(null));
        return;
      case 'swallowed':
        return;
      case 'portal_page':
        world.after(there, () => answer({ status: 200, json: undefined, retryAfterMs: null }));
        return;
      case 'portal_json':
        world.after(there, () =>
          answer({
            status: 200,
            json: { success: true, data: { results: [], welcome: 'to our hotel' } },
            retryAfterMs: null,
          }),
        );
        return;
      case 'busy_429':
        world.after(there, () =>
          answer({
            status: 429,
            json: { success: false, code: 'TOO_MANY_REQUESTS', message: '' },
            retryAfterMs: 45_000,
          }),
        );
        return;
      case 'unavailable_503':
        world.after(there, () => answer({ status: 503, json: undefined, retryAfterMs: null }));
        return;
      case 'proxy_413':
        world.after(there, () => answer({ status: 413, json: undefined, retryAfterMs: null }));
        return;
      case 'too_late':
        // It arrives long after the tablet has given up, perhaps after the same operations came another way.
        this.arrive(from, call, fate, timeoutMs + there * 40, () => undefined);
        return;
      case 'duplicated':
        this.arrive(from, call, fate, there, answer);
        this.arrive(from, call, fate, there + this.latency() * 3, () => undefined);
        return;
      case 'delayed':
        this.arrive(from, call, fate, Math.min(there * 10, timeoutMs - 1000), answer);
        return;
      default:
        this.arrive(from, call, fate, there, answer);
    }
  }

  private arrive(
    from: Process,
    call: Call,
    fate: Fate | 'arrives',
    delayMs: number,
    answer: (given: NetResponse) => void,
  ): void {
    const { clinic, world, rewrite } = this.parts;
    this.underWay += 1;
    world.after(delayMs, async () => {
      this.underWay -= 1;
      const server = clinic.fleet.next();
      if (server === null) return answer(null);
      await this.serve(rewrite(from, call, server), server, fate, answer);
    });
  }

  private async serve(
    call: Call,
    server: number,
    fate: Fate | 'arrives',
    answer: (given: NetResponse) => void,
  ): Promise<void> {
    const { clinic, world, chance } = this.parts;
    const back = (given: NetResponse) => void world.after(this.latency(), () => answer(given));
    if (fate === 'commit_held') return this.serveSlowly(call, server, back);
    const trouble: CommitTrouble | undefined =
      fate === 'statement_fails'
        ? { type: 'statement_fails', statement: chance.between(1, 12), code: 'XX000' }
        : inside[fate as Fate];
    const given = await clinic.call(call, server, trouble);
    this.witness(call, server, given);
    if (fate === 'server_killed_before_commit' || fate === 'server_killed_after_commit') {
      clinic.fleet.kill(server, chance.between(500, 20_000));
      back(null);
      return;
    }
    back(fate === 'reply_lost' ? null : given);
  }

  private async serveSlowly(call: Call, server: number, back: (given: NetResponse) => void): Promise<void> {
    const { clinic, world, chance } = this.parts;
    const { answer } = await clinic.callAndHold(call, server);
    let isTold = false;
    void answer.then((given) => {
      isTold = true;
      this.witness(call, server, given);
      back(given);
    });
    world.after(chance.between(100, 15_000), () => (isTold ? undefined : clinic.letGo()));
  }

  private witness(call: Call, server: number, given: NetResponse): void {
    const results = (given?.json as { data?: { results?: { status: string; replayed: boolean }[] } } | undefined)?.data
      ?.results;
    const told = results
      ? ` ${results.map(({ status, replayed }) => status + (replayed ? ' again' : '')).join(', ')}`
      : '';
    const who = this.parts.clinic.fleet.isSeveral ? `server ${server + 1}` : 'server';
    this.parts.world.note(who, `${whatIs(call)} ${given?.status}${told}`);
    this.parts.witness(call, given);
  }

  private latency(): number {
    const [from, to] = this.isHealed ? [20, 60] : this.parts.profile.latencyMs;
    return this.parts.chance.between(from, to);
  }

  private fateOf({ path }: Call): Fate | 'arrives' {
    const planned = this.nextFate;
    this.nextFate = null;
    if (planned) return planned;
    const fate = this.parts.chance.weighted(this.parts.profile.fates);
    if (this.isHealed || (fate !== 'arrives' && forBatches.has(fate) && path !== '/sync/batch')) return 'arrives';
    return fate;
  }
}
