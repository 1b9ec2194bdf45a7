/**
 * One history: some tablets, some work, some fault, and then a network that works again, in which everything must come to
 * rest within a bounded time. Everything in it follows from the seed.
 */
import './runtime/task-tracking.ts';
import type { Result } from '../../domain/result.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { Call } from '../../sw/sync/ports.ts';
import { audit } from './checkers/check.ts';
import { checkScreen } from './checkers/screen.ts';
import { restoreBackup, takeBackup } from './cluster/backup.ts';
import type { Backup } from './cluster/backup.ts';
import { actions, work } from './clients/workload.ts';
import type { Action, Confirmation } from './clients/workload.ts';
import { Clinic } from './cluster/clinic.ts';
import { drawProfile } from './faults/profile.ts';
import type { Profile } from './faults/profile.ts';
import { heal } from './recovery.ts';
import { ServerPool } from './cluster/server-pool.ts';
import type { History } from './runtime/history.ts';
import type { Cluster } from './cluster/cluster.ts';
import { injectIncident } from './faults/incidents.ts';
import { Network } from './faults/network.ts';
import { ClientLog } from './clients/client-log.ts';
import type { LogEntry } from './clients/client-log.ts';
import { seededRandom } from '../support/random.ts';
import type { Random } from '../support/random.ts';
import { marksOfCall } from './checkers/coverage-marks.ts';
import { SimulatedTablet } from './clients/tablet.ts';
import type { Process, ProcessHooks } from './clients/process.ts';
import { Scheduler } from './runtime/scheduler.ts';

export interface Simulated {
  history: History;
  /** What the auditor found; nothing when all is well. */
  violations: string[];
}

export async function simulate(
  seed: number,
  cluster: Cluster,
  hooks: ProcessHooks = {},
  profile = drawProfile(seededRandom(seed, 'profile')),
): Promise<Simulated> {
  const simulation = await Simulation.open(seed, cluster, hooks, profile);
  const violations = await simulation.run();
  return { history: simulation.scheduler.history, violations };
}

export class Simulation {
  readonly scheduler = new Scheduler();
  readonly clientLog = new ClientLog();
  readonly tablets: SimulatedTablet[] = [];
  readonly random: Random;
  readonly network: Network;
  wasRestored = false;
  /** Who brought an operation to the server that its own tablet had not brought yet. */
  readonly rescued = new Map<string, number>();
  /** Counts what shows that not all is at rest yet: work sent, sign-ins, calls that were turned away. */
  activity = 0;
  backup: { rows: Backup; forget: () => void } | null = null;

