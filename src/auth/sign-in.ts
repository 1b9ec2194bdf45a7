/** Signs in at the server, or with this device's verifier if the server does not answer or turns everybody away. */
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { DeviceReply, DeviceRequest } from '#domain/protocol/sync.ts';
import { faultOf, publicApi } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { setLinkStatus } from '../db/outages.ts';
import { deviceRequest, saveDevice } from '../db/singletons.ts';
import { pruneVerifiers } from '../db/verifiers.ts';
import { holdActorKey, holdKeys, personalKey, signInToken } from '../session/keys.ts';
import { mirrorSession } from '../session/mirror.ts';
import { canSeal, newKey, open, seal } from '../session/sealed.ts';
import { beginOnline, useSession } from '../session/session.ts';
import { readToken, withoutSignature } from '../session/token.ts';
import type { StoredActorKey } from '../session/unlocked.ts';
import { dropUnreadable, enter } from './unlock.ts';
import { openVault, rememberPerson, verifyOffline } from './verifier.ts';
import type { Vault } from './verifier.ts';

export type SignInFault =
  | { code: ErrorCode | 'NETWORK' | 'UNEXPECTED'; message: string }
  | { code: 'UNKNOWN' | 'TOO_OLD' | 'DEVICE' }
  | { code: 'LOCKED'; waitMs: number };

export type SignInAnswer = { ok: true } | { ok: false; fault: SignInFault };

export interface Device {
  db: ClinicDatabase;
  ports: Ports;
}

/** What a sign-in gives: a token, which says whose it is. */
export interface SignedIn {
  accessToken: string;
}

export interface Credentials {
  email: string;
  password: string;
}

export async function signIn(device: Device, { email, password }: Credentials): Promise<SignInAnswer> {
  const { db } = device;
  const known = await db.device.get('this');
  const proof = known && { device_id: known.device_id, device_key: known.device_key };
  let signedIn: SignedIn;
  try {
    const reply = await publicApi
      .post('users/login', { json: { email, password, ...proof } })
      .json<{ success: true; data: SignedIn }>();
    signedIn = reply.data;
  } catch (error) {
    const fault = await faultOf(error);
    if (!isUnanswered(fault)) return { ok: false, fault };
    const offline = await signInOffline(device, { email, password });
    const isStranger = !offline.ok && (offline.fault.code === 'UNKNOWN' || offline.fault.code === 'TOO_OLD');
    return isStranger && fault.code !== 'NETWORK' ? { ok: false, fault } : offline;
  }
  return begin(device, signedIn, (address) => openVault(db, { email: address, password }));
}

/**
 * Begins the session that the server has just given.
 *
 * @param openOf opens the vault of its person, or makes one; null on insecure origins
 */
export async function begin(
  { db, ports }: Device,
  { accessToken: token }: SignedIn,
  openOf: (email: string) => Promise<Vault | null>,
): Promise<SignInAnswer> {
  const claims = readToken(token);
  if (!claims) return { ok: false, fault: { code: 'UNEXPECTED', message: '' } };
  const { user, exp } = claims;
  const [bound, vault] = await Promise.all([bindDevice(db, token), openOf(user.email)]);
  if ('fault' in bound) return { ok: false, fault: bound.fault };
  const { actor, sync, page } = bound;
  if (vault) {
    const row = await rememberPerson(db, ports, vault, {
      user,
      actor,
      token,
      sync: sync ? { token: sync, exp } : undefined,
    });
    const { key } = vault;
    await holdKeys({ userId: user.id, key, actor: actor ?? (await open(key, row.actor)), token });
  } else if (actor) holdActorKey(user.id, actor);
  await Promise.all([dropUnreadable(db, user.role), pruneVerifiers(db, ports.now())]);
  await mirrorSession(db, { user, exp, token: sync });
  // The server has just answered, so nothing may call it unreachable until the first pull.
  await setLinkStatus(db, 'online', ports.now());
  // Without a vault, on insecure origins, a reload could not ask for another token.
  beginOnline(vault ? (page ?? withoutSignature(token)) : token, user);
  // Asks the browser not to evict this device's data when storage runs short; a refusal changes nothing here.
  void navigator.storage?.persist?.();
  return { ok: true };
}

