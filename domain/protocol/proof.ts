/**
 * The proof of an operation: it shows who acted, and on which device, whoever carries the operation (SYNC-8).
 *
 * The *actor key* of a user on a device is an HMAC-SHA256 over `actorKeyLabel`, made with a secret of the clinic that
 * only the server has. The proof is an HMAC-SHA256 over `signedText`, made with the actor key, in lower-case hexadecimal
 * digits.
 *
 * The proof of an approval is an HMAC-SHA256 over `approvedText`, made with the approver's actor key on the same device. The
 * actor's proof covers the approval, so neither can be moved to another operation or taken away.
 */
import { canonicalJson, canonicalObject } from './canonical-json.ts';

/** Returns the text from which the server derives the actor key of a user on a device. */
export const actorKeyLabel = (userId: number, deviceId: number): string => `actor-key\n${userId}\n${deviceId}`;

/**
 * Returns the text that the proof of an operation covers: the canonical JSON of all its fields but the proof.
 *
 * @param payloadText the canonical JSON of the payload, for a caller that has it already
 */
export function signedText(operation: object, payloadText?: string): string {
  const { proof: _proof, ...covered } = operation as { proof?: unknown };
  return canonicalObject(covered, (key, value) => (key === 'payload' && payloadText) || canonicalJson(value));
}

/**
 * Returns the text that the proof of an approval covers: the operation without both proofs, under a label, so that no
 * approval can pass for the proof of an operation.
 */
export function approvedText(operation: object, payloadText?: string): string {
  const { approval: _approval, ...covered } = operation as { approval?: unknown };
  return `approval\n${signedText(covered, payloadText)}`;
}
