/**
 * The vault of a person on this device. A random *data key* seals what only this person may use: the actor key and the
 * session token. The data key is stored wrapped by a key from the password, and by one from the PIN if there is one. To
 * unwrap it is the verification: no hash of either is stored.
 *
 *     password ──PBKDF2──▶ wrapping key ──AES-KW──▶ data key ──AES-GCM──▶ actor key, session token
 *          PIN ──PBKDF2──▶ wrapping key ──AES-KW──────┘
 */
import type { Wrapped } from '../db/database.ts';

/** Rounds of PBKDF2-SHA-256. OWASP asks for 600,000. */
export const passwordRounds = 600_000;
/**
 * A PIN has few digits, so each try costs more: as much as a slow tablet bears, about 1.3 s where a desktop core needs
 * 0.3 s.
 */
export const pinRounds = 1_800_000;

const keyKind = { name: 'AES-GCM', length: 256 };
const keyUses: KeyUsage[] = ['encrypt', 'decrypt'];

export const noFailures = { failures: 0, locked_until: 0 };

async function wrappingKey(secret: string, { salt, rounds }: Pick<Wrapped, 'salt' | 'rounds'>): Promise<CryptoKey> {
  const text = new TextEncoder().encode(secret);
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds };
  return crypto.subtle.deriveKey(how, material, { name: 'AES-KW', length: 256 }, false, ['wrapKey', 'unwrapKey']);
}

/** Makes a data key. It can be wrapped; `lockedIn` returns the form that is kept. */
export const newDataKey = (): Promise<CryptoKey> => crypto.subtle.generateKey(keyKind, true, keyUses);

/** Returns the same key in a form that no script can read out. */
export async function lockedIn(key: CryptoKey): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', await crypto.subtle.exportKey('raw', key), keyKind, false, keyUses);
}

export async function wrap(key: CryptoKey, secret: string, rounds: number): Promise<Wrapped> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const wrapping = await wrappingKey(secret, { salt, rounds });
  return { salt, rounds, key: await crypto.subtle.wrapKey('raw', key, wrapping, 'AES-KW'), ...noFailures };
}

/**
 * Unwraps the data key; returns null if the secret is wrong.
 *
 * @param extractable true to wrap the key again, by another secret
 */
export async function unwrap(wrapped: Wrapped, secret: string, extractable = false): Promise<CryptoKey | null> {
  const wrapping = await wrappingKey(secret, wrapped);
  try {
    return await crypto.subtle.unwrapKey('raw', wrapped.key, wrapping, 'AES-KW', keyKind, extractable, keyUses);
  } catch {
    return null;
  }
}