/** Whether the server said nothing about the password: no reply, too many attempts, or too busy. */
const isUnanswered = ({ code }: CallFault): boolean =>
  code === 'NETWORK' || (code !== 'UNEXPECTED' && [429, 503].includes(errorCatalogue[code].status));

async function signInOffline({ db, ports }: Device, credentials: Credentials): Promise<SignInAnswer> {
  const answer = await verifyOffline(db, ports, credentials);
  if (answer.ok) {
    await enter(db, answer, ports.now());
    return { ok: true };
  }
  if (answer.code === 'LOCKED') return { ok: false, fault: { code: 'LOCKED', waitMs: answer.waitMs } };
  if (answer.code === 'CREDENTIALS_INVALID') return { ok: false, fault: { code: answer.code, message: '' } };
  return { ok: false, fault: { code: answer.code } };
}

/**
 * Identifies this device to the server, or enrols a new one (SYNC-12). A device that the server no longer knows, as
 * after a restore, enrols again and keeps its queue. Without an answer a known device continues; a new one can't,
 * because it has no document numbers.
 */
async function bindDevice(db: ClinicDatabase, token: string): Promise<Bound | { fault: SignInFault }> {
  const known = await db.device.get('this');
  const enrol: DeviceRequest = {};
  const hello = known ? deviceRequest(known) : null;
  let bound = await postDevice(db, token, hello ?? enrol);
  if ('fault' in bound && bound.fault.code === 'DEVICE_UNKNOWN' && hello) bound = await postDevice(db, token, enrol);
  if ('fault' in bound && bound.fault.code === 'NETWORK')
    return known ? { actor: null } : { fault: { code: 'DEVICE' } };
  return bound;
}

/** What the server gives to a person on this device. */
interface Bound {
  /** Null when the server did not answer. */
  actor: StoredActorKey | null;
  /** The token that only syncs. */
  sync?: string | undefined;
  /** The token for the cookie. */
  page?: string | undefined;
}

async function postDevice(
  db: ClinicDatabase,
  token: string,
  json: DeviceRequest,
): Promise<Bound | { fault: CallFault }> {
  try {
    const { data } = await publicApi
      .post('devices', { json, headers: { authorization: `Bearer ${token}` } })
      .json<{ success: true; data: DeviceReply }>();
    await saveDevice(db, data);
    const { device_id: deviceId, actor_key: key, session_id: sessionId, sync_token, page_token } = data;
    const actor = key === undefined || sessionId === undefined ? null : { deviceId, sessionId, key };
    return { actor, sync: sync_token, page: page_token };
  } catch (error) {
    return { fault: await faultOf(error) };
  }
}

/**
 * Asks the server again for the actor key and for the token that only syncs, when a reload could not restore them: on an
 * insecure origin, after the browser has evicted the database, and after a sign-in without a reply about the device.
 */
export async function renewKeys(db: ClinicDatabase, token: string): Promise<void> {
  const claims = readToken(token);
  const { user } = useSession.getState();
  if (!claims || user?.id !== claims.user.id) return;
  const bound = await bindDevice(db, token);
  if ('fault' in bound || !bound.actor) return;
  const { exp } = claims;
  const { actor, sync } = bound;
  if (canSeal()) {
    const own = await personalKey();
    const key = own ?? (await newKey());
    await holdKeys({ userId: user.id, key, actor, token: await signInToken() });
    if (own) {
      const sealed = await seal(key, actor);
      await db.verifiers.update(emailKey(user.email), { actor: sealed, sync: sync ? { token: sync, exp } : undefined });
    }
  } else holdActorKey(user.id, actor);
  await mirrorSession(db, { user, exp, token: sync });
}
