/** Signs operations in the name of the person who acts, and of who approves (`domain/protocol/proof.ts`). */
import { approvedText, proofText, signedText } from '#domain/protocol/proof.ts';
import { hmacSha256 } from './sha256.ts';

/** The secret that proves that a person acts on a device. The server gives it at an online sign-in, for that session. */
export interface ActorKey {
  deviceId: number;
  sessionId: number;
  /** 32 bytes. */
  bytes: Uint8Array;
}

/** Somebody who approves what the actor alone may not do. Signs one command: `commit` takes the key away. */
export interface Approver {
  userId: number;
  key: ActorKey | null;
}

const encoder = new TextEncoder();

function proofBy({ sessionId, bytes }: ActorKey, text: string): string {
  const mac = hmacSha256(bytes, encoder.encode(text));
  return proofText(sessionId, Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}

export const proofOf = (key: ActorKey, operation: object): string => proofBy(key, signedText(operation));

/** @param operation without proof and approval */
export const approvalProofOf = (key: ActorKey, operation: object): string => proofBy(key, approvedText(operation));
