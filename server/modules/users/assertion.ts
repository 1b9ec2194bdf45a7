/**
 * Verifies assertions of WebAuthn: an authenticator that has verified its person signs a challenge of this server. Only ES256,
 * which every authenticator knows, and no attestation: whose the key is, the password said when it was added.
 */
import { createHash, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { keyedHash } from '#server/http/idempotency.ts';
import type { KnownDevice } from './throttle.ts';

/** A challenge waits for a person who looks for their key. */
const challengeMs = 3 * 60_000;
const timeBytes = 8;
const headBytes = timeBytes + 16;

/** Signs the time and random bytes for one device, so that no challenge needs to be stored. */
const sealOf = (secret: Uint8Array, { clinicId, deviceId }: KnownDevice, head: Buffer): Buffer =>
  Buffer.from(keyedHash(secret, `challenge ${clinicId} ${deviceId} ${head.toString('base64url')}`), 'base64url');

export function newChallenge(secret: Uint8Array, device: KnownDevice, nowMs: number): string {
  const head = Buffer.alloc(headBytes);
  head.writeBigUInt64BE(BigInt(nowMs));
  randomBytes(headBytes - timeBytes).copy(head, timeBytes);
  return Buffer.concat([head, sealOf(secret, device, head)]).toString('base64url');
}

/** Returns when a challenge was made; null unless this server made it for this device a short while ago. */
export function challengedAt(secret: Uint8Array, device: KnownDevice, challenge: string, nowMs: number): number | null {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, headBytes);
  if (bytes.toString('base64url') !== challenge || head.length < headBytes) return null;
  const [seal, expected] = [bytes.subarray(headBytes), sealOf(secret, device, head)];
  if (seal.length !== expected.length || !timingSafeEqual(seal, expected)) return null;
  const atMs = Number(head.readBigUInt64BE());
  return atMs <= nowMs && nowMs - atMs <= challengeMs ? atMs : null;
}

/** Returns a public key for ES256; null for any other. @param spki in DER */
function es256Key(spki: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const isFit = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return isFit ? key : null;
  } catch {
    return null;
  }
}

export interface Assertion {
  /** JSON, as the browser wrote it. */
  clientData: Buffer;
  authenticatorData: Buffer;
  /** In DER. */
  signature: Buffer;
}

// Browsers may add fields.
const clientDataSchema = z.looseObject({
  type: z.literal('webauthn.get'),
  challenge: z.string().max(200),
  origin: z.url({ protocol: /^https?$/ }).max(300),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
});

export type ClientData = Pick<z.output<typeof clientDataSchema>, 'challenge' | 'origin'>;

/** Returns what the browser says that it asked of the authenticator; null if it is no assertion by one of its own pages. */
export function readClientData({ clientData }: Pick<Assertion, 'clientData'>): ClientData | null {
  try {
    const { data } = clientDataSchema.safeParse(JSON.parse(clientData.toString('utf8')));
    return data ? { challenge: data.challenge, origin: new URL(data.origin).origin } : null;
  } catch {
    return null;
  }
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40, extended: 0x80 };
const shortest = 37;
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/**
 * Returns the authenticator's count of signatures if it signed for this origin, after it has verified its person.
 *
 * @param origin the one for which the key was made; its host is the id of the relying party
 */
export function verifyAssertion(
  { clientData, authenticatorData: data, signature }: Assertion,
  { origin, publicKey }: { origin: string; publicKey: Buffer },
): number | null {
  const key = es256Key(publicKey);
  const said = readClientData({ clientData });
  if (!key || said?.origin !== origin || data.length < shortest) return null;
  const given = data.readUInt8(32);
  const isVerified = (given & flags.present) !== 0 && (given & flags.verified) !== 0;
  const isWhole = (given & flags.attested) === 0 && ((given & flags.extended) !== 0 || data.length === shortest);
  if (!isVerified || !isWhole || !data.subarray(0, 32).equals(sha256(new URL(origin).hostname))) return null;
  const signed = Buffer.concat([data, sha256(clientData)]);
  return verify('sha256', signed, key, signature) ? data.readUInt32BE(33) : null;
}
