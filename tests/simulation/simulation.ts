import './runtime/task-tracking.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { Result } from '../../domain/result.ts';
import type { BatchReply } from '../../domain/protocol/sync.ts';
import type { Call, NetResponse } from '../../sw/sync/ports.ts';
import { seededRandom } from '../support/random.ts';
import type { Random } from '../support/random.ts';
import { marksOfCall } from './checkers/coverage-marks.ts';
import { ClientLog } from './clients/client-log.ts';
import type { LogEntry } from './clients/client-log.ts';
import type { Process, ProcessHooks } from './clients/process.ts';
import { SimulatedTablet } from './clients/tablet.ts';
import { perform } from './clients/workload.ts';
import type { Action, Confirmation } from './clients/workload.ts';
import { restoreBackup, takeBackup } from './cluster/backup.ts';
import type { Backup } from './cluster/backup.ts';
import { Clinic } from './cluster/clinic.ts';
import type { Cluster } from './cluster/cluster.ts';
import { ServerPool } from './cluster/server-pool.ts';
import { Network } from './faults/network.ts';
import type { Profile } from './faults/profile.ts';
import { Scheduler } from './runtime/scheduler.ts';

/**
 * The state of one simulated history: a clinic, its tablets, and the network between them.
 *
 * Each part draws from its own stream of random numbers. The names of the streams belong to the seed: renaming one changes
 * every history.
 */
export class Simulation {
  readonly clientLog = new ClientLog();
  readonly tablets: SimulatedTablet[] = [];
  readonly random: Random;
  readonly network: Network;
  wasRestored = false;
  /** The id of the person who uploaded an operation from a rescue file before its own tablet did, by operation. */
  readonly rescued = new Map<string, number>();
  /** Counts the events that show that the system has not settled: batches, sign-ins, and calls that failed. */
  activity = 0;
  backup: { rows: Backup; forget: () => void } | null = null;

  private constructor(
    seed: number,
    readonly clinic: Clinic,
    readonly scheduler: Scheduler,
    readonly profile: Profile,
    hooks: ProcessHooks,
  ) {
    this.random = seededRandom(seed, 'shift');
    this.network = new Network({
      scheduler,
      clinic,
      random: seededRandom(seed, 'network'),
      profile,
      onReply: (from, call, reply) => {
        this.clientLog.recordReply(call, reply);
        for (const mark of marksOfCall(call, reply)) scheduler.history.count(`reached ${mark}`);
        if (call.path.startsWith('/sync/batch') || reply?.status !== 200) this.activity += 1;
        this.pokeTablets(from, call, reply);
      },
      rewrite: (from, call, server) => this.withNewerVersion(from, call, server),
    });
    for (let index = 0; index < profile.tablets; index++) {
      const tablet = new SimulatedTablet({
        name: `tablet${index + 1}`,
        seed,
        scheduler,
        clinic,
        host: profile.host,
        hooks,
        wire: (from, call) => this.network.send(from, call),
      });
      tablet.skewMs = profile.skewsMs[index] ?? 0;
      this.tablets.push(tablet);
    }
  }

  static async open(seed: number, cluster: Cluster, hooks: ProcessHooks, profile: Profile): Promise<Simulation> {
    const scheduler = new Scheduler();
    const servers = new ServerPool({ scheduler, random: seededRandom(seed, 'fleet') }, profile.servers);
    const clinic = await Clinic.open(cluster, scheduler, servers);
    const simulation = new Simulation(seed, clinic, scheduler, profile, hooks);
    await simulation.enrolTablets();
    return simulation;
  }

  /** Enrols every tablet and pulls the catalogue, without faults. Everyone has then signed in on every tablet once. */
  private async enrolTablets(): Promise<void> {
    this.network.isHealed = true;
    for (const tablet of this.tablets) {
      await this.scheduler.now(() => tablet.enrol());
      await this.scheduler.now(() => tablet.sync('signed-in'));
    }
    await this.scheduler.runFor(2000);
    this.network.isHealed = false;
  }

