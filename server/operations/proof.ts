/** Verifies the proofs of operations and of approvals (`domain/protocol/proof.ts`). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { actorKeyLabel, approvedText, signedText } from '../../domain/protocol/proof.ts';

/** Returns the actor key of a user on a device: 32 bytes. @param secret the clinic's secret */
export const actorKeyOf = (secret: Uint8Array, userId: number, deviceId: number): Buffer =>
  createHmac('sha256', secret).update(actorKeyLabel(userId, deviceId)).digest();

type Signable = Pick<AnyOperation, 'actor_id' | 'device_id' | 'approval'>;

/** Returns an operation with new proofs of its actor, its approver and its device. @param secret the clinic's secret */
export function signedAgain<O extends Signable>(secret: Uint8Array, operation: O): O & { proof: string } {
  const macOf = (userId: number, text: string) =>
    createHmac('sha256', actorKeyOf(secret, userId, operation.device_id))
      .update(text)
      .digest('hex');
  const approver = operation.approval?.actor_id;
  const content =
    approver === undefined
      ? operation
      : { ...operation, approval: { actor_id: approver, proof: macOf(approver, approvedText(operation)) } };
  return { ...content, proof: macOf(operation.actor_id, signedText(content)) };
}

/**
 * Verifies operations as they were sent; other fields may be malformed. The second argument is the canonical JSON of the
 * payload.
 */
export interface Verifier {
  /** Returns whether an operation proves its actor and its device. */
  proves: (raw: Record<string, unknown>, payloadText: string) => boolean;
  /** Returns whether the approval that an operation carries was given for it, on its device. */
  approves: (raw: Record<string, unknown>, payloadText: string) => boolean;
}

/** Returns the verifier of one batch, which seldom has more than one author. @param secret the clinic's secret */
export function proofVerifier(secret: Uint8Array): Verifier {
  const keys = new Map<string, Buffer>();
  const keyOf = (userId: number, deviceId: number): Buffer => {
    const label = actorKeyLabel(userId, deviceId);
    const key = keys.get(label) ?? actorKeyOf(secret, userId, deviceId);
    keys.set(label, key);
    return key;
  };
  /** @param text is asked for once the ids and the proof have a form that can be valid */
  const isSigned = (userId: unknown, deviceId: unknown, proof: unknown, text: () => string): boolean => {
    if (!Number.isInteger(userId) || !Number.isInteger(deviceId) || typeof proof !== 'string') return false;
    const mac = createHmac('sha256', keyOf(userId as number, deviceId as number))
      .update(text())
      .digest();
    const given = Buffer.from(proof, 'hex');
    return given.length === mac.length && timingSafeEqual(given, mac);
  };
  return {
    proves: (raw, payloadText) =>
      isSigned(raw['actor_id'], raw['device_id'], raw['proof'], () => signedText(raw, payloadText)),
    approves: (raw, payloadText) => {
      const { actor_id, proof } = (raw['approval'] ?? {}) as Record<string, unknown>;
      return isSigned(actor_id, raw['device_id'], proof, () => approvedText(raw, payloadText));
    },
  };
}
