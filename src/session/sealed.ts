/** Values that only the holder of a key can read, by AES-GCM. */
import type { Sealed } from '../db/database.ts';

/** Returns false on insecure origins, where browsers offer no cryptography. Pages there can't work offline anyway. */
export const canSeal = (): boolean => Boolean(globalThis.crypto?.subtle);

const keyKind = { name: 'AES-GCM', length: 256 };
const keyUses: KeyUsage[] = ['encrypt', 'decrypt'];

/** Makes a key. Scripts can read it out, because it is wrapped and stored (`unlocked.ts`). */
export const newKey = (): Promise<CryptoKey> => crypto.subtle.generateKey(keyKind, true, keyUses);

export const keyBytes = async (key: CryptoKey): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.exportKey('raw', key));

export const keyOf = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, keyKind, true, keyUses);

/** Wraps a key by another (AES-KW). */
export const wrapKey = (key: CryptoKey, wrapping: CryptoKey): Promise<ArrayBuffer> =>
  crypto.subtle.wrapKey('raw', key, wrapping, 'AES-KW');

/** Returns null if another key wraps it. */
export async function unwrapKey(wrapped: ArrayBuffer, wrapping: CryptoKey): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.unwrapKey('raw', wrapped, wrapping, 'AES-KW', keyKind, true, keyUses);
  } catch {
    return null;
  }
}

export async function seal(key: CryptoKey, value: unknown): Promise<Sealed> {
  // Always random: AES-GCM is broken by a second use of one vector under one key.
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(value));
  return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text) };
}

/** Returns null if the value is sealed by another key, or changed. */
export async function open<Value>(key: CryptoKey, { iv, data }: Sealed): Promise<Value | null> {
  try {
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data);
    return JSON.parse(new TextDecoder().decode(text)) as Value;
  } catch {
    return null;
  }
}
