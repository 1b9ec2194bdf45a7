/** Decides operations one by one, each in the light of those before it. Writes nothing. */
import { effectiveAt } from '#domain/business-day.ts';
import { keySlackMs, maxReplacements } from '#domain/limits.ts';
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
import { isVoid, isVoidable, operationVersion } from '#domain/protocol/operations.ts';
import type { AnyOperation, VoidOperation } from '#domain/protocol/operations.ts';
import { readProof } from '#domain/protocol/proof.ts';
import { isoOf } from '#domain/instant.ts';
import { closes, unreadable } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { isReplacedBy, neverArrived, standsFor } from './loaded.ts';
import type { Loaded } from './loaded.ts';
import { refused, statedTimes, waiting } from './operation-module.ts';
import type { BatchContext, Decision, Source } from './operation-module.ts';
import { currentReceipt } from './receipts.ts';
import type { Receipt } from './receipts.ts';
import type { OperationRegistry } from './registry.ts';
import { codeOf, isReplaceable, refusalReply, replay, replyTo } from './reply.ts';
import type { Outcome } from './reply.ts';
import { voidKind } from './voids.ts';
import type { WriteSet } from './write-set.ts';

export class Decider {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly context: BatchContext,
    private readonly loaded: Loaded,
    private readonly writeSet: WriteSet,
  ) {}

  decide(incoming: Incoming): Outcome {
    const { operation, fingerprint } = incoming;
    const stored = this.loaded.receipts.get(operation.op_id);
    if (stored && !this.givesWay(stored, incoming)) return replay(operation.op_id, stored, fingerprint);
    if (this.isUnproven(incoming)) return this.refuseUnproven(incoming);
    const atMs = effectiveAt(statedTimes(operation, this.context));
    const decision = this.decisionOn(incoming, atMs);
    const reply = replyTo(decision);
    if (decision.status === 'applied' || (decision.status === 'refused' && !incoming.isUnrepeatable)) {
      if (stored) this.writeSet.reopen(operation.op_id);
      this.writeSet.add(incoming, decision, { ...reply, atMs });
    }
    return {
      op_id: operation.op_id,
      status: decision.status,
      replayed: false,
      reply: reply.text,
      httpStatus: reply.httpStatus,
    };
  }

  /**
   * SYNC-7: a replacement of an operation that had not arrived may have named one of another person. That one takes effect,
   * beside what took its place.
   */
  private givesWay(stored: Receipt, incoming: Incoming): boolean {
    if (stored.kind !== neverArrived || stored.actor_id === 0 || this.isUnproven(incoming)) return false;
    return stored.actor_id !== incoming.operation.actor_id;
  }

  /** An operation of a newer version waits: its proof may have another form. */
  private isUnproven({ operation, source, isProven }: Incoming): boolean {
    return source === 'device' && !isProven && operation.v <= operationVersion;
  }

  /**
   * SYNC-8: an operation without a valid proof leaves nothing but a notice. A receipt under its id would refuse the real
   * operation of that id.
   */
  private refuseUnproven({ operation }: Incoming): Outcome {
    this.writeSet.addUnproven(operation);
    const { text, httpStatus } = refusalReply({ code: 'PROOF_INVALID' });
    return { op_id: operation.op_id, status: 'refused', replayed: false, reply: text, httpStatus };
  }

  private decisionOn(incoming: Incoming, atMs: number): Decision {
    const { operation, malformed, source } = incoming;
    if (operation.v > operationVersion) return waiting('UNKNOWN_VERSION');
    if (this.isLate(incoming)) return refused('SUPERSEDES_APPLIED');
    if (this.isReplacedTooOften(incoming)) return refused('REPLACED_TOO_OFTEN');
    if (malformed) return { status: 'refused', refusal: malformed };
    const objection =
      (source === 'device' && this.denied(incoming, atMs)) ||
      this.unmet(operation) ||
      this.foreign(incoming) ||
      this.misplaced(incoming);
    if (objection) return objection;
    return isVoid(operation)
      ? this.decideVoid(incoming, operation, atMs)
      : this.decideByModule(operation, source, atMs);
  }

  private decideByModule(operation: AnyOperation, source: Source, atMs: number): Decision {
    const part = this.loaded.parts.get(this.registry.moduleOf(operation)!)!;
    const allows = (action: Action) => this.allows(operation, action);
    return part.decide(operation, { source, atMs, allows, effects: this.writeSet.effects });
  }

  private decideVoid(incoming: Incoming, operation: VoidOperation, atMs: number): Decision {
    const { voided } = operation.payload;
    const kinds = [...this.replacedBy(incoming).map(({ kind }) => kind), ...(voided ? [voided.kind] : [])];
    if (!kinds.every(isVoidable)) return refused('NOT_VOIDABLE');
    this.writeSet.voids.push({ operation, atMs });
    return { status: 'applied', data: () => ({ voided: operation.payload.op_id }) };
  }

  /**
   * SYNC-8: the roles of the actor and of the approver count, not those of the uploader, even after their deactivation. A false
   * approval refuses also what the actor may do alone: the device shows the operation as approved.
   */
  private denied({ operation, isAdmitted, isApprovalFalse }: Incoming, atMs: number): Decision | null {
    const { devices, users } = this.loaded.actors;
    const device = devices.get(operation.device_id);
    if (!device) return waiting('DEVICE_UNKNOWN');
    if (device.revokedAtMs !== null && !isAdmitted)
      return refused('DEVICE_REVOKED', { revoked_at: isoOf(device.revokedAtMs) });
    if (!users.has(operation.actor_id)) return refused('ACTOR_UNKNOWN');
    if (!isAdmitted && this.isKeyEnded(operation, atMs)) return refused('KEY_ENDED');
    if (isApprovalFalse) return refused('APPROVAL_INVALID');
    return this.allows(operation, operation.kind) ? null : refused('FORBIDDEN');
  }

  /** Returns whether a key that signed the operation had ended by then, because somebody had ended its session. */
  private isKeyEnded({ actor_id, proof, approval }: AnyOperation, atMs: number): boolean {
    const { endedKeys } = this.loaded.actors;
    return [{ actor_id, proof }, ...(approval ? [approval] : [])].some((signer) => {
      const ended = endedKeys.get(readProof(signer.proof)?.sessionId ?? -1);
      return ended?.userId === signer.actor_id && atMs > ended.endedAtMs + keySlackMs;
    });
  }

  /** Returns whether the actor may do it, or the person who approved the operation. */
  private allows({ actor_id, approval }: AnyOperation, action: Action): boolean {
    return [actor_id, approval?.actor_id].some((id) => {
      const person = id === undefined ? undefined : this.loaded.actors.users.get(id);
      return person !== undefined && may(person.role, action);
    });
  }

  /** Objects to an operation whose dependencies are not applied, or were given up. */
  private unmet(operation: AnyOperation): Decision | null {
    const { receipts, lastReplacements } = this.loaded;
    for (const dependency of operation.depends_on) {
      const receipt = currentReceipt(receipts, lastReplacements, dependency);
      if (receipt?.status !== 'applied') return waiting('DEPENDENCY_PENDING');
      // Depending on the void itself only orders the two; depending on what it gave up can never come true.
      if (receipt.kind === voidKind && receipts.get(dependency)?.kind !== voidKind) return refused('DEPENDENCY_VOIDED');
    }
    return null;
  }

  /**
   * SYNC-7: an operation can be replaced only while it is absent or refused and has no replacement yet. This refusal
   * comes before all others: an operation that came too late must not be tried again, or a second replacement would
   * double the first. It can be voided.
   */
  private isLate(incoming: Incoming): boolean {
    return this.replacedBy(incoming).some((old) => {
      const wasLate = !isReplaceable(codeOf(old)) && !isVoid(incoming.operation);
      return old.status === 'applied' || old.superseded_by !== null || wasLate;
    });
  }

  /** A void ends a chain of any length. */
  private isReplacedTooOften(incoming: Incoming): boolean {
    return !isVoid(incoming.operation) && this.replacedBy(incoming).some(({ replaced }) => replaced >= maxReplacements);
  }

  /** Applied beside what it may not close, a replacement could double it. */
  private foreign(incoming: Incoming): Decision | null {
    const { operation } = incoming;
    const isForeign = this.replacedBy(incoming).some((old) => !isReplacedBy(old, operation, this.loaded.actors));
    return isForeign ? refused('FORBIDDEN') : null;
  }

  private misplaced(incoming: Incoming): Decision | null {
    const { operation } = incoming;
    const wrong = this.replacedBy(incoming).find((old) => !standsFor(operation, old));
    if (!wrong) return null;
    const field = [operation.aggregate, unreadable].includes(wrong.aggregate) ? 'kind' : 'aggregate';
    return refused('VALIDATION', { [field]: 'does not match the operation' });
  }

  private replacedBy(incoming: Incoming): Receipt[] {
    return closes(incoming).flatMap((opId) => this.loaded.receipts.get(opId) ?? []);
  }
}
