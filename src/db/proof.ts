/** Signs operations in the name of the person who acts (`domain/protocol/proof.ts`). */
import { signedText } from '../../domain/protocol/proof.ts';
import { hmacSha256 } from './sha256.ts';

/** The secret that proves that a person acts on a device. The server gives it at an online sign-in. */
export interface ActorKey {
  deviceId: number;
  /** 32 bytes. */
  bytes: Uint8Array;
}

const encoder = new TextEncoder();

export function proofOf(key: ActorKey, operation: object): string {
  const mac = hmacSha256(key.bytes, encoder.encode(signedText(operation)));
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
