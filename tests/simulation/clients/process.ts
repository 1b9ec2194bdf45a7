import '../runtime/task-tracking.ts';
import type { ClinicDatabase } from '#src/db/database.ts';
import type { ActorKey } from '#src/db/proof.ts';
import type { SyncReason } from '#src/db/worker-messages.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { createSyncEngine } from '#sw/sync/engine.ts';
import type { SyncEngine, SyncEngineParts } from '#sw/sync/engine.ts';
import type { Call, Lock, Net, NetResponse } from '#sw/sync/ports.ts';
import { createSyncStore } from '#sw/sync/store.ts';
import { documentLabels } from '#tests/src/db/tablet.ts';
import type { Random } from '#tests/support/random.ts';
import type { Clinic, Person } from '../cluster/clinic.ts';
import { openStorage } from '../faults/storage.ts';
import type { Storage, StorageFault, StorageUser } from '../faults/storage.ts';
import type { Scheduler } from '../runtime/scheduler.ts';
import type { ClientContext } from './workload.ts';

/** Lets a test count awaits, or replace parts of the engine by faulty ones. */
export interface ProcessHooks {
  /** Called at every await of every process. */
  onAwait?: (process: Process, point: string) => void;
  /** Replaces parts of an engine before the engine is created. */
  rebuild?: (parts: SyncEngineParts, process: Process) => SyncEngineParts;
}

/** Sends a call from a process of a tablet to the clinic. */
export type Wire = (from: Process, call: Call) => Promise<NetResponse>;

export interface TabletParts {
  name: string;
  seed: number;
  scheduler: Scheduler;
  clinic: Clinic;
  wire: Wire;
  /** Runs the sync engine in the service worker, or in each page where no worker can run. */
  host: 'worker' | 'pages';
  hooks: ProcessHooks;
}

/** The tablet on which a process runs. */
export interface ProcessOwner {
  readonly name: string;
  readonly parts: TabletParts;
  readonly factory: IDBFactory;
  readonly random: Random;
  readonly person: Person;
  /** Returns the key of the person who uses the tablet. */
  actorKey(): ActorKey | null;
  readonly isOnline: boolean;
  /** The faults of the next writes to storage, in order. */
  readonly faults: StorageFault[];
  /** The ids of operations that were written by an app newer than the server. */
  readonly newerOperations: ReadonlySet<string>;
  now(): number;
  lockFor(process: Process): Lock;
  wrote(operations: readonly AnyOperation[]): void;
}

/** A tab or a service worker: the real commands and the real sync engine in a process that can crash at any await. */
export class Process implements StorageUser {
  isAlive = true;
  /** The operations that became durable since the current action began. */
  written: AnyOperation[] = [];
  /** The number of awaits until the process crashes; null when no crash is planned. */
  crashAfterAwaits: number | null = null;
  private readonly storage: Storage;
  readonly context: ClientContext;
  private engine: SyncEngine | null = null;

  constructor(
    readonly tablet: ProcessOwner,
    readonly name: string,
  ) {
    this.storage = openStorage('dental-counter', tablet.factory, this);
    this.context = {
      db: this.storage.db,
      ports: { now: () => tablet.now(), random: (bytes) => tablet.random.bytes(bytes) },
      get actorId() {
        return tablet.person.id;
      },
      actorKey: () => Promise.resolve(tablet.actorKey()),
      get role() {
        return tablet.person.role;
      },
      // The simulation decides when to sync, so that a sync can also start in the middle of a command or be missing.
      onWritten: () => undefined,
      print: { language: 'en', labels: documentLabels, cashierName: 'Ana' },
    };
  }

  get db(): ClinicDatabase {
    return this.storage.db;
  }

  reach(point: string): void {
    this.tablet.parts.hooks.onAwait?.(this, point);
    if (this.crashAfterAwaits === null || this.crashAfterAwaits-- > 0) return;
    this.tablet.parts.scheduler.note(this.name, `crashes at: ${point}`);
    this.crash();
  }

  crash(): void {
    this.isAlive = false;
    this.crashAfterAwaits = null;
    this.storage.abortAll();
  }

  loseConnection(): void {
    this.storage.loseConnection();
  }

  takeFault(): StorageFault | null {
    return this.tablet.faults.shift() ?? null;
  }

  wrote(operations: readonly AnyOperation[]): void {
    this.tablet.wrote(operations);
    this.written.push(...operations);
  }

  sync(reason: SyncReason): void {
    this.engine ??= this.createEngine();
    this.engine.run(reason).catch((error: unknown) => this.runFailed(error));
  }

  appUpdated(): void {
    this.engine ??= this.createEngine();
    this.engine.appUpdated().catch((error: unknown) => this.runFailed(error));
  }

  /** Accepts that a storage fault ends a run, because the next run starts from what is stored. Any other error fails the simulation. */
  private runFailed(error: unknown): void {
    const { scheduler } = this.tablet.parts;
    if (!this.isAlive) return;
    if (!isStorageFault(error)) scheduler.fail(error);
    scheduler.note(this.name, 'a storage fault ends the run');
  }

  private createEngine(): SyncEngine {
    const { tablet } = this;
    const { scheduler, hooks } = tablet.parts;
    const random = () => tablet.random.next();
    const net: Net = (call) => tablet.parts.wire(this, call);
    const parts = {
      store: createSyncStore(this.db, random),
      net,
      clock: {
        now: () => tablet.now(),
        after: (delayMs: number, wake: () => void) =>
          scheduler.after(delayMs, () => (this.isAlive ? wake() : undefined)),
      },
      random,
      lock: tablet.lockFor(this),
      onFault: (error: unknown) => this.runFailed(error),
    };
    return createSyncEngine(hooks.rebuild?.(parts, this) ?? parts);
  }
}

const storageFaults = new Set([
  'QuotaExceededError',
  'DatabaseClosedError',
  'InvalidStateError',
  'UnknownError',
  'AbortError',
]);

function isStorageFault(error: unknown): boolean {
  return error instanceof Error && storageFaults.has(error.name);
}
