/**
 * The interface between the platform and the nouns. A noun registers one `OperationModule` for its operation kinds. The
 * platform receives, locks, decides, stores receipts and replies; it knows a noun only by this interface.
 *
 * For each batch the platform calls `load` once with all operations of the module's kinds, then `decide` for each
 * operation in the order of the batch, then `write` once. A module keeps what it loaded in step with what it decides,
 * so each operation is decided in the light of those before it. Nothing is written before all are decided, so a refused
 * operation leaves nothing.
 */
import type { StatedTimes } from '#domain/business-day.ts';
import type { Action } from '#domain/permissions.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { AnyOperation, VoidOperation } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import type { Refusal } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { Sql } from '../db/sql.ts';
import type { Closing, NewReceipt } from './receipts.ts';

/** The number on an operation's document and its money, by which people recognise it. */
export interface Description {
  number?: string;
  amount?: number;
}

/**
 * Returns the first text that fits a document's number and the first finite amount. The payload may be malformed, so no
 * value is trusted.
 */
export function describedBy(numbers: readonly unknown[], amounts: readonly unknown[]): Description {
  const number = numbers.find((text) => typeof text === 'string' && text.length <= 40);
  const amount = amounts.find((value) => typeof value === 'number' && Number.isFinite(value));
  return {
    ...(number !== undefined && { number: number as string }),
    ...(amount !== undefined && { amount: amount as number }),
  };
}

/** The batch that one transaction applies. */
export interface BatchContext {
  clinicId: number;
  uploadedBy: number;
  receivedAtMs: number;
  settings: ClinicSettings;
  /** The clinic's first day, in milliseconds since 1970. */
  firstDayMs: number;
}

/** Returns what an operation and its arrival say about its time. */
export const statedTimes = (
  { occurred_at, clock_offset_ms: offsetMs }: Pick<AnyOperation, 'occurred_at' | 'clock_offset_ms'>,
  { receivedAtMs, firstDayMs }: Pick<BatchContext, 'receivedAtMs' | 'firstDayMs'>,
): StatedTimes => ({ occurredAtMs: Date.parse(occurred_at), offsetMs, receivedAtMs, firstDayMs });

export interface Actor {
  name: string;
  role: Role;
  deactivatedAtMs: number | null;
}

/** `device`: a fact from a device's outbox. `request`: a REST call by a person who waits for the reply. */
export type Source = 'device' | 'request';

export interface DecideContext {
  source: Source;
  /** The time at which the operation takes effect, in milliseconds since 1970. */
  atMs: number;
  /** Returns whether the actor may do something, or the person who approved the operation. */
  allows: (action: Action) => boolean;
  effects: Effects;
}

/** A condition that a manager must look at. */
export interface RaisedConcern {
  kind: AttentionResource['kind'];
  details: AttentionResource['details'];
}

export type Decision =
  | {
      status: 'applied';
      /** Returns the `data` of the reply. */
      data: () => unknown;
      /** The reply's status is 201. */
      created?: boolean;
      concerns?: readonly RaisedConcern[];
      /** The ids by which an erasure finds the operation, where its aggregate does not lead to them. */
      mentions?: readonly string[];
    }
  | { status: 'refused'; refusal: Refusal }
  | { status: 'waiting'; code: ErrorCode };

export const refused = (code: ErrorCode, details?: Refusal['details']): Decision => ({
  status: 'refused',
  refusal: details ? { code, details } : { code },
});

export const waiting = (code: ErrorCode): Decision => ({ status: 'waiting', code });

/** Names a list of effects, and carries their type. */
export interface EffectKey<Effect> {
  readonly name: string;
  readonly effect?: Effect;
}

export const effectKey = <Effect>(name: string): EffectKey<Effect> => ({ name });

/** Work that the operations of one noun leave for another noun to write in the same transaction. */
export class Effects {
  private readonly lists = new Map<EffectKey<unknown>, unknown[]>();

  add<Effect>(key: EffectKey<Effect>, ...effects: readonly Effect[]): void {
    this.lists.set(key, [...(this.lists.get(key) ?? []), ...effects]);
  }

  of<Effect>(key: EffectKey<Effect>): readonly Effect[] {
    return (this.lists.get(key) ?? []) as Effect[];
  }
}

export interface Concern extends RaisedConcern {
  operation: NewReceipt['envelope'];
}

export interface AppliedVoid {
  operation: VoidOperation;
  /** Milliseconds since 1970. */
  atMs: number;
}

/** All that the decisions of a batch leave to write. */
export interface DecidedBatch {
  effects: Effects;
  receipts: readonly NewReceipt[];
  concerns: readonly Concern[];
  closings: readonly Closing[];
  voids: readonly AppliedVoid[];
  /** Describes an operation of any kind. The payload may be malformed. */
  describe: (kind: string, payload: unknown) => Description;
  /** Adds a condition that shows only when the decided operations are written. */
  raise: (operation: NewReceipt['envelope'], concern: RaisedConcern) => void;
}

/** A noun's part in one batch: it holds what `load` read. */
export interface BatchPart<O extends AnyOperation = AnyOperation> {
  /** Decides one well-formed operation whose actor is allowed to do it. Reads and writes memory only. */
  decide(operation: O, context: DecideContext): Decision;
  /** Writes as sets what the applied operations changed. */
  write(sql: Sql, batch: DecidedBatch): Promise<void>;
}

/** A noun with operation kinds. */
export interface OperationModule<O extends AnyOperation = AnyOperation> {
  readonly kinds: readonly O['kind'][];
  /**
   * True when each operation only accompanies another one of the same person and time: the attention item about what is
   * odd names the other one alone.
   */
  readonly isCompanion?: true;
  /** Returns the aggregate that the payload names. It is the lock key, and must equal the envelope's (SYNC-5). */
  aggregateOf(operation: O): string;
  /** The payload may be malformed. */
  describe(payload: Record<string, unknown>): Description;
  /** Reads as sets what the operations need. The caller holds the locks of their aggregates. */
  load(sql: Sql, context: BatchContext, operations: readonly O[]): Promise<BatchPart<O>>;
}

/** A module without kinds that writes what a batch leaves for it. */
export interface BatchWriter {
  write(sql: Sql, context: BatchContext, batch: DecidedBatch): Promise<void>;
}

/** An operation on its way to its decision. */
export interface Arrival {
  operation: AnyOperation;
  /** False when the payload may have any form. */
  isReadable: boolean;
}

/** What is decided, and what is stored, in place of an operation that says too much. */
export interface Rewriting {
  payload: unknown;
  /** The payload for the receipt of the applied operation, and its reply. */
  receipt: { payload: unknown; reply: (text: string) => string };
}

/** Removes from operations what must not be stored, before they are decided. Their fingerprints stay those of the received text. */
export interface BatchScreen {
  /** Returns one entry per operation; null leaves it as it is. */
  screen(sql: Sql, clinicId: number, arrivals: readonly Arrival[]): Promise<readonly (Rewriting | null)[]>;
}
