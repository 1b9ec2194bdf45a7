/**
 * Passkeys open a person's vault in place of the PIN. The authenticator (a security key, a phone, the chip of a device of one's
 * own) derives a secret for this credential after it has verified its person, by the PRF extension of WebAuthn. The secret
 * wraps the data key, so that nobody guesses it from a copy of the tablet, and it needs no server.
 *
 *     authenticator ──PRF──▶ secret ──HKDF──▶ wrapping key ──AES-KW──▶ data key (vault.ts)
 */
import type { PasskeyAssertion } from '#domain/protocol/sync.ts';
import { api, publicApi } from '../api/client.ts';
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase, VerifierRow, WrappedByPasskey } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { canSeal, unwrapKey, wrapKey } from '../session/sealed.ts';
import { fromBase64Url, toBase64Url } from '../session/token.ts';
import { isRecent, verifyOffline, vouched } from './verifier.ts';
import type { OfflineAnswer, OfflineRefusal } from './verifier.ts';

/** `PASSKEY_UNFIT`: the authenticator derives no secrets, or belongs to another vault. `CANCELLED`: nobody confirmed. */
export type PasskeyAnswer =
  | (Extract<OfflineAnswer, { ok: true }> & { proof?: PasskeyAssertion | undefined })
  | OfflineRefusal
  | { ok: false; code: 'PASSKEY_UNFIT' }
  | { ok: false; code: 'CANCELLED' };

/** A security key or a phone that a person carries, or the device itself, whose screen lock others may know. */
export type PasskeyPlace = 'carried' | 'device';

const timeoutMs = 60_000;
/** A server that does not answer makes nobody wait for long. */
const challengeTimeoutMs = 1_500;
const es256 = -7;
const purpose = new TextEncoder().encode('dental-counter data key');

/** What the two calls answer that TypeScript does not know yet. */
interface PrfOutputs {
  prf?: { enabled?: boolean; results?: { first?: BufferSource } };
}

const randomBytes = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));

/** Returns whether this browser may know passkeys that derive secrets. Addresses without a name can have none. */
export async function canUsePasskeys(): Promise<boolean> {
  if (!canSeal() || typeof PublicKeyCredential === 'undefined' || /^[\d.]+$|:/.test(location.hostname)) return false;
  const { getClientCapabilities } = PublicKeyCredential as unknown as {
    getClientCapabilities?: () => Promise<Record<string, boolean>>;
  };
  // Browsers before this call say at the first passkey whether they can.
  const capabilities = await getClientCapabilities?.call(PublicKeyCredential).catch(() => null);
  return capabilities?.['extension:prf'] !== false;
}

async function wrappingKey(secret: BufferSource): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: purpose };
  return crypto.subtle.deriveKey(how, material, { name: 'AES-KW', length: 256 }, false, ['wrapKey', 'unwrapKey']);
}

interface Credential {
  id: Uint8Array<ArrayBuffer>;
  salt: Uint8Array<ArrayBuffer>;
}

/** What the authenticator answers. */
interface Asserted {
  /** Which of the credentials it was. */
  id: Uint8Array<ArrayBuffer>;
  secret: BufferSource;
  /** For the server, if it asked. */
  proof: PasskeyAssertion;
}

const base64Url = (bytes: ArrayBuffer): string => toBase64Url(new Uint8Array(bytes));

/**
 * Has the authenticator of one of the credentials derive its secret and sign a challenge; null if it cannot.
 *
 * @param challenge the server's, if it is to know. @throws if nobody confirms
 */
async function assert(credentials: readonly Credential[], challenge: string | null): Promise<Asserted | null> {
  const evalByCredential = Object.fromEntries(credentials.map(({ id, salt }) => [toBase64Url(id), { first: salt }]));
  const asserted = (await navigator.credentials.get({
    publicKey: {
      challenge: challenge === null ? randomBytes() : fromBase64Url(challenge),
      allowCredentials: credentials.map(({ id }) => ({ type: 'public-key', id })),
      userVerification: 'required',
      timeout: timeoutMs,
      extensions: { prf: { evalByCredential } },
    },
  })) as PublicKeyCredential | null;
  const secret = (asserted?.getClientExtensionResults() as PrfOutputs | undefined)?.prf?.results?.first;
  if (!asserted || !secret) return null;
  const id = new Uint8Array(asserted.rawId);
  const { clientDataJSON, authenticatorData, signature } = asserted.response as AuthenticatorAssertionResponse;
  const proof = {
    credential_id: toBase64Url(id),
    client_data: base64Url(clientDataJSON),
    authenticator_data: base64Url(authenticatorData),
    signature: base64Url(signature),
  };
  return { id, secret, proof };
}

/** Asks the server for a challenge; null without an answer, when the passkey opens the vault all the same. */
async function askChallenge(db: ClinicDatabase): Promise<string | null> {
  const device = await db.device.get('this');
  if (!device || !navigator.onLine) return null;
  const json = { device_id: device.device_id, device_key: device.device_key };
  try {
    const { data } = await publicApi
      .post('auth/passkeys/challenge', { json, timeout: challengeTimeoutMs })
      .json<{ data: { challenge: string } }>();
    return data.challenge;
  } catch {
    return null;
  }
}

interface NewCredential extends Credential {
  /** For the server. Null if the browser does not tell. */
  publicKey: ArrayBuffer | null;
}