  private constructor(
    seed: number,
    readonly clinic: Clinic,
    scheduler: Scheduler,
    readonly profile: Profile,
    hooks: ProcessHooks,
  ) {
    this.scheduler = scheduler;
    this.random = seededRandom(seed, 'shift');
    this.network = new Network({
      scheduler,
      clinic,
      random: seededRandom(seed, 'network'),
      profile,
      witness: (call, answer) => {
        this.clientLog.witness(call, answer);
        for (const mark of marksOfCall(call, answer)) scheduler.history.count(`reached ${mark}`);
        if (call.path === '/sync/batch' || answer?.status !== 200) this.activity += 1;
        this.pokeOthers(call);
      },
      rewrite: (from, call, server) => this.asWritten(from, call, server),
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
    const clinic = await Clinic.open(
      cluster,
      scheduler,
      new ServerPool({ scheduler, random: seededRandom(seed, 'fleet') }, profile.servers),
    );
    const simulation = new Simulation(seed, clinic, scheduler, profile, hooks);
    await simulation.enrolTablets();
    return simulation;
  }

  /** Every tablet is enrolled and has the catalogue; everyone has signed in everywhere once. */
  private async enrolTablets(): Promise<void> {
    this.network.isHealed = true;
    for (const tablet of this.tablets) {
      await this.scheduler.now(() => tablet.enrol());
      await this.scheduler.now(() => tablet.sync('signed-in'));
    }
    await this.scheduler.runFor(2000);
    this.network.isHealed = false;
  }

  async run(): Promise<string[]> {
    const { profile, random, scheduler } = this;
    if (profile.servers > 1) this.clinic.servers.planUpgrade(profile.steps * profile.pauseMs[1]);
    if (profile.incidents.server_restored) await this.scheduler.now(() => this.saveBackup());
    // Many a day begins with the drawer.
    if (random.happens(0.4)) await scheduler.now(() => this.start(this.tablets[0]!.tab(), 'open_drawer'));
    for (let piece = 0; piece < profile.steps; piece++) {
      const incident = random.weighted(profile.incidents);
      if (incident !== 'nothing') await scheduler.now(() => injectIncident(this, incident));
      const tablet = random.pick(this.tablets);
      await scheduler.now(() => this.doWork(tablet, incident === 'work_in_two_tabs_at_once'));
      if (random.happens(0.2))
        await scheduler.now(() => tablet.sync(random.pick(['timer', 'visible', 'online'] as const)));
      await scheduler.now(() => this.renewSessions());
      await scheduler.runFor(random.between(...profile.pauseMs));
      if (random.happens(0.35)) await scheduler.now(() => this.look(tablet));
    }
    return this.finish();
  }

  /** The network heals; then all must come to rest. */
  async finish(): Promise<string[]> {
    await heal(this);
    for (const { durable } of this.tablets) this.scheduler.history.count('operations', durable.length);
    return [...this.clientLog.violations, ...(await audit(this))];
  }

  /** Somebody looks at the screen in the middle of it all. */
  private async look(tablet: SimulatedTablet): Promise<void> {
    const at = new Date(this.scheduler.nowMs).toISOString();
    this.clientLog.violations.push(...(await checkScreen(tablet)).map((violation) => `at ${at} ${violation}`));
  }

  private doWork(tablet: SimulatedTablet, inTwoTabs: boolean): void {
    const { random } = this;
    const tabs = inTwoTabs ? [tablet.tab(0), tablet.tab(1)] : [tablet.tab(random.between(0, 1))];
    if (inTwoTabs) this.scheduler.history.count('incident work_in_two_tabs_at_once');
    for (const tab of tabs) this.start(tab, random.weighted(actions));
    tablet.sync('write');
  }

  start(tab: Process, action: Action): void {
    const { tablet } = tab;
    const entry: LogEntry = {
      tablet: tablet.name,
      action,
      actorId: tablet.person.id,
      outcome: { type: 'never_heard' },
      operations: [],
    };
    this.clientLog.entries.push(entry);
    entry.operations = tab.written = [] as AnyOperation[];
    work(action, tab.context, this.random).then(
      (result) => this.told(tab, entry, result),
      (error: unknown) => (tab.isAlive ? this.scheduler.fail(error) : undefined),
    );
  }

  private told(tab: Process, entry: LogEntry, result: Result<Confirmation> | null): void {
    if (!tab.isAlive) return;
    if (result?.ok) entry.outcome = { type: 'confirmed', told: result.value };
    else entry.outcome = { type: 'refused', code: result ? result.refusal.code : 'NOTHING_TO_DO' };
    const says = result?.ok ? 'confirmed' : entry.outcome.type === 'refused' ? entry.outcome.code : '';
    this.scheduler.note(
      tab.name,
      `${entry.action} ${says} ${entry.operations.map(({ op_id }) => op_id.slice(-6)).join(' ')}`,
    );
    if (result?.ok) this.scheduler.history.count(`work ${entry.action}`);
  }

  async takeOver(tablet: SimulatedTablet): Promise<void> {
    if (tablet.isOnline) await tablet.signIn(this.random.pick(this.clinic.people));
    else tablet.person = this.random.pick([...tablet.known]);
  }

  /** Whoever sees that a sign-in is asked for, signs in. */
  async renewSessions(attention = 0.3): Promise<void> {
    const served: SimulatedTablet[] = [];
    for (const tablet of this.tablets) {
      if (!tablet.isOnline || !this.random.happens(attention)) continue;
      const db = tablet.faultFreeDb();
      const [sync, session] = await Promise.all([db.sync.get('this'), db.session.get('this')]);
      if (session && sync?.link !== 'paused') continue;
      await tablet.signIn(this.random.pick(this.clinic.people));
      served.push(tablet);
    }
    // Only now, for a sign-in takes as long as PostgreSQL likes, and nothing else may happen meanwhile.
    for (const tablet of served) tablet.sync('signed-in');
    this.activity += served.length;
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

  /** Other tablets hear that something changed, if they can. */
  private pokeOthers({ path }: Call): void {
    if (path !== '/sync/batch') return;
    for (const tablet of this.tablets) {
      if (tablet.isOnline && this.random.happens(0.25))
        this.scheduler.after(this.random.between(50, 900), () => tablet.sync('changes'));
    }
  }

  /** A newer app marks its operations with a version that a server only knows once it is upgraded. */
  private asWritten({ tablet }: Process, call: Call, server: number): Call {
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
