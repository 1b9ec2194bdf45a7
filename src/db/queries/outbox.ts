/** Queries the outbox and the tray. */
import type { AttentionResource } from '#domain/protocol/sync.ts';
import type { ClinicDatabase, OperationState, SyncRow } from '../database.ts';
import type { OutboxEntry } from '../dependants.ts';
import { chainStates, isChain, withStatus } from '../operation-state.ts';
import { readTogether } from '../read-together.ts';
import { syncRow } from '../singletons.ts';

export interface OutboxSummary {
  /** Operations that the server has not answered for, without fiscal records. */
  waiting: number;
  /** Operations that the server refused. */
  attention: number;
  /** Fiscal records that the tax agency lacks: those of this device that wait, and the server's at the last pull. */
  unsentRecords: number;
  /** The part of `waiting` that is being sent. */
  sending: number;
  link: SyncRow['link'];
  updateNeeded: boolean;
  lastContactAt: number | null;
  firstSyncRows: number | null;
}

/** Counts the operations that the server has not answered for. The index contains only the outbox. */
export const waitingCount = (db: ClinicDatabase): Promise<number> => db.operation_states.orderBy('queue_place').count();

/** Summarises the outbox in one transaction. It counts over indexes that contain only the outbox and the tray. */
export async function outboxSummary(db: ClinicDatabase): Promise<OutboxSummary> {
  const [{ shown, records }, attention, sending, sync] = await readTogether(db, [db.operation_states, db.sync], () =>
    Promise.all([
      waitingCounts(db),
      withStatus(db, 'attention').count(),
      withStatus(db, 'sending').count(),
      syncRow(db),
    ]),
  );
  return {
    waiting: shown,
    unsentRecords: records + sync.unsent_records,
    attention,
    sending,
    link: sync.link,
    updateNeeded: sync.update_needed,
    lastContactAt: sync.last_contact_at,
    firstSyncRows: sync.first_sync_rows,
  };
}

/** Returns the waiting operations in the order of sending. A fiscal record is part of its document and not shown. */
export async function outboxEntries(db: ClinicDatabase, { limit }: { limit: number }): Promise<OutboxEntry[]> {
  const waiting = db.operation_states.orderBy('queue_place').filter(({ aggregate }) => !isChain(aggregate));
  return withOperations(db, await waiting.limit(limit).toArray());
}

/** Counts the waiting operations that `outboxEntries` returns, and the waiting fiscal records. */
async function waitingCounts(db: ClinicDatabase): Promise<{ shown: number; records: number }> {
  const waiting = await db.operation_states.orderBy('queue_place').primaryKeys();
  if (waiting.length === 0) return { shown: 0, records: 0 };
  const chained = new Set(await chainStates(db).primaryKeys());
  const shown = waiting.filter((opId) => !chained.has(opId)).length;
  return { shown, records: waiting.length - shown };
}

/** Returns the refused operations, oldest first. */
export async function attentionEntries(db: ClinicDatabase, { limit }: { limit: number }): Promise<OutboxEntry[]> {
  return withOperations(db, await withStatus(db, 'attention').limit(limit).toArray());
}

export async function withOperations(db: ClinicDatabase, states: OperationState[]): Promise<OutboxEntry[]> {
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  return states.flatMap((state, index) => {
    const operation = operations[index];
    return operation ? { operation, state } : [];
  });
}

/** Returns the open attention items of all devices, newest first. */
export const serverAttention = (db: ClinicDatabase): Promise<AttentionResource[]> =>
  db.attention.orderBy('id').reverse().toArray();
