/** Collects what a transaction writes. Effects and receipts are written as sets, in one transaction (SYNC-4). */
import { dayMs } from '#domain/durations.ts';
import { isClockWrong } from '#domain/business-day.ts';
import { backdatedMs, longestOfflineMs } from '#domain/limits.ts';
import { isVoid } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '../db/sql.ts';
import { closes } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { isReplacedBy, mayVoid, neverArrived, standsFor } from './loaded.ts';
import type { Loaded } from './loaded.ts';
import { Effects, statedTimes } from './operation-module.ts';
import type {
  AppliedVoid,
  BatchContext,
  Concern,
  DecidedBatch,
  Decision,
  Description,
  RaisedConcern,
} from './operation-module.ts';
import { closeReceipts, deleteReceipts, insertReceipts } from './receipts.ts';
import type { Closing, NewReceipt } from './receipts.ts';
import type { OperationRegistry, RegisteredModule } from './registry.ts';
import { isReplaceable, refusalReply } from './reply.ts';
import type { Reply } from './reply.ts';

type FinalDecision = Exclude<Decision, { status: 'waiting' }>;

export class WriteSet implements DecidedBatch {
  readonly effects = new Effects();
  readonly receipts: NewReceipt[] = [];
  readonly concerns: Concern[] = [];
  readonly closings: Closing[] = [];
  readonly voids: AppliedVoid[] = [];
  /** Operations that were closed as absent by somebody who may not replace them, and have arrived. */
  private readonly returned: string[] = [];

  /** @param loaded is kept in step with the decisions, so that the next operation is decided on them */
  constructor(
    private readonly registry: OperationRegistry,
    private readonly context: BatchContext,
    private readonly loaded: Loaded,
  ) {}

  readonly describe = (kind: string, payload: unknown): Description => this.registry.describe(kind, payload);

  raise(operation: NewReceipt['envelope'], { kind, details }: RaisedConcern): void {
    this.concerns.push({ kind, operation, details: { ...this.circumstancesOf(operation), ...details } });
  }

  /** Adds an operation's final decision and its consequences. */
  add(incoming: Incoming, decision: FinalDecision, { text, httpStatus, atMs }: Reply & { atMs: number }): void {
    const { operation, fingerprint, receipt } = incoming;
    // A refused replacement takes the place of what it replaced in the tray. A refused void leaves its target as it was.
    const replaces = decision.status === 'applied' || (isReplaceable(decision.refusal.code) && !isVoid(operation));
    const closed = replaces ? closes(incoming).filter((opId) => this.mayClose(opId, operation, decision)) : [];
    const links = closed.map((opId) => (this.loaded.receipts.get(opId)?.replaced ?? 0) + 1);
    // A refused operation may still be approved: it keeps the documents that its payload carries.
    const stored = decision.status === 'applied' ? receipt : undefined;
    this.addReceipt({
      envelope: stored ? { ...operation, payload: stored.payload } : operation,
      fingerprint,
      effectiveAtMs: atMs,
      status: decision.status,
      reply: stored ? stored.reply(text) : text,
      httpStatus,
      replaced: Math.max(0, ...links),
      rewritten: receipt !== undefined,
      mentions: decision.status === 'applied' ? decision.mentions : undefined,
    });
    for (const opId of closed) this.close(opId, operation);
    this.addConcerns(incoming, decision, atMs);
  }

  /** Nobody knows whose an operation is that never arrived: a refused one of a clerk does not close it. */
  private mayClose(opId: string, operation: AnyOperation, { status }: FinalDecision): boolean {
    const { receipts, actors } = this.loaded;
    const old = receipts.get(opId);
    if (!old) return status === 'applied' || mayVoid(operation, actors);
    return isReplacedBy(old, operation, actors) && standsFor(operation, old);
  }

  /** Makes the receipt of an absent operation give way to the operation. */
  reopen(opId: string): void {
    this.loaded.receipts.delete(opId);
    this.loaded.lastReplacements.delete(opId);
    this.returned.push(opId);
  }

  /** Adds a notice of an operation without a valid proof: whatever it says about itself may be a lie. */
  addUnproven(operation: AnyOperation): void {
    const uploader = this.loaded.actors.users.get(this.context.uploadedBy)?.name ?? '';
    this.concerns.push({ kind: 'unproven', operation, details: { ...this.circumstancesOf(operation), uploader } });
  }

  private addReceipt(receipt: Omit<NewReceipt, 'uploadedBy' | 'receivedAtMs'>): void {
    const { uploadedBy, receivedAtMs } = this.context;
    const { envelope, fingerprint, status, reply, httpStatus, effectiveAtMs, replaced = 0 } = receipt;
    const { op_id, kind, aggregate } = envelope;
    const { users } = this.loaded.actors;
    const nameOf = (id: number | undefined) => (id === undefined ? undefined : users.get(id)?.name);
    this.receipts.push({
      ...receipt,
      uploadedBy,
      actorName: nameOf(envelope.actor_id),
      approverName: nameOf(envelope.approval?.actor_id),
      uploaderName: nameOf(uploadedBy),
      receivedAtMs,
    });
    this.loaded.receipts.set(op_id, {
      op_id,
      kind,
      aggregate,
      actor_id: envelope.actor_id,
      fingerprint,
      status,
      reply,
      http_status: httpStatus,
      superseded_by: null,
      effective_ms: effectiveAtMs,
      replaced,
    });
  }

