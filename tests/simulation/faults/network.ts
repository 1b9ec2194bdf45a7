import { timeoutMs } from '#sw/sync/transport.ts';
import type { NetResponse, Call } from '#sw/sync/ports.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { CommitFault } from './commit-faults.ts';
import type { NetworkFault, Profile } from './profile.ts';
import type { Random } from '#tests/support/random.ts';
import type { Process } from '../clients/process.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

const commitFaultOf: Partial<Record<NetworkFault, CommitFault>> = {
  server_killed_before_commit: { type: 'killed_before_commit' },
  commit_unknown: { type: 'commit_unknown' },
  repeatable_failure: { type: 'statement_fails', statement: 7, code: '40001' },
};

/** Faults that hit batches only. */
const batchFaults: ReadonlySet<NetworkFault> = new Set([
  'proxy_413',
  'server_killed_before_commit',
  'server_killed_after_commit',
  'commit_unknown',
  'statement_fails',
  'repeatable_failure',
  'commit_held',
]);

/** The path without its query: a cursor names transactions, whose ids differ between runs of one seed. */
const pathOf = ({ path }: Call): string => path.split('?')[0]!;

/** The network between tablets and clinic. Each call draws a fault; a call that arrives runs in the real handlers at that moment. */
export class Network {
  /** Ends all faults. */
  isHealed = false;
  /** Overrides the fault of the next call. */
  plannedFault: NetworkFault | null = null;
  callsInFlight = 0;

  constructor(
    private readonly parts: {
      scheduler: Scheduler;
      clinic: Clinic;
      random: Random;
      profile: Pick<Profile, 'networkFaults' | 'latencyMs'>;
      /** Called with every reply, whether or not it reaches the tablet. */
      onReply: (from: Process, call: Call, reply: NetResponse) => void;
      rewrite: (from: Process, call: Call, server: number) => Call;
    },
  ) {}

  send(from: Process, call: Call): Promise<NetResponse> {
    const { scheduler } = this.parts;
    const path = pathOf(call);
    from.reach(`send ${path}`);
    return new Promise((resolve) => {
      let isAnswered = false;
      let cancelTimeout = () => {};
      const answer = (given: NetResponse) => {
        if (isAnswered || !from.isAlive) return;
        isAnswered = true;
        cancelTimeout();
        from.reach(`reply ${path}`);
        if (from.isAlive) resolve(given);
      };
      if (!from.isAlive) return;
      cancelTimeout = scheduler.after(timeoutMs, () => answer(null));
      this.dispatch(from, call, answer);
    });
  }

  private dispatch(from: Process, call: Call, answer: (given: NetResponse) => void): void {
    const { scheduler } = this.parts;
    const path = pathOf(call);
    if (!this.isHealed && !from.tablet.isOnline) {
      scheduler.note(from.name, `${path}: no network`);
      scheduler.after(this.latency(), () => answer(null));
      return;
    }
    const fault = this.drawFault(call);
    if (fault !== 'arrives') scheduler.history.count(`network ${fault}`);
    scheduler.note(from.name, `${path}: ${fault}`);
    const latencyMs = this.latency();
    switch (fault) {
      case 'request_lost':
        scheduler.after(latencyMs, () => answer(null));
        return;
      case 'swallowed':
        return;
      case 'portal_page':
        scheduler.after(latencyMs, () => answer({ status: 200, json: undefined, retryAfterMs: null }));
        return;
      case 'portal_json':
        scheduler.after(latencyMs, () =>
          answer({
            status: 200,
            json: { success: true, data: { results: [], welcome: 'to our hotel' } },
            retryAfterMs: null,
          }),
        );
        return;
      case 'busy_429':
        scheduler.after(latencyMs, () =>
          answer({
            status: 429,
            json: { success: false, code: 'TOO_MANY_REQUESTS', message: '' },
            retryAfterMs: 45_000,
          }),
        );
        return;
      case 'unavailable_503':
        scheduler.after(latencyMs, () => answer({ status: 503, json: undefined, retryAfterMs: null }));
        return;
      case 'proxy_413':
        scheduler.after(latencyMs, () => answer({ status: 413, json: undefined, retryAfterMs: null }));
        return;
      case 'too_late':
        // The call arrives long after the tablet has given up, perhaps after another attempt of the same operations.
        this.arrive(from, call, fault, timeoutMs + latencyMs * 40, () => undefined);
        return;
      case 'duplicated':
        this.arrive(from, call, fault, latencyMs, answer);
        this.arrive(from, call, fault, latencyMs + this.latency() * 3, () => undefined);
        return;
      case 'delayed':
        this.arrive(from, call, fault, Math.min(latencyMs * 10, timeoutMs - 1000), answer);
        return;
      default:
        this.arrive(from, call, fault, latencyMs, answer);
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
    this.callsInFlight += 1;
    scheduler.after(delayMs, async () => {
      this.callsInFlight -= 1;
      const server = clinic.servers.next();
      if (server === null) return answer(null);
      await this.serve(from, rewrite(from, call, server), server, fault, answer);
    });
  }

  private async serve(
    from: Process,
    call: Call,
    server: number,
    fault: NetworkFault | 'arrives',
    answer: (given: NetResponse) => void,
  ): Promise<void> {
    const { clinic, scheduler, random } = this.parts;
    const reply = (given: NetResponse) => void scheduler.after(this.latency(), () => answer(given));
    if (fault === 'commit_held') return this.serveWithHeldCommit(from, call, server, reply);
    const commitFault: CommitFault | undefined =
      fault === 'statement_fails'
        ? { type: 'statement_fails', statement: random.between(1, 12), code: 'XX000' }
        : commitFaultOf[fault as NetworkFault];
    const given = await clinic.call(call, server, commitFault);
    this.recordReply(from, call, server, given);
    if (fault === 'server_killed_before_commit' || fault === 'server_killed_after_commit') {
      clinic.servers.kill(server, random.between(500, 20_000));
      reply(null);
      return;
    }
    reply(fault === 'reply_lost' ? null : given);
  }

  private async serveWithHeldCommit(
    from: Process,
    call: Call,
    server: number,
    reply: (given: NetResponse) => void,
  ): Promise<void> {
    const { clinic, scheduler, random } = this.parts;
    const { answer } = await clinic.callAndHold(call, server);
    let isAnswered = false;
    void answer.then((given) => {
      isAnswered = true;
      this.recordReply(from, call, server, given);
      reply(given);
    });
    scheduler.after(random.between(100, 15_000), () => (isAnswered ? undefined : clinic.releaseCommit()));
  }

  private recordReply(from: Process, call: Call, server: number, given: NetResponse): void {
    const results = (given?.json as { data?: { results?: { status: string; replayed: boolean }[] } } | undefined)?.data
      ?.results;
    const statuses = results
      ? ` ${results.map(({ status, replayed }) => status + (replayed ? ' (replayed)' : '')).join(', ')}`
      : '';
    const who = this.parts.clinic.servers.isSeveral ? `server ${server + 1}` : 'server';
    this.parts.scheduler.note(who, `${pathOf(call)} ${given?.status}${statuses}`);
    this.parts.onReply(from, call, given);
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
    if (this.isHealed || (fault !== 'arrives' && batchFaults.has(fault) && !path.startsWith('/sync/batch')))
      return 'arrives';
    return fault;
  }
}