/** Makes a credential for a person. @throws if nobody confirms */
async function makeCredential({ user }: VerifierRow, place: PasskeyPlace): Promise<NewCredential | null> {
  const created = (await navigator.credentials.create({
    publicKey: {
      challenge: randomBytes(),
      rp: { name: document.title },
      user: { id: randomBytes(), name: user.email, displayName: user.name },
      pubKeyCredParams: [{ type: 'public-key', alg: es256 }],
      authenticatorSelection: {
        authenticatorAttachment: place === 'device' ? 'platform' : 'cross-platform',
        userVerification: 'required',
      },
      timeout: timeoutMs,
      extensions: { prf: {} },
    },
  })) as PublicKeyCredential | null;
  const isFit = (created?.getClientExtensionResults() as PrfOutputs | undefined)?.prf?.enabled === true;
  if (!created || !isFit) return null;
  const publicKey = (created.response as AuthenticatorAttestationResponse).getPublicKey?.() ?? null;
  return { id: new Uint8Array(created.rawId), salt: randomBytes(), publicKey };
}

/** Runs a call of the authenticator. A person who confirms nothing, and a browser that refuses, are no fault. */
async function confirmed<Value>(call: () => Promise<Value | null>): Promise<Value | 'CANCELLED' | 'PASSKEY_UNFIT'> {
  try {
    return (await call()) ?? 'PASSKEY_UNFIT';
  } catch (error) {
    if (error instanceof DOMException) return 'CANCELLED';
    throw error;
  }
}

/**
 * Adds a passkey, after verifying the password. A person has one per device; the last one counts. If the server answers, the
 * passkey signs in there too.
 */
export async function addPasskey(
  db: ClinicDatabase,
  ports: Ports,
  { email, password, place }: { email: string; password: string; place: PasskeyPlace },
): Promise<PasskeyAnswer> {
  const answer = await verifyOffline(db, ports, { email, password });
  if (!answer.ok) return answer;
  const made = await confirmed(async () => {
    const credential = await makeCredential(answer.row, place);
    const challenge = credential && (await askChallenge(db));
    const asserted = credential && (await assert([credential], challenge));
    return credential && asserted && { ...credential, ...asserted, isForServer: challenge !== null };
  });
  if (typeof made === 'string') return { ok: false, code: made };
  const { id, salt, publicKey, secret, proof, isForServer } = made;
  const passkey: WrappedByPasskey = { id, salt, key: await wrapKey(answer.key, await wrappingKey(secret)) };
  await db.verifiers.update(emailKey(email), { passkey });
  if (isForServer && publicKey)
    await tellServer('auth/passkeys', { password, public_key: base64Url(publicKey), ...proof });
  return answer;
}

/** Best effort: without the server the passkey opens the vault, and a session that has expired takes the password. */
const tellServer = (path: string, json: object): Promise<unknown> => api.post(path, { json }).catch(() => undefined);

export async function removePasskey(db: ClinicDatabase, email: string): Promise<void> {
  const passkey = (await db.verifiers.get(emailKey(email)))?.passkey;
  await db.verifiers.update(emailKey(email), { passkey: undefined });
  if (passkey) await tellServer('auth/passkeys/remove', { credential_id: toBase64Url(passkey.id) });
}

const isOf = (id: Uint8Array, { passkey }: VerifierRow): boolean =>
  passkey !== undefined && toBase64Url(passkey.id) === toBase64Url(id);

/** Returns the people of this device who have a passkey on it, the one with an email address or all. */
async function peopleWithPasskey(db: ClinicDatabase, email: string | null): Promise<VerifierRow[]> {
  const row = email === null ? undefined : await db.verifiers.get(emailKey(email));
  const rows = email === null ? await db.verifiers.toArray() : row ? [row] : [];
  return rows.filter(({ passkey }) => passkey);
}

/** Returns whether somebody can sign in here by a passkey. */
export const hasPasskeys = async (db: ClinicDatabase, nowMs: number): Promise<boolean> =>
  canSeal() && (await peopleWithPasskey(db, null)).some((row) => isRecent(row, nowMs));

/**
 * Opens the vault of a person by their passkey. There is nothing to guess, so no attempt is counted.
 *
 * @param email null for any of the device's people
 * @param signsIn true to prove it to the server as well, if a person's session has expired
 */
export async function verifyPasskey(
  db: ClinicDatabase,
  ports: Ports,
  { email, signsIn }: { email: string | null; signsIn: boolean },
): Promise<PasskeyAnswer> {
  const known = await peopleWithPasskey(db, email);
  if (!canSeal() || known.length === 0) return { ok: false, code: 'UNKNOWN' };
  const people = known.filter((row) => isRecent(row, ports.now()));
  if (people.length === 0) return { ok: false, code: 'TOO_OLD' };
  const isExpired = people.some(({ sync }) => !sync || sync.exp * 1000 <= ports.now());
  const challenge = signsIn && isExpired ? await askChallenge(db) : null;
  const asserted = await confirmed(() =>
    assert(
      people.map(({ passkey }) => passkey!),
      challenge,
    ),
  );
  if (typeof asserted === 'string') return { ok: false, code: asserted };
  const row = people.find((one) => isOf(asserted.id, one));
  const key = row && (await unwrapKey(row.passkey!.key, await wrappingKey(asserted.secret)));
  if (!row || !key) return { ok: false, code: 'PASSKEY_UNFIT' };
  return { ...vouched(row, key), proof: challenge === null ? undefined : asserted.proof };
}
