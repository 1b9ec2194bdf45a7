/** Where unsent work stands: the header pill, the outbox and the tray. */
import type { AttentionResource } from '../../../domain/protocol/sync.ts';
import type { ClinicDatabase, OperationState, SyncRow } from '../database.ts';
import type { OutboxEntry } from '../dependants.ts';
import { withStatusOf } from '../operation-state.ts';
import { syncRow } from '../singletons.ts';

export interface OutboxSummary {
  /** What the server has not answered for yet. */
  waiting: number;
  /** What the server refused and a person must decide. */
  attention: number;
  /** How much of `waiting` is on its way. */
  sending: number;
  link: SyncRow['link'];
  updateNeeded: boolean;
  lastContactAt: number | null;
  firstSyncRows: number | null;
}

/** How many operations the server has not answered for yet: a count over an index that holds the outbox alone. */
export const waitingCount = (db: ClinicDatabase): Promise<number> => db.operation_states.orderBy('queue_place').count();

/** Counts over indexes that hold the outbox and the tray alone, never the history; in one transaction, because each has its price. */
export async function outboxSummary(db: ClinicDatabase): Promise<OutboxSummary> {
  const [waiting, attention, sending, sync] = await db.transaction('r', db.operation_states, db.sync, () =>
    Promise.all([
      waitingCount(db),
      withStatusOf(db, 'attention').count(),
      withStatusOf(db, 'sending').count(),
      syncRow(db),
    ]),
  );
  return {
    waiting,
    attention,
    sending,
    link: sync.link,
    updateNeeded: sync.update_needed,
    lastContactAt: sync.last_contact_at,
    firstSyncRows: sync.first_sync_rows,
  };
}

/** What waits, in the order of sending. */
export async function outboxEntries(db: ClinicDatabase, { limit }: { limit: number }): Promise<OutboxEntry[]> {
  return withOperations(db, await db.operation_states.orderBy('queue_place').limit(limit).toArray());
}

/** What was refused, oldest first. */
export async function attentionEntries(db: ClinicDatabase, { limit }: { limit: number }): Promise<OutboxEntry[]> {
  return withOperations(db, await withStatusOf(db, 'attention').limit(limit).toArray());
}

export async function withOperations(db: ClinicDatabase, states: OperationState[]): Promise<OutboxEntry[]> {
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  return states.flatMap((state, index) => {
    const operation = operations[index];
    return operation ? { operation, state } : [];
  });
}

/** What managers must look at, from any device; the tablet keeps only what is open. Newest first. */
export const serverAttention = (db: ClinicDatabase): Promise<AttentionResource[]> =>
  db.attention.orderBy('id').reverse().toArray();
