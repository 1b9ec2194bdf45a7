/** One tab, or the worker: the real commands and the real engine, in a process that can die at any await. */
import './quiescence.ts';
import type { ClinicDatabase } from '../../src/db/database.ts';
import type { SyncReason } from '../../src/db/worker-messages.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { createSyncEngine } from '../../sw/sync/engine.ts';
import type { SyncEngine } from '../../sw/sync/engine.ts';
import { createSyncStore } from '../../sw/sync/store.ts';
import type { Net } from '../../sw/sync/ports.ts';
import { labels } from '../src/db/tablet.ts';
import type { Desk } from './clerk.ts';
import { openStorage } from './storage.ts';
import type { Storage, StorageTrouble, StorageUser } from './storage.ts';
import type { Tablet } from './tablet.ts';

export class Process implements StorageUser {
  isAlive = true;
  /** The operations that became durable since somebody last looked. */
  written: AnyOperation[] = [];
  /** How many awaits until it dies; null as long as it may live. */
  fuse: number | null = null;
  private readonly storage: Storage;
  readonly context: Desk;
  private engine: SyncEngine | null = null;

  constructor(
    readonly tablet: Tablet,
    readonly name: string,
  ) {
    this.storage = openStorage('dental-counter', tablet.factory, this);
    this.context = {
      db: this.storage.db,
      ports: { now: () => tablet.now(), random: (bytes) => tablet.chance.bytes(bytes) },
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
    this.tablet.parts.engineering.onAwait?.(this, point);
    if (this.fuse === null || this.fuse-- > 0) return;
    this.tablet.parts.world.note(this.name, `dies at: ${point}`);
    this.die();
  }

  die(): void {
    this.isAlive = false;
    this.fuse = null;
    this.storage.abortAll();
  }

  loseConnection(): void {
    this.storage.loseConnection();
  }

  takeTrouble(): StorageTrouble | null {
    return this.tablet.troubles.shift() ?? null;
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
    const { world } = this.tablet.parts;
    if (!this.isAlive) return;
    if (!isStorageFault(error)) world.fail(error);
    world.note(this.name, 'a run ends for want of storage');
  }

  private createEngine(): SyncEngine {
    const { tablet } = this;
    const { world, engineering } = tablet.parts;
    const random = () => tablet.chance.next();
    const net: Net = (call) => tablet.parts.wire(this, call);
    const parts = {
      store: createSyncStore(this.db, random),
      net,
      clock: {
        now: () => tablet.now(),
        after: (delayMs: number, wake: () => void) => world.after(delayMs, () => (this.isAlive ? wake() : undefined)),
      },
      random,
      lock: tablet.lockFor(this),
      onFault: (error: unknown) => this.runFailed(error),
    };
    return createSyncEngine(engineering.rebuild?.(parts, this) ?? parts);
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
