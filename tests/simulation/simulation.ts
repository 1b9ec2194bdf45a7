import './runtime/task-tracking.ts';
import { operationVersion } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Result } from '#domain/result.ts';
import type { BatchReply } from '#domain/protocol/sync.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { erasePatients } from '#server/modules/patients/erasure-service.ts';
import { finishErasures } from '#server/modules/patients/sweep.ts';
import type { Call, NetResponse } from '#sw/sync/ports.ts';
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
import { Senders } from './agency/senders.ts';
import type { SenderProcess } from './agency/sender-process.ts';
import { addCertificate, forgetSendings, spanishSettings } from './agency/taxpayer.ts';
import { Clinic } from './cluster/clinic.ts';
import type { Cluster } from './cluster/cluster.ts';
import { ServerPool } from './cluster/server-pool.ts';
import { Network } from './faults/network.ts';
import type { Profile } from './faults/profile.ts';
import type { SettledRun } from './checkers/final-state.ts';
import { Scheduler } from './runtime/scheduler.ts';

export interface SimulationHooks extends ProcessHooks {
  /** Called at every await of a sender of fiscal records. */
  onSenderAwait?: (process: SenderProcess, point: string) => void;
}

/** The part of the histories in which people change patients. It has a stream of its own, so the other histories stay as they were. */
const patientHistories = 0.25;

/**
 * The state of one simulated history: a clinic, its tablets, and the network between them. A second clinic of the same
 * taxpayer is a simulation of its own, in the same time and on the same servers.
 *
 * Each part draws from its own stream of random numbers. The names of the streams belong to the seed: renaming one changes
 * every history.
 */
export class Simulation implements SettledRun {
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
  /** Null without VERI*FACTU. */
  senders: Senders | null = null;
  /** The other clinic of the taxpayer. */
  sister: Simulation | null = null;
  /** Draws what is done to patients; null in a history without them. */
  readonly patientRandom: Random | null;

  private constructor(
    seed: number,
    name: string,
    readonly clinic: Clinic,
    readonly scheduler: Scheduler,
    readonly profile: Profile,
    hooks: ProcessHooks,
  ) {
    this.random = seededRandom(seed, 'shift');
    const patients = seededRandom(seed, 'patients');
    this.patientRandom = patients.happens(patientHistories) ? patients : null;
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
        name: `${name}${index + 1}`,
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

  static async open(seed: number, cluster: Cluster, hooks: SimulationHooks, profile: Profile): Promise<Simulation> {
    const scheduler = new Scheduler();
    const servers = new ServerPool({ scheduler, random: seededRandom(seed, 'fleet') }, profile.servers);
    const { fiscal } = profile;
    if (!fiscal) {
      const clinic = await Clinic.open(cluster, scheduler, servers);
      const simulation = new Simulation(seed, 'tablet', clinic, scheduler, profile, hooks);
      await simulation.enrolTablets();
      return simulation;
    }
    await forgetSendings(cluster);
    const settings = await spanishSettings(cluster);
    const clinic = await Clinic.open(cluster, scheduler, servers, settings);
    const simulation = new Simulation(seed, 'tablet', clinic, scheduler, profile, hooks);
    await addCertificate(clinic);
    await simulation.enrolTablets();
    if (fiscal.hasSister) {
      const other = await Clinic.open(cluster, scheduler, servers, settings);
      const sister = new Simulation(seed + 0.5, 'sister', other, scheduler, { ...profile, tablets: 1 }, hooks);
      await addCertificate(other);
      await sister.enrolTablets();
      simulation.sister = sister;
    }
    simulation.senders = new Senders({
      scheduler,
      clinic,
      random: seededRandom(seed, 'agency'),
      profile: fiscal,
      isSample: seed % 25 === 0,
      onAwait: hooks.onSenderAwait,
    });
    return simulation;
  }

  /** The clinics of this history. */
  get clinics(): readonly Simulation[] {
    return this.sister ? [this, this.sister] : [this];
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
  start(tab: Process, action: Action, random = this.random): void {
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
    perform(action, tab.context, random).then(
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

  /** Backs up the database. */
  async saveBackup(): Promise<void> {
    await this.clinic.releaseCommit();
    for (const one of this.clinics)
      one.backup = { rows: await takeBackup(one.clinic), forget: one.clientLog.checkpoint() };
  }

  /** Restores the database, while no server runs. */
  async restore(): Promise<void> {
    this.clinic.servers.restart();
    for (const one of this.clinics) {
      await restoreBackup(one.clinic, one.backup!.rows);
      one.backup!.forget();
      one.wasRestored = true;
    }
    const random = this.patientRandom ?? this.sister?.patientRandom;
    if (random) this.scheduler.after(random.between(0, 60_000), () => this.finishErasures());
  }

  /** Erases a patient, as a manager does at the desk. */
  async erasePatient(id: string): Promise<void> {
    const { clinic, scheduler } = this;
    await clinic.releaseCommit();
    const actor = { clinicId: clinic.id, userId: clinic.people[0]!.id, deviceId: null };
    await inTransaction(clinic.cluster.databases[0]!.$client, (sql) =>
      erasePatients(sql, actor, { patientIds: [id], atMs: scheduler.nowMs, userId: actor.userId, reason: 'By letter' }),
    );
  }

  /** Erases again whom a restored backup still has. */
  private async finishErasures(): Promise<void> {
    const { clinic, scheduler } = this;
    await clinic.releaseCommit();
    await finishErasures(clinic.cluster.databases[0]!.$client, scheduler.nowMs);
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
      tablet.newerOperations.has(operation.op_id) ? { ...operation, v: operationVersion + 1 } : operation,
    );
    return { ...call, body: JSON.stringify({ operations }) };
  }
}
