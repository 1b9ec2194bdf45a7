/**
 * The only write path of commands. One transaction with strict durability writes the changed rows, the operation for the
 * server, and the device's counters: after a crash either all of them are there or none (SYNC-1, SYNC-12). Nothing is
 * printed or sent before `commit` returns.
 */
import type { Table } from 'dexie';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { recordOfDocument } from '#domain/fiscal/documents.ts';
import type { IssuedDocument } from '#domain/fiscal/documents.ts';
import { headOf } from '#domain/fiscal/record.ts';
import { issuingSettings } from '#domain/fiscal/taxpayer.ts';
import { formatNumber } from '#domain/order/numbers.ts';
import type { Series } from '#domain/order/numbers.ts';
import type { Approval } from '#domain/wire/envelope.ts';
import { operationVersion } from '#domain/protocol/operations.ts';
import type { AnyOperation, OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import { accept, refuse } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Refusal, Result } from '#domain/result.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { ClinicDatabase, DeviceRow, OperationState } from './database.ts';
import type { Ports } from './ports.ts';
import { queuedState } from './operation-state.ts';
import { sha256Text } from './sha256.ts';
import { approvalProofOf, proofOf } from './proof.ts';
import type { ActorKey, Approver } from './proof.ts';
import { syncRow } from './singletons.ts';
import { reopen, storageFault } from './storage-fault.ts';

export interface WriteContext {
  db: ClinicDatabase;
  ports: Ports;
  actorId: number;
  /**
   * Returns the key that signs the actor's operations; null when this device does not hold it. An operation without a
   * proof is still a fact: the server refuses it, and somebody sends it again from the tray. A key that is at hand comes
   * without a promise, so that the transaction begins within the tap and not after the frame that follows it.
   */
  actorKey(): ActorKey | null | Promise<ActorKey | null>;
  /** Somebody who approves this one command (`src/approval`). */
  approver?: Approver | undefined;
  /** Called after each committed write. */
  onWritten(): void;
}

export interface NewOperation<K extends OperationKind> {
  kind: K;
  aggregate: string;
  payload: PayloadOf[K];
  dependsOn: string[];
  /** The replaced operation and its position; without a position if this device never had it (SYNC-7). */
  supersedes?: { opId: string; position?: number };
}

/** The interface of a command inside its transaction, besides the tables that it named. */
export interface Write {
  readonly db: ClinicDatabase;
  readonly nowMs: number;
  /** The same instant in ISO 8601, as operations carry it: by the device's own clock. */
  readonly occurredAt: string;
  /** The same instant corrected by the measured clock offset (SYNC-14); documents print this one. */
  readonly effectiveMs: number;
  /** The settings by which this device issues documents (`issuingSettings`). */
  issuing(settings: ClinicSettings): ClinicSettings;
  newId(): string;
  nextNumber(of: Series): string;
  append<K extends OperationKind>(operation: NewOperation<K>): AnyOperation;
  /** Appends the fiscal record of a document to the device's chain. */
  appendRecord(document: IssuedDocument, settings: ClinicSettings): void;
  /** Appends a replacement of a refused operation, in its position (SYNC-7). */
  appendReplacement(operation: AnyOperation, state: OperationState): AnyOperation;
  /** Stores a row at the end, together with the appended operations. */
  put<Row>(table: Table<Row>, row: Row): void;
  /** Writes the appended operations now, for a command that reads the outbox again. Otherwise they are written at the end. */
  flush(): Promise<void>;
}

/** The rows that a command reads first, beside the device's own: together they cost one round trip. */
type Read<Found> = () => Promise<Found>;

const maxReopens = 3;

/** Thrown to abort the transaction, so that the browser rolls it back. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/**
 * Runs `work` with what `read` has found in one transaction over the outbox and `tables`, and calls `onWritten` after the
 * commit. A refusal rolls the transaction back.
 */
export async function commit<T, Found = void>(
  context: WriteContext,
  tables: Table[],
  work: (write: Write, found: Found) => Result<T> | Promise<Result<T>>,
  read?: Read<Found>,
): Promise<Result<T>> {
  const { approver } = context;
  if (approver && !approver.key) throw new Error('An approval is for one command.');
  const result = await withRetries(context, tables, read, work).finally(() => {
    if (approver) approver.key = null;
  });
  if (result.ok) context.onWritten();
  return result;
}

