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
import { isoOf } from '#domain/instant.ts';
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

/** What a command has written so far. It is in memory until `flush`. */
class OpenWrite implements Write {
  readonly db: ClinicDatabase;
  readonly nowMs: number;
  readonly occurredAt: string;
  readonly effectiveMs: number;
  readonly operations: AnyOperation[] = [];
  private readonly device: DeviceRow;
  private readonly states: OperationState[] = [];
  private readonly rows: (() => PromiseLike<unknown>)[] = [];
  private flushed = 0;

  constructor(
    private readonly context: WriteContext,
    private readonly key: ActorKey | null,
    stored: DeviceRow,
    private readonly clockOffsetMs: number | null,
  ) {
    this.db = context.db;
    this.device = { ...stored, counters: { ...stored.counters } };
    this.nowMs = context.ports.now();
    this.occurredAt = isoOf(this.nowMs);
    this.effectiveMs = this.nowMs + (clockOffsetMs ?? 0);
  }

  issuing(settings: ClinicSettings): ClinicSettings {
    return issuingSettings(settings, this.device.tax_id);
  }

  newId(): string {
    return uuidV7(this.nowMs, this.context.ports.random(10));
  }

  nextNumber(of: Series): string {
    const { counters, code } = this.device;
    const count = (counters[of] ?? 0) + 1;
    counters[of] = count;
    return formatNumber(of, code, count);
  }

  append<K extends OperationKind>(operation: NewOperation<K>): AnyOperation {
    const { kind, aggregate, payload, dependsOn, supersedes } = operation;
    const device_seq = this.device.next_seq++;
    const content = {
      op_id: this.newId(),
      device_id: this.device.device_id,
      device_seq,
      aggregate,
      depends_on: dependsOn,
      ...(supersedes && { supersedes: supersedes.opId }),
      kind,
      v: operationVersion,
      payload,
      actor_id: this.context.actorId,
      occurred_at: this.occurredAt,
      clock_offset_ms: this.clockOffsetMs,
    };
    return this.queue(content as AnyOperation, supersedes?.position ?? device_seq);
  }

  appendRecord(document: IssuedDocument, settings: ClinicSettings): void {
    const { code, chain } = this.device;
    const record = recordOfDocument(document, { chain: code, previous: chain ?? null, settings, sha256: sha256Text });
    this.device.chain = headOf(record);
    // The document is printed whatever becomes of its operation, so its record waits for nothing.
    this.append({ kind: 'fiscal.record', aggregate: chainAggregate(code), payload: record, dependsOn: [] });
  }

  appendReplacement(operation: AnyOperation, state: OperationState): AnyOperation {
    const { device_id, next_seq } = this.device;
    this.device.next_seq = next_seq + 1;
    const own = { op_id: this.newId(), device_id, device_seq: next_seq, actor_id: this.context.actorId };
    return this.queue({ ...operation, ...own, supersedes: operation.op_id }, state.position);
  }

  put<Row>(table: Table<Row>, row: Row): void {
    this.rows.push(() => table.put(row));
  }

  async flush(): Promise<void> {
    const from = this.flushed;
    this.flushed = this.operations.length;
    const requests = this.rows.splice(0).map((store) => store());
    if (from < this.flushed) {
      requests.push(
        this.db.operations.bulkAdd(this.operations.slice(from)),
        this.db.operation_states.bulkAdd(this.states.slice(from)),
        this.db.device.put(this.device),
      );
    }
    await Promise.all(requests);
  }

  private queue(content: AnyOperation, position: number): AnyOperation {
    const { key, context } = this;
    const { approver } = context;
    const { proof: _proof, approval: _approval, ...plain } = content;
    const unsigned = approver?.key ? { ...plain, approval: approvalBy(approver.userId, approver.key, plain) } : plain;
    const isSigned = key?.deviceId === unsigned.device_id;
    const operation: AnyOperation = isSigned ? { ...unsigned, proof: proofOf(key, unsigned) } : unsigned;
    this.operations.push(operation);
    this.states.push(queuedState(operation, position, this.nowMs));
    return operation;
  }
}

async function transact<T, Found>(
  context: WriteContext,
  key: ActorKey | null,
  tables: Table[],
  read: Read<Found> | undefined,
  work: (write: Write, found: Found, appended: readonly AnyOperation[]) => Promise<T>,
): Promise<T> {
  const { db } = context;
  const own: Table[] = [db.operations, db.operation_states, db.device, db.sync];
  return db.transaction('rw', [...new Set([...own, ...tables])], async () => {
    const [stored, { clock_offset_ms }, found] = await Promise.all([
      db.device.get('this'),
      syncRow(db),
      read?.() as Promise<Found>,
    ]);
    if (!stored) throw new Refused({ code: 'DEVICE_NOT_ENROLLED' });
    const write = new OpenWrite(context, key, stored, clock_offset_ms);
    const value = await work(write, found, write.operations);
    await write.flush();
    return value;
  });
}
