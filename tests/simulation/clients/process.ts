/** One tab, or the worker: the real commands and the real engine, in a process that can die at any await. */
import '../runtime/task-tracking.ts';
import type { ClinicDatabase } from '../../../src/db/database.ts';
import type { SyncReason } from '../../../src/db/worker-messages.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { createSyncEngine } from '../../../sw/sync/engine.ts';
import type { SyncEngine, SyncEngineParts } from '../../../sw/sync/engine.ts';
import { createSyncStore } from '../../../sw/sync/store.ts';
import type { Net } from '../../../sw/sync/ports.ts';
import { labels } from '../../src/db/tablet.ts';
import type { ClientContext } from './workload.ts';
import { openStorage } from '../faults/storage.ts';
import type { Storage, StorageFault, StorageUser } from '../faults/storage.ts';
import type { SimulatedTablet } from './tablet.ts';

/** Points where a test can count awaits, or replace parts of the engine by faulty ones. */
export interface ProcessHooks {
  /** Called at every await of every process. */
  onAwait?: (process: Process, point: string) => void;
  /** Replaces parts of an engine before the engine is created. */
  rebuild?: (parts: SyncEngineParts, process: Process) => SyncEngineParts;
}

export class Process implements StorageUser {
  isAlive = true;
  /** The operations that became durable since somebody last looked. */
  written: AnyOperation[] = [];
  /** How many awaits until it dies; null as long as it may live. */
  crashAfterAwaits: number | null = null;
  private readonly storage: Storage;
  readonly context: ClientContext;
  private engine: SyncEngine | null = null;

  constructor(
    readonly tablet: SimulatedTablet,
    readonly name: string,
  ) {
    this.storage = openStorage('dental-counter', tablet.factory, this);
    this.context = {
      db: this.storage.db,
      ports: { now: () => tablet.now(), random: (bytes) => tablet.random.bytes(bytes) },
      get actorId() {
        return tablet.person.id;
      },
      get role() {
        return tablet.person.role;
      },
      // The history says when to synchronise: also in the middle of a command, and when a tablet has forgotten.
      onWritten: () => undefined,
      print: { language: 'en', labels, cashierName: 'Ana' },
    };
  }

  get db(): ClinicDatabase {
    return this.storage.db;
  }

  reach(point: string): void {
    this.tablet.parts.hooks.onAwait?.(this, point);
    if (this.crashAfterAwaits === null || this.crashAfterAwaits-- > 0) return;
    this.tablet.parts.scheduler.note(this.name, `dies at: ${point}`);
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

  /** Asks the engine in this process to work. */
  sync(reason: SyncReason): void {
    this.engine ??= this.createEngine();
    this.engine.run(reason).catch((error: unknown) => this.runFailed(error));
  }

  /** A newer app took over. */
  appUpdated(): void {
    this.engine ??= this.createEngine();
    this.engine.appUpdated().catch((error: unknown) => this.runFailed(error));
  }

  /** Full storage may end a run; the next one starts from what is stored. Anything else is a mistake. */
  private runFailed(error: unknown): void {
    const { scheduler } = this.tablet.parts;
    if (!this.isAlive) return;
    if (!isStorageFault(error)) scheduler.fail(error);
    scheduler.note(this.name, 'a run ends for want of storage');
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