/** Turns full storage into a refusal, and reopens a lost connection, also when it is lost again during the retry. */
async function withRetries<T, Found>(
  context: WriteContext,
  tables: Table[],
  read: Read<Found> | undefined,
  work: (write: Write, found: Found) => Result<T> | Promise<Result<T>>,
): Promise<Result<T>> {
  let written: { opId: string | undefined; value: T } | undefined;
  // Awaited before the transaction, which would end meanwhile.
  const held = context.actorKey();
  const key = held instanceof Promise ? await held : held;
  const attempt = () =>
    transact(context, key, tables, read, async (write, found: Found, appended) => {
      const result = await work(write, found);
      if (!result.ok) throw new Refused(result.refusal);
      written = { opId: appended[0]?.op_id, value: result.value };
      return result.value;
    });
  try {
    for (let losses = 0; ; losses++) {
      try {
        // The connection may have been lost after the commit; a committed sale must not be made twice.
        if (written?.opId && (await context.db.operations.get(written.opId))) return accept(written.value);
        return accept(await attempt());
      } catch (error) {
        if (storageFault(error) !== 'lost' || losses === maxReopens) throw error;
        await reopen(context.db);
      }
    }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal };
    const fault = storageFault(error);
    if (fault === null) throw error;
    return refuse(fault === 'full' ? 'STORAGE_FULL' : 'STORAGE_LOST');
  }
}

const approvalBy = (userId: number, key: ActorKey, operation: object): Approval => ({
  actor_id: userId,
  proof: approvalProofOf(key, operation),
});

async function transact<T, Found>(
  { db, ports, actorId, approver }: WriteContext,
  key: ActorKey | null,
  tables: Table[],
  read: Read<Found> | undefined,
  work: (write: Write, found: Found, appended: readonly AnyOperation[]) => Promise<T>,
): Promise<T> {
  const own: Table[] = [db.operations, db.operation_states, db.device, db.sync];
  return db.transaction('rw', [...new Set([...own, ...tables])], async () => {
    const [stored, { clock_offset_ms }, found] = await Promise.all([
      db.device.get('this'),
      syncRow(db),
      read?.() as Promise<Found>,
    ]);
    if (!stored) throw new Refused({ code: 'DEVICE_NOT_ENROLLED' });
    const device: DeviceRow = { ...stored, counters: { ...stored.counters } };
    const nowMs = ports.now();
    const occurredAt = new Date(nowMs).toISOString();
    const operations: AnyOperation[] = [];
    const states: OperationState[] = [];
    const rows: (() => PromiseLike<unknown>)[] = [];
    let flushed = 0;

    const newId = () => uuidV7(nowMs, ports.random(10));
    const queue = (content: AnyOperation, position: number) => {
      const { proof: _proof, approval: _approval, ...plain } = content;
      const unsigned = approver?.key ? { ...plain, approval: approvalBy(approver.userId, approver.key, plain) } : plain;
      const isSigned = key?.deviceId === unsigned.device_id;
      const operation: AnyOperation = isSigned ? { ...unsigned, proof: proofOf(key, unsigned) } : unsigned;
      operations.push(operation);
      states.push(queuedState(operation, position, nowMs));
      return operation;
    };
    const write: Write = {
      db,
      nowMs,
      occurredAt,
      effectiveMs: nowMs + (clock_offset_ms ?? 0),
      issuing: (settings) => issuingSettings(settings, device.tax_id),
      newId,
      nextNumber: (of) => {
        const count = (device.counters[of] ?? 0) + 1;
        device.counters[of] = count;
        return formatNumber(of, device.code, count);
      },
      append: ({ kind, aggregate, payload, dependsOn, supersedes }) => {
        const device_seq = device.next_seq++;
        const operation = {
          op_id: newId(),
          device_id: device.device_id,
          device_seq,
          aggregate,
          depends_on: dependsOn,
          ...(supersedes && { supersedes: supersedes.opId }),
          kind,
          v: operationVersion,
          payload,
          actor_id: actorId,
          occurred_at: occurredAt,
          clock_offset_ms,
        };
        return queue(operation as AnyOperation, supersedes?.position ?? device_seq);
      },
      appendRecord: (document, settings) => {
        const place = { chain: device.code, previous: device.chain ?? null, settings, sha256: sha256Text };
        const record = recordOfDocument(document, place);
        device.chain = headOf(record);
        // The document is printed whatever becomes of its operation, so its record waits for nothing.
        const aggregate = chainAggregate(device.code);
        write.append({ kind: 'fiscal.record', aggregate, payload: record, dependsOn: [] });
      },
      appendReplacement: (operation, state) =>
        queue(
          {
            ...operation,
            op_id: newId(),
            device_id: device.device_id,
            device_seq: device.next_seq++,
            supersedes: operation.op_id,
            actor_id: actorId,
          },
          state.position,
        ),
      put: (table, row) => void rows.push(() => table.put(row)),
      flush: async () => {
        const from = flushed;
        flushed = operations.length;
        const requests = rows.splice(0).map((store) => store());
        if (from < flushed) {
          requests.push(
            db.operations.bulkAdd(operations.slice(from)),
            db.operation_states.bulkAdd(states.slice(from)),
            db.device.put(device),
          );
        }
        await Promise.all(requests);
      },
    };

    const value = await work(write, found, operations);
    await write.flush();
    return value;
  });
}