  private addConcerns(incoming: Incoming, decision: FinalDecision, atMs: number): void {
    const { operation, source } = incoming;
    const isCompanion = this.registry.moduleOf(operation)?.isCompanion === true;
    const oddTimes = isCompanion ? [] : this.oddTimes(incoming, atMs);
    if (decision.status === 'refused') {
      if (source !== 'device') return;
      const { code, details } = decision.refusal;
      this.concerns.push({
        kind: 'refused',
        operation,
        details: { ...details, ...this.circumstancesOf(operation), code },
      });
      for (const concern of oddTimes) this.raise(operation, concern);
      return;
    }
    const lateWork = isCompanion ? [] : this.lateWork(operation, atMs);
    for (const concern of [...lateWork, ...(decision.concerns ?? []), ...oddTimes]) this.raise(operation, concern);
  }

  /**
   * Names each person who acted or approved after their deactivation. Their key may say another time, so what their
   * device had not reported as waiting counts as later, without the slack that others have.
   */
  private lateWork({ actor_id, approval, device_id }: AnyOperation, atMs: number): RaisedConcern[] {
    const { devices, users } = this.loaded.actors;
    const clearedAtMs = devices.get(device_id)?.clearedAtMs ?? -Infinity;
    return [...new Set([actor_id, approval?.actor_id])].flatMap((id) => {
      const person = id === undefined ? undefined : users.get(id);
      const isLate =
        person && person.deactivatedAtMs !== null && (atMs > person.deactivatedAtMs || atMs <= clearedAtMs);
      return isLate ? [{ kind: 'late_work', details: { actor_id: id!, actor: person.name } }] : [];
    });
  }

  /**
   * A device that reported that nothing waited cannot send older work, except to replace what it had sent. A refused
   * operation counts too: its replacement has the same time.
   */
  private oddTimes(incoming: Incoming, atMs: number): RaisedConcern[] {
    const { operation } = incoming;
    const { receivedAtMs } = this.context;
    if (isClockWrong(statedTimes(operation, this.context))) return [{ kind: 'clock_wrong', details: {} }];
    const clearedAtMs = this.loaded.actors.devices.get(operation.device_id)?.clearedAtMs ?? -Infinity;
    const isLate = atMs < receivedAtMs - longestOfflineMs || atMs < clearedAtMs - backdatedMs;
    const replaced = closes(incoming).flatMap((opId) => this.loaded.receipts.get(opId)?.effective_ms ?? []);
    if (!isLate || replaced.some((oldMs) => oldMs <= atMs)) return [];
    return [{ kind: 'backdated', details: { days: Math.round((receivedAtMs - atMs) / dayMs) } }];
  }

  /** Returns who, when, where, on which document and for how much: a manager on another device decides by it. */
  private circumstancesOf({
    actor_id,
    approval,
    device_id,
    aggregate,
    occurred_at,
    kind,
    payload,
  }: NewReceipt['envelope']): RaisedConcern['details'] {
    const { actors } = this.loaded;
    const actor = actors.users.get(actor_id)?.name;
    const approver = approval && actors.users.get(approval.actor_id)?.name;
    const device = actors.devices.get(device_id ?? 0)?.code;
    return {
      actor_id,
      aggregate,
      occurred_at,
      ...this.describe(kind, payload),
      ...(actor !== undefined && { actor }),
      ...(approver !== undefined && { approver }),
      ...(device !== undefined && { device }),
    };
  }

  /**
   * SYNC-7: the replaced operation can never be applied afterwards, even if it never arrived. An operation that is
   * closed already keeps its replacement: a malformed one, such as one that names itself, is refused before its target
   * is looked up.
   */
  private close(opId: string, operation: AnyOperation): void {
    const { op_id: by } = operation;
    if (!this.loaded.receipts.has(opId)) this.addAbsent(opId, operation);
    const old = this.loaded.receipts.get(opId)!;
    if (old.superseded_by) return;
    old.superseded_by = by;
    this.closings.push({ opId, by });
  }

  /**
   * Adds the receipt of an operation that never arrived. Its time and device are unknown; those of the replacement are the
   * replacement's own. Its actor is the only one for whom it is closed: the one who replaced it, or 0 for everybody when that
   * was somebody who may void it.
   */
  private addAbsent(opId: string, replacement: AnyOperation): void {
    const { receivedAtMs } = this.context;
    const { aggregate, actor_id: actorId } = replacement;
    const { text, httpStatus } = refusalReply({ code: 'SUPERSEDED' });
    this.addReceipt({
      envelope: {
        op_id: opId,
        device_id: null,
        device_seq: 0,
        aggregate,
        depends_on: [],
        kind: neverArrived,
        v: 1,
        payload: {},
        actor_id: mayVoid(replacement, this.loaded.actors) ? 0 : actorId,
        occurred_at: isoOf(receivedAtMs),
        clock_offset_ms: null,
      },
      fingerprint: '',
      effectiveAtMs: receivedAtMs,
      status: 'refused',
      reply: text,
      httpStatus,
    });
  }

  async write(sql: Sql): Promise<void> {
    const { clinicId } = this.context;
    if (this.receipts.length === 0 && this.concerns.length === 0) return;
    await Promise.all([
      deleteReceipts(sql, clinicId, this.returned),
      insertReceipts(sql, clinicId, this.receipts),
      closeReceipts(sql, clinicId, this.closings),
      this.writeModules(sql),
    ]);
  }

  private async writeModules(sql: Sql): Promise<void> {
    for (const module of this.registry.registered.writers) await this.writeModule(sql, module);
  }

  private writeModule(sql: Sql, module: RegisteredModule): Promise<void> {
    return 'kinds' in module ? this.loaded.parts.get(module)!.write(sql, this) : module.write(sql, this.context, this);
  }
}
