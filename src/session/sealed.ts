/** Values that only the holder of a key can read, by AES-GCM. */
import type { Sealed } from '../db/database.ts';

/** Returns false on insecure origins, where browsers offer no cryptography. Pages there can't work offline anyway. */
export const canSeal = (): boolean => Boolean(globalThis.crypto?.subtle);

/** Makes a key that no script can read out. */
export const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

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
