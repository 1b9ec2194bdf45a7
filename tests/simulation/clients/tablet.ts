import '../runtime/task-tracking.ts';
import { IDBFactory } from 'fake-indexeddb';
import type { ClinicDatabase } from '#src/db/database.ts';
import { deviceRequest, saveDevice } from '#src/db/singletons.ts';
import type { ActorKey } from '#src/db/proof.ts';
import type { SyncReason } from '#src/db/worker-messages.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import type { Lock, NetResponse } from '#sw/sync/ports.ts';
import { seededRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { actorKeyIn } from '#tests/support/proofs.ts';
import type { Person } from '../cluster/clinic.ts';
import { openStorage } from '../faults/storage.ts';
import type { StorageFault, StorageUser } from '../faults/storage.ts';
import { Process } from './process.ts';
import type { ProcessOwner, TabletParts } from './process.ts';

/**
 * A tablet: one storage, shared by its tabs and its service worker. Each of these processes can crash at any await and is
 * started again. Commands and sync engine are the real ones; time, randomness, network and locks are simulated.
 */
export class SimulatedTablet implements ProcessOwner {
  readonly factory = new IDBFactory();
  /** The device's clock minus the true time. */
  skewMs = 0;
  isOnline = true;
  person: Person;
  /** The keys of the people who may sign in on this tablet without a network. */
  private readonly keys = new Map<Person, ActorKey>();
  /** True once the app on this tablet is newer than the server. */
  hasNewerApp = false;
  /** The ids of operations that the newer app wrote. */
  readonly newerOperations = new Set<string>();
  tabs: Process[] = [];
  worker: Process | null = null;
  /** Operations in the order in which they became durable. */
  readonly durable: AnyOperation[] = [];
  /** Operations that a clone copied from the original's storage. */
  inherited: readonly AnyOperation[] = [];
  isClone = false;
  hasJumped = false;
  /** The faults of the next writes to storage, in order. */
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

  /** Returns the processes that run the sync engine: the worker, started if needed, or the pages. */
  hosts(): Process[] {
    if (this.parts.host === 'pages') return [this.tab(), ...this.tabs.slice(1)];
    return [this.worker?.isAlive ? this.worker : this.startWorker()];
  }

  sync(reason: SyncReason): void {
    for (const host of this.hosts()) host.sync(reason);
  }

  /** A Web Lock: it is released when its process crashes. */
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

  /** Returns a living tab; opens another where the last one crashed. */
  tab(index = 0): Process {
    this.tabs = this.tabs.filter((tab) => tab.isAlive);
    while (this.tabs.length <= index) this.openTab();
    return this.tabs[index]!;
  }

  /** Signs in as the sign-in page does, over a network without faults. */
  async signIn(person: Person): Promise<void> {
    const { clinic, scheduler } = this.parts;
    const token = await clinic.signIn(person);
    const db = this.faultFreeDb();
    const known = await db.device.get('this');
    const request = known ? deviceRequest(known) : {};
    let reply = await this.register(token, request);
    if (reply?.status === 403 && known) reply = await this.register(token, {});
    if (reply?.status !== 200) throw new Error(`${this.name} could not register its device: ${JSON.stringify(reply)}`);
    const device = (reply.json as { data: DeviceReply }).data;
    // A new device has other keys.
    if (device.device_id !== known?.device_id) this.keys.clear();
    this.keys.set(person, actorKeyIn(device));
    await saveDevice(db, device);
    await db.session.put({ id: 'this', token, exp: 0, user: { id: person.id, role: person.role } as UserClaims });
    this.person = person;
    scheduler.note(this.name, `${person.role} signs in`);
  }

  /** Lets everyone sign in on the tablet once. The catalogue is not pulled yet. */
  async enrol(): Promise<void> {
    for (const person of [...this.parts.clinic.people].reverse()) await this.signIn(person);
  }

  /** Returns the people who may sign in without a network. */
  offlineUsers(): Person[] {
    return [...this.keys.keys()];
  }

  actorKey(): ActorKey | null {
    return this.keys.get(this.person) ?? null;
  }

  /** Creates a device from a copy of this one's storage, as restoring a tablet's image does. */
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
    for (const [person, key] of this.keys) copy.keys.set(person, key);
    for (const opId of this.newerOperations) copy.newerOperations.add(opId);
    return copy;
  }

  private register(token: string, request: object): Promise<NetResponse> {
    return this.parts.clinic.call({ method: 'POST', path: '/devices', token, body: JSON.stringify(request) });
  }

  /** Opens the same storage without faults, for the checkers and for steps that are not under test. */
  faultFreeDb(): ClinicDatabase {
    const observer: StorageUser = {
      isAlive: true,
      reach: () => undefined,
      takeFault: () => null,
      wrote: () => undefined,
    };
    this.faultFreeConnection ??= openStorage('dental-counter', this.factory, observer).db;
    return this.faultFreeConnection;
  }
}
