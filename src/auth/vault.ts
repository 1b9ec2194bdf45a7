/**
 * The vault of a person on this device. A random *data key* seals what only this person may use: the actor key and the
 * session token. The data key is stored wrapped by a key from the password, and by one from the PIN if there is one. To
 * unwrap it is the verification: no hash of either is stored.
 *
 *     password ──PBKDF2──▶ wrapping key ──AES-KW──▶ data key ──AES-GCM──▶ actor key, session token
 *          PIN ──PBKDF2──▶ wrapping key ──AES-KW──────┘
 */
import type { Wrapped } from '../db/database.ts';
import { unwrapKey, wrapKey } from '../session/sealed.ts';

/** Rounds of PBKDF2-SHA-256. OWASP asks for 600,000. */
export const passwordRounds = 600_000;
/** The bounds of what a PIN takes. Between them a try costs as much as its person waits for at the lock, on this device. */
export const pinRounds = { fewest: 300_000, most: 1_800_000 };
const pinWaitMs = 200;
const sampleRounds = 100_000;
const samples = 3;
/** WebKit derives nothing from an empty secret. */
const sampleSecret = '0000';

/** Measures how many rounds a PIN takes on this device. The fastest sample counts: other work only slows one down. */
export async function measurePinRounds(): Promise<number> {
  const salt = new Uint8Array(16);
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const startedMs = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- At the same time they would slow each other down.
    await wrappingKey(sampleSecret, { salt, rounds: sampleRounds });
    times.push(performance.now() - startedMs);
  }
  return pinRoundsFor(Math.min(...times) / sampleRounds);
}

export const pinRoundsFor = (roundMs: number): number =>
  Math.min(pinRounds.most, Math.max(pinRounds.fewest, Math.floor(pinWaitMs / roundMs)));

export const noFailures = { failures: 0, locked_until: 0 };

/** Derives the key that wraps the data key. It opens nothing by itself, so it may be derived before an attempt is counted. */
export async function wrappingKey(
  secret: string,
  { salt, rounds }: Pick<Wrapped, 'salt' | 'rounds'>,
): Promise<CryptoKey> {
  const text = new TextEncoder().encode(secret);
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds };
  return crypto.subtle.deriveKey(how, material, { name: 'AES-KW', length: 256 }, false, ['wrapKey', 'unwrapKey']);
}

export async function wrap(key: CryptoKey, secret: string, rounds: number): Promise<Wrapped> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const wrapping = await wrappingKey(secret, { salt, rounds });
  return { salt, rounds, key: await wrapKey(key, wrapping), ...noFailures };
}

/** Unwraps the data key; returns null if the secret is wrong. */
export async function unwrap(wrapped: Wrapped, secret: string): Promise<CryptoKey | null> {
  return unwrapKey(wrapped.key, await wrappingKey(secret, wrapped));
}
