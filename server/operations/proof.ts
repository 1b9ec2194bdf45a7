/** Verifies the proofs of operations and of approvals (`domain/protocol/proof.ts`). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { KeyOwner } from '#domain/protocol/proof.ts';
import {
  actorKeyLabel,
  approvedText,
  proofText,
  readProof,
  serverSession,
  signedText,
} from '#domain/protocol/proof.ts';

/** Returns an actor key: 32 bytes. @param secret the clinic's secret */
export const actorKeyOf = (secret: Uint8Array, owner: KeyOwner): Buffer =>
  createHmac('sha256', secret).update(actorKeyLabel(owner)).digest();

type Signable = Pick<AnyOperation, 'actor_id' | 'device_id' | 'approval'>;

/**
 * Returns an operation with new proofs of its actor, its approver and its device. They belong to no session, so none ends them.
 *
 * @param secret the clinic's secret
 */
export function signedAgain<O extends Signable>(secret: Uint8Array, operation: O): O & { proof: string } {
  const owner = { deviceId: operation.device_id, sessionId: serverSession };
  const proofBy = (userId: number, text: string) =>
    proofText(
      serverSession,
      createHmac('sha256', actorKeyOf(secret, { ...owner, userId }))
        .update(text)
        .digest('hex'),
    );
  const approver = operation.approval?.actor_id;
  const content =
    approver === undefined
      ? operation
      : { ...operation, approval: { actor_id: approver, proof: proofBy(approver, approvedText(operation)) } };
  return { ...content, proof: proofBy(operation.actor_id, signedText(content)) };
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
  const keyOf = (owner: KeyOwner): Buffer => {
    const label = actorKeyLabel(owner);
    const key = keys.get(label) ?? actorKeyOf(secret, owner);
    keys.set(label, key);
    return key;
  };
  /** @param text is asked for once the ids and the proof have a form that can be valid */
  const isSigned = (userId: unknown, deviceId: unknown, proof: unknown, text: () => string): boolean => {
    const given = readProof(proof);
    if (!given || !Number.isInteger(userId) || !Number.isInteger(deviceId)) return false;
    const owner = { userId: userId as number, deviceId: deviceId as number, sessionId: given.sessionId };
    const mac = createHmac('sha256', keyOf(owner)).update(text()).digest();
    return timingSafeEqual(Buffer.from(given.mac, 'hex'), mac);
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
