/** The engine's storage port: the functions of this folder, bound to one database. */
import type { BatchReply, DeviceReply, OperationResult, PatientsPage } from '#domain/protocol/sync.ts';
import type { ClinicDatabase, DeviceRow, SyncRow } from '#src/db/database.ts';
import { setLinkStatus } from '#src/db/outages.ts';
import { waitingCount } from '#src/db/queries/outbox.ts';
import { rebasedTables } from '#src/db/rebase.ts';
import { updateSync, saveDevice, syncRow } from '#src/db/singletons.ts';
import { reopen, storageFault } from '#src/db/storage-fault.ts';
import type { Contact } from './api.ts';
import { applyFeed, feedTables } from './apply-feed.ts';
import type { Pull } from './apply-feed.ts';
import { addPatients } from './apply-patients.ts';
import { recordResults, recoverSending, release, wake } from './outbox.ts';
import type { Release, Waking } from './outbox.ts';
import { prune } from './prune.ts';
import type { Random } from './ports.ts';
import { selectBatch } from './select-batch.ts';
import type { SelectedBatch } from './select-batch.ts';

export interface SyncStore {
  /** Returns the session's token; null while nobody is signed in online. */
  token(): Promise<string | null>;
  position(): Promise<SyncRow>;
  /** Counts the operations that the server has not answered for. */
  waiting(): Promise<number>;
  device(): Promise<DeviceRow | undefined>;
  selectBatch(choice: { limit: number; nowMs: number }): Promise<SelectedBatch>;
  /**
   * Records the results of a batch, and the feed that the reply has brought.
   *
   * @returns true when the feed has been applied, so that no pull is needed
   */
  recordResults(results: BatchReply['data']['results'], contact: Contact, brought: Pull | null): Promise<boolean>;
  release(opIds: string[], how: Release & { nowMs: number }): Promise<void>;
  recoverSending(nowMs: number): Promise<void>;
  wake(whose: Waking, nowMs: number): Promise<void>;
  /** Makes operations of an unknown version due. Called once after an update of the app. */
  appUpdated(nowMs: number): Promise<void>;
  applyFeed(pull: Pull): Promise<boolean>;
  /** Stores a page of the first patients, if it follows the one before. */
  addPatients(page: PatientsPage, after: string): Promise<void>;
  /** Sets the progress of the first sync. */
  noteProgress(rows: number | null): Promise<void>;
  setLinkStatus(link: SyncRow['link'], nowMs: number): Promise<void>;
  saveDevice(reply: DeviceReply): Promise<void>;
  prune(nowMs: number): Promise<void>;
  /** Reopens a lost connection after an error; returns true if it did (SYNC-15). */
  recovered(error: unknown): Promise<boolean>;
}

const pruneIntervalMs = 600_000;

export function createSyncStore(db: ClinicDatabase, random: Random): SyncStore {
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  return {
    token: async () => {
      const session = await db.session.get('this');
      return session?.token ?? null;
    },
    position: () => syncRow(db),
    waiting: () => waitingCount(db),
    device: () => db.device.get('this'),
    selectBatch: (choice) => selectBatch(db, choice),
    recordResults: (results, contact, brought) => recordReply(db, { results, contact, brought }, random),
    release: (opIds, { nowMs, ...how }) => release(db, opIds, nowMs, how),
    recoverSending: (nowMs) => recoverSending(db, nowMs),
    wake: (whose, nowMs) => wake(db, whose, nowMs),
    appUpdated: async (nowMs) => {
      await wake(db, 'outdated', nowMs);
      await updateSync(db, { update_needed: false });
    },
    applyFeed: async (pull) => {
      await setLinkStatus(db, 'online', pull.contact.at);
      return db.transaction('rw', feedTables(db, pull), async () => applyFeed(db, pull));
    },
    addPatients: (page, after) => addPatients(db, page, after),
    noteProgress: (rows) => updateSync(db, { first_sync_rows: rows }),
    setLinkStatus: (link, nowMs) => setLinkStatus(db, link, nowMs),
    saveDevice: (reply) => saveDevice(db, reply),
    prune: async (nowMs) => {
      // `abs`: a clock that was put back must not postpone pruning.
      if (Math.abs(nowMs - prunedAtMs) < pruneIntervalMs) return;
      prunedAtMs = nowMs;
      await prune(db, nowMs);
    },
    recovered: async (error) => {
      if (storageFault(error) !== 'lost') return false;
      await reopen(db);
      return true;
    },
  };
}

interface BatchAnswer {
  results: readonly OperationResult[];
  contact: Contact;
  /** The feed in the reply; null when there is none. */
  brought: Pull | null;
}

/** Records the results, the feed and the contact in one transaction. */
async function recordReply(
  db: ClinicDatabase,
  { results, contact, brought }: BatchAnswer,
  random: Random,
): Promise<boolean> {
  // Before the results, because the sales of an outage are read from the waiting operations.
  await setLinkStatus(db, 'online', contact.at);
  const tables = [db.operations, db.operation_states, db.sync, ...rebasedTables(db)];
  const outdated = results.some(({ reply }) => !reply.success && reply.code === 'UNKNOWN_VERSION');
  return db.transaction('rw', [...new Set([...tables, ...(brought ? feedTables(db, brought) : [])])], async () => {
    const isApplied = brought !== null && (await applyFeed(db, brought));
    // A receipt says the same as the result.
    const settled = new Set(isApplied ? brought.feed.receipts.map(({ op_id }) => op_id) : []);
    const others = results.filter(({ op_id }) => !settled.has(op_id));
    if (others.length > 0) await recordResults(db, others, { nowMs: contact.at, random });
    await updateSync(db, {
      last_contact_at: contact.at,
      ...(contact.offsetMs !== null && { clock_offset_ms: contact.offsetMs }),
      ...(outdated && { update_needed: true }),
    });
    return isApplied;
  });
}