  /** Starts an action in a tab and logs its outcome, which stays `unknown` if the tab dies first. */
  start(tab: Process, action: Action): void {
    const { tablet } = tab;
    const entry: LogEntry = {
      tablet: tablet.name,
      action,
      actorId: tablet.person.id,
      outcome: { type: 'unknown' },
      operations: [],
    };
    this.clientLog.entries.push(entry);
    entry.operations = tab.written = [] as AnyOperation[];
    perform(action, tab.context, this.random).then(
      (result) => this.finish(tab, entry, result),
      (error: unknown) => (tab.isAlive ? this.scheduler.fail(error) : undefined),
    );
  }

  private finish(tab: Process, entry: LogEntry, result: Result<Confirmation> | null): void {
    if (!tab.isAlive) return;
    if (result?.ok) entry.outcome = { type: 'confirmed', confirmation: result.value };
    else entry.outcome = { type: 'refused', code: result ? result.refusal.code : 'NOTHING_TO_DO' };
    const outcome = result?.ok ? 'confirmed' : entry.outcome.type === 'refused' ? entry.outcome.code : '';
    this.scheduler.note(
      tab.name,
      `${entry.action} ${outcome} ${entry.operations.map(({ op_id }) => op_id.slice(-6)).join(' ')}`,
    );
    if (result?.ok) this.scheduler.history.count(`work ${entry.action}`);
  }

  async changeUser(tablet: SimulatedTablet): Promise<void> {
    if (tablet.isOnline) await tablet.signIn(this.random.pick(this.clinic.people));
    else tablet.person = this.random.pick(tablet.offlineUsers());
  }

  /** Signs in on tablets that ask for a sign-in, each with the given probability. */
  async renewSessions(probability = 0.3): Promise<void> {
    const renewed: SimulatedTablet[] = [];
    for (const tablet of this.tablets) {
      if (!tablet.isOnline || !this.random.happens(probability)) continue;
      const db = tablet.faultFreeDb();
      const [sync, session] = await Promise.all([db.sync.get('this'), db.session.get('this')]);
      if (session && sync?.link !== 'paused') continue;
      await tablet.signIn(this.random.pick(this.clinic.people));
      renewed.push(tablet);
    }
    // A sign-in takes as long as PostgreSQL needs, and nothing else may run meanwhile. So the tablets sync only afterwards.
    for (const tablet of renewed) tablet.sync('signed-in');
    this.activity += renewed.length;
  }

  async saveBackup(): Promise<void> {
    await this.clinic.releaseCommit();
    this.backup = { rows: await takeBackup(this.clinic), forget: this.clientLog.checkpoint() };
  }

  async restore(): Promise<void> {
    await restoreBackup(this.clinic, this.backup!.rows);
    this.backup!.forget();
    this.wasRestored = true;
  }

  /** Pokes some of the online tablets after a batch, as the server's event stream does: not the one that the reply informs. */
  private pokeTablets(from: Process, { path }: Call, reply: NetResponse): void {
    if (!path.startsWith('/sync/batch')) return;
    const isInformed = (reply?.json as { data?: BatchReply['data'] } | undefined)?.data?.feed !== undefined;
    for (const tablet of this.tablets) {
      if (isInformed && tablet === from.tablet) continue;
      if (tablet.isOnline && this.random.happens(0.25))
        this.scheduler.after(this.random.between(50, 900), () => tablet.sync('changes'));
    }
  }

  /** Marks the operations of a newer app with a version that a server knows only after its upgrade. */
  private withNewerVersion({ tablet }: Process, call: Call, server: number): Call {
    if (this.clinic.servers.isUpgraded(server) || call.body === undefined || tablet.newerOperations.size === 0)
      return call;
    const body = JSON.parse(call.body) as { operations?: AnyOperation[] };
    if (!body.operations) return call;
    const operations = body.operations.map((operation) =>
      tablet.newerOperations.has(operation.op_id) ? { ...operation, v: 2 } : operation,
    );
    return { ...call, body: JSON.stringify({ operations }) };
  }
}
