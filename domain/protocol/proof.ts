/**
 * The proof of an operation: it shows who acted, and on which device, no matter who carries the operation (SYNC-8).
 *
 * The *actor key* of a session is an HMAC-SHA256 over `actorKeyLabel`, made with a secret of the clinic that only the server
 * has. A proof names the session whose key made it, and has the HMAC-SHA256 over `signedText`, made with that key, in
 * lower-case hexadecimal digits: `57.6f0c…`. The key says no less than the session, so the text does not cover its number.
 *
 * The proof of an approval is an HMAC-SHA256 over `approvedText`, made with the approver's actor key on the same device. The
 * actor's proof covers the approval, so neither can be moved to another operation or taken away.
 */
import { canonicalJson, canonicalObject } from '../wire/canonical-json.ts';

/** Whose key it is: a user's, on a device, in a session. */
export interface KeyOwner {
  userId: number;
  deviceId: number;
  sessionId: number;
}

/** The session of a proof that the server has made. No person has a key of it. */
export const serverSession = 0;

/** Returns the text from which the server derives an actor key. */
export const actorKeyLabel = ({ userId, deviceId, sessionId }: KeyOwner): string =>
  `actor-key\n${userId}\n${deviceId}\n${sessionId}`;

/** Returns a proof. @param mac in lower-case hexadecimal digits */
export const proofText = (sessionId: number, mac: string): string => `${sessionId}.${mac}`;

/** Returns the parts of a proof; null if the value is none. */
export function readProof(value: unknown): { sessionId: number; mac: string } | null {
  const [, session, mac] = (typeof value === 'string' && /^(0|[1-9]\d{0,8})\.([0-9a-f]{64})$/.exec(value)) || [];
  return session !== undefined && mac !== undefined ? { sessionId: Number(session), mac } : null;
}

/** The length of the longest proof. */
export const maxProofLength = 74;

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
