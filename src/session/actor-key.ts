/** The key by which the signed-in person proves operations on this device (`src/db/proof.ts`). */
import type { ActorKey } from '../db/proof.ts';

let held: { userId: number; key: ActorKey } | null = null;

export function holdActorKey(userId: number, key: ActorKey): void {
  held = { userId, key };
}

export function forgetActorKey(): void {
  held = null;
}

/** Returns the person's key; null when this device does not hold it. */
export const actorKeyOf = (userId: number): Promise<ActorKey | null> =>
  Promise.resolve(held?.userId === userId ? held.key : null);

/** Reads a key as the server sends it: base64url. */
export const readActorKey = (deviceId: number, text: string): ActorKey => ({
  deviceId,
  bytes: Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0)),
});
