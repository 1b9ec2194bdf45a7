/** Verifies the proofs of operations (`domain/protocol/proof.ts`). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { actorKeyLabel, signedText } from '../../domain/protocol/proof.ts';

/** Returns the actor key of a user on a device: 32 bytes. @param secret the clinic's secret */
export const actorKeyOf = (secret: Uint8Array, userId: number, deviceId: number): Buffer =>
  createHmac('sha256', secret).update(actorKeyLabel(userId, deviceId)).digest();

/** Returns an operation with a proof of its actor and device. @param secret the clinic's secret */
export function signedAgain<O extends Pick<AnyOperation, 'actor_id' | 'device_id'>>(
  secret: Uint8Array,
  operation: O,
): O & { proof: string } {
  const key = actorKeyOf(secret, operation.actor_id, operation.device_id);
  return { ...operation, proof: createHmac('sha256', key).update(signedText(operation)).digest('hex') };
}

/**
 * Returns whether an operation, as it was sent, proves its actor and its device. Other fields may be malformed. The second
 * argument is the canonical JSON of its payload.
 */
export type Verify = (raw: Record<string, unknown>, payloadText: string) => boolean;

/** Returns the verification for one batch, which seldom has more than one author. @param secret the clinic's secret */
export function proofVerifier(secret: Uint8Array): Verify {
  const keys = new Map<string, Buffer>();
  const keyOf = (userId: number, deviceId: number): Buffer => {
    const label = actorKeyLabel(userId, deviceId);
    const key = keys.get(label) ?? actorKeyOf(secret, userId, deviceId);
    keys.set(label, key);
    return key;
  };
  return (raw, payloadText) => {
    const { actor_id: userId, device_id: deviceId, proof } = raw;
    if (!Number.isInteger(userId) || !Number.isInteger(deviceId) || typeof proof !== 'string') return false;
    const mac = createHmac('sha256', keyOf(userId as number, deviceId as number))
      .update(signedText(raw, payloadText))
      .digest();
    const given = Buffer.from(proof, 'hex');
    return given.length === mac.length && timingSafeEqual(given, mac);
  };
}
