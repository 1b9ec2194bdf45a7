/**
 * A tablet: one storage, shared by its tabs and its worker, each of which can die at any await and be started again. The
 * commands and the engine inside are the real ones; only time, random, network and locks are the scheduler's.
 */
import '../runtime/task-tracking.ts';
import { IDBFactory } from 'fake-indexeddb';
import type { ClinicDatabase } from '../../../src/db/database.ts';
import { deviceRequest, saveDevice } from '../../../src/db/singletons.ts';
import type { SyncReason } from '../../../src/db/worker-messages.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { DeviceReply } from '../../../domain/protocol/sync.ts';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import type { Lock } from '../../../sw/sync/ports.ts';
import type { NetResponse, Call } from '../../../sw/sync/ports.ts';
import type { Clinic, Person } from '../cluster/clinic.ts';
import { Process } from './process.ts';
import type { ProcessHooks } from './process.ts';
import { seededRandom } from '../../support/random.ts';
import type { Random } from '../../support/random.ts';
import { openStorage } from '../faults/storage.ts';
import type { StorageFault, StorageUser } from '../faults/storage.ts';
import type { Scheduler } from '../runtime/scheduler.ts';

/** How a tablet reaches the clinic. */
export type Wire = (from: Process, call: Call) => Promise<NetResponse>;

export interface TabletParts {
  name: string;
  seed: number;
  scheduler: Scheduler;
  clinic: Clinic;
  wire: Wire;
  /** Whether a worker synchronises, or each page by itself. */
  host: 'worker' | 'pages';
  hooks: ProcessHooks;
}

export class SimulatedTablet {
  readonly factory = new IDBFactory();
  /** The device's clock minus the true time. */
  skewMs = 0;
  isOnline = true;
  person: Person;
  /** Who may sign in here without a network. */
  readonly known = new Set<Person>();
  /** Whether the app on this tablet is newer than the server, and what it wrote since. */
  hasNewerApp = false;
  readonly newerOperations = new Set<string>();
  tabs: Process[] = [];
  worker: Process | null = null;
  /** Operations in the order in which they became durable. */
  readonly durable: AnyOperation[] = [];
  /** What a cloned storage brought with it. */
  inherited: readonly AnyOperation[] = [];
  isClone = false;
  /** Whether its clock ever jumped. */
  hasJumped = false;
  /** What the next writes meet. */
  readonly faults: StorageFault[] = [];
  readonly random: Random;
  private lockedBy: Process | null = null;
  private started = 0;
  private faultFreeConnection: ClinicDatabase | null = null;

  constructor(readonly parts: TabletParts) {
    this.random = seededRandom(parts.seed, parts.name);
    this.person = parts.clinic.people[0]!;
  }

  get name(): string {
    return this.parts.name;
  }

  now(): number {
    return this.parts.scheduler.nowMs + this.skewMs;
  }

  private openTab(): void {
    this.tabs.push(this.start('tab'));
  }

  startWorker(): Process {
    this.worker = this.start('worker');
    return this.worker;
  }

  private start(type: 'tab' | 'worker'): Process {
    this.started += 1;
    return new Process(this, `${this.name}.${type}${this.started}`);
  }

  /** The processes that are asked to synchronise: the worker, which the browser starts for it, or the pages. */
  hosts(): Process[] {
    if (this.parts.host === 'pages') return [this.tab(), ...this.tabs.slice(1)];
    return [this.worker?.isAlive ? this.worker : this.startWorker()];
  }

  sync(reason: SyncReason): void {
    for (const host of this.hosts()) host.sync(reason);
  }

  /** A lock of the browser's: it ends with the process that holds it. */
  lockFor(process: Process): Lock {
    return async (work) => {
      if (this.lockedBy?.isAlive) return false;
      this.lockedBy = process;
      try {
        await work();
      } finally {
        if (this.lockedBy === process) this.lockedBy = null;
      }
      return true;
    };
  }

  wrote(operations: readonly AnyOperation[]): void {
    this.durable.push(...operations);
    if (this.hasNewerApp) for (const { op_id } of operations) this.newerOperations.add(op_id);
  }

  /** A tab that lives: where the last one died, a person opens another. */
  tab(index = 0): Process {
    this.tabs = this.tabs.filter((tab) => tab.isAlive);
    while (this.tabs.length <= index) this.openTab();
    return this.tabs[index]!;
  }

  /** As the sign-in page does it, over a network that works at that moment. */
  async signIn(person: Person): Promise<void> {
    const { clinic, scheduler } = this.parts;
    const token = await clinic.signIn(person);
    const db = this.faultFreeDb();
    const known = await db.device.get('this');
    const hello = known ? deviceRequest(known) : {};
    let answer = await this.introduce(token, hello);
    if (answer?.status === 403 && known) answer = await this.introduce(token, {});
    if (answer?.status !== 200) throw new Error(`${this.name} could not introduce itself: ${JSON.stringify(answer)}`);
    await saveDevice(db, (answer.json as { data: DeviceReply }).data);
    await db.session.put({ id: 'this', token, exp: 0, user: { id: person.id, role: person.role } as UserClaims });
    this.person = person;
    this.known.add(person);
    scheduler.note(this.name, `${person.role} signs in`);
  }

  /** A tablet of this clinic that everyone has used, with the catalogue still to come. */
  async enrol(): Promise<void> {
    const { clinic } = this.parts;
    await this.signIn(clinic.people[0]!);
    const device = await this.faultFreeDb().device.get('this');
    await clinic.everyoneWasHere(device!.device_id);
    for (const person of clinic.people) this.known.add(person);
  }

  /** Another device that starts from a copy of this one's storage, as a restored image of a tablet does. */
  async clone(name: string): Promise<SimulatedTablet> {
    const copy = new SimulatedTablet({ ...this.parts, name });
    const tables = this.faultFreeDb().tables.map(({ name: table }) => table);
    for (const table of tables)
      await copy
        .faultFreeDb()
        .table(table)
        .bulkPut(await this.faultFreeDb().table(table).toArray());
    copy.isClone = true;
    copy.inherited = [...this.inherited, ...this.durable];
    copy.person = this.person;
    copy.skewMs = this.skewMs;
    copy.hasJumped = this.hasJumped;
    copy.hasNewerApp = this.hasNewerApp;
    for (const person of this.known) copy.known.add(person);
    for (const opId of this.newerOperations) copy.newerOperations.add(opId);
    return copy;
  }

  private introduce(token: string, request: object): Promise<NetResponse> {
    return this.parts.clinic.call({ method: 'POST', path: '/devices', token, body: JSON.stringify(request) });
  }

  /** The same storage with no fault in between: for the auditor, and for what is not tested here. */
  faultFreeDb(): ClinicDatabase {
    const nobody: StorageUser = {
      isAlive: true,
      reach: () => undefined,
      takeFault: () => null,
      wrote: () => undefined,
    };
    this.faultFreeConnection ??= openStorage('dental-counter', this.factory, nobody).db;
    return this.faultFreeConnection;
  }
}
