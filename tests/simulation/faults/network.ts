/** The way between tablets and clinic. Each call meets a fault; what the clinic does is done by the real handlers at the moment of arrival. */
import { timeoutMs } from '../../../sw/sync/transport.ts';
import type { NetResponse, Call } from '../../../sw/sync/ports.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { CommitFault } from './commit-faults.ts';
import type { NetworkFault, Profile } from './profile.ts';
import type { Random } from '../../support/random.ts';
import type { Process } from '../clients/process.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

/** Sees what the clinic answered, whether or not the answer arrives. */
export type Witness = (call: Call, answer: NetResponse) => void;

const commitFaultOf: Partial<Record<NetworkFault, CommitFault>> = {
  server_killed_before_commit: { type: 'killed_before_commit' },
  commit_unknown: { type: 'commit_unknown' },
  repeatable_failure: { type: 'statement_fails', statement: 7, code: '40001' },
};

/** Troubles that only work at the server can meet. */
const forBatches: ReadonlySet<NetworkFault> = new Set([
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
  /** What the next call meets, whatever random would say. */
  plannedFault: NetworkFault | null = null;
  /** Calls on their way, so that a history can wait for the last of them. */
  underWay = 0;

  constructor(
    private readonly parts: {
      scheduler: Scheduler;
      clinic: Clinic;
      random: Random;
      profile: Pick<Profile, 'networkFaults' | 'latencyMs'>;
      witness: Witness;
      rewrite: (from: Process, call: Call, server: number) => Call;
    },
  ) {}

  send(from: Process, call: Call): Promise<NetResponse> {
    const { scheduler } = this.parts;
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
      callOffTimeout = scheduler.after(timeoutMs, () => answer(null));
      this.dispatch(from, call, answer);
    });
  }

  private dispatch(from: Process, call: Call, answer: (given: NetResponse) => void): void {
    const { scheduler } = this.parts;
    const what = whatIs(call);
    if (!this.isHealed && !from.tablet.isOnline) {
      scheduler.note(from.name, `${what}: no network`);
      scheduler.after(this.latency(), () => answer(null));
      return;
    }
    const fault = this.drawFault(call);
    if (fault !== 'arrives') scheduler.history.count(`network ${fault}`);
    scheduler.note(from.name, `${what}: ${fault}`);
    const there = this.latency();
    switch (fault) {
      case 'request_lost':
        scheduler.after(there, () => answer(null));
        return;
      case 'swallowed':
        return;
      case 'portal_page':
        scheduler.after(there, () => answer({ status: 200, json: undefined, retryAfterMs: null }));
        return;
      case 'portal_json':
        scheduler.after(there, () =>
          answer({
            status: 200,
            json: { success: true, data: { results: [], welcome: 'to our hotel' } },
            retryAfterMs: null,
          }),
        );
        return;
      case 'busy_429':
        scheduler.after(there, () =>
          answer({
            status: 429,
            json: { success: false, code: 'TOO_MANY_REQUESTS', message: '' },
            retryAfterMs: 45_000,
          }),
        );
        return;
      case 'unavailable_503':
        scheduler.after(there, () => answer({ status: 503, json: undefined, retryAfterMs: null }));
        return;
      case 'proxy_413':
        scheduler.after(there, () => answer({ status: 413, json: undefined, retryAfterMs: null }));
        return;
      case 'too_late':
        // It arrives long after the tablet has given up, perhaps after the same operations came another way.
        this.arrive(from, call, fault, timeoutMs + there * 40, () => undefined);
        return;
      case 'duplicated':
        this.arrive(from, call, fault, there, answer);
        this.arrive(from, call, fault, there + this.latency() * 3, () => undefined);
        return;
      case 'delayed':
        this.arrive(from, call, fault, Math.min(there * 10, timeoutMs - 1000), answer);
        return;
      default:
        this.arrive(from, call, fault, there, answer);
    }
  }

  private arrive(
    from: Process,
    call: Call,
    fault: NetworkFault | 'arrives',
    delayMs: number,
    answer: (given: NetResponse) => void,
  ): void {
    const { clinic, scheduler, rewrite } = this.parts;
    this.underWay += 1;
    scheduler.after(delayMs, async () => {
      this.underWay -= 1;
      const server = clinic.servers.next();
      if (server === null) return answer(null);
      await this.serve(rewrite(from, call, server), server, fault, answer);
    });
  }

  private async serve(
    call: Call,
    server: number,
    fault: NetworkFault | 'arrives',
    answer: (given: NetResponse) => void,
  ): Promise<void> {
    const { clinic, scheduler, random } = this.parts;
    const back = (given: NetResponse) => void scheduler.after(this.latency(), () => answer(given));
    if (fault === 'commit_held') return this.serveSlowly(call, server, back);
    const commitFault: CommitFault | undefined =
      fault === 'statement_fails'
        ? { type: 'statement_fails', statement: random.between(1, 12), code: 'XX000' }
        : commitFaultOf[fault as NetworkFault];
    const given = await clinic.call(call, server, commitFault);
    this.witness(call, server, given);
    if (fault === 'server_killed_before_commit' || fault === 'server_killed_after_commit') {
      clinic.servers.kill(server, random.between(500, 20_000));
      back(null);
      return;
    }
    back(fault === 'reply_lost' ? null : given);
  }

  private async serveSlowly(call: Call, server: number, back: (given: NetResponse) => void): Promise<void> {
    const { clinic, scheduler, random } = this.parts;
    const { answer } = await clinic.callAndHold(call, server);
    let isTold = false;
    void answer.then((given) => {
      isTold = true;
      this.witness(call, server, given);
      back(given);
    });
    scheduler.after(random.between(100, 15_000), () => (isTold ? undefined : clinic.releaseCommit()));
  }

  private witness(call: Call, server: number, given: NetResponse): void {
    const results = (given?.json as { data?: { results?: { status: string; replayed: boolean }[] } } | undefined)?.data
      ?.results;
    const told = results
      ? ` ${results.map(({ status, replayed }) => status + (replayed ? ' again' : '')).join(', ')}`
      : '';
    const who = this.parts.clinic.servers.isSeveral ? `server ${server + 1}` : 'server';
    this.parts.scheduler.note(who, `${whatIs(call)} ${given?.status}${told}`);
    this.parts.witness(call, given);
  }

  private latency(): number {
    const [from, to] = this.isHealed ? [20, 60] : this.parts.profile.latencyMs;
    return this.parts.random.between(from, to);
  }

  private drawFault({ path }: Call): NetworkFault | 'arrives' {
    const planned = this.plannedFault;
    this.plannedFault = null;
    if (planned) return planned;
    const fault = this.parts.random.weighted(this.parts.profile.networkFaults);
    if (this.isHealed || (fault !== 'arrives' && forBatches.has(fault) && path !== '/sync/batch')) return 'arrives';
    return fault;
  }
}
