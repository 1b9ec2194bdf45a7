/** Signs in at the server, or with this device's verifier if the server does not answer or turns everybody away. */
import { errorCatalogue } from '../../domain/protocol/errors.ts';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import type { DeviceReply, DeviceRequest } from '../../domain/protocol/sync.ts';
import { faultOf, publicApi } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import type { ClinicDatabase } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { deviceRequest, saveDevice } from '../db/singletons.ts';
import { holdActorKey, readActorKey } from '../session/actor-key.ts';
import { mirrorSession } from '../session/mirror.ts';
import { beginOffline, beginOnline } from '../session/session.ts';
import { readToken } from '../session/token.ts';
import { rememberPassword, verifyOffline } from './verifier.ts';

export type SignInFault =
  | { code: ErrorCode | 'NETWORK' | 'UNEXPECTED'; message: string }
  | { code: 'UNKNOWN' | 'TOO_OLD' | 'DEVICE' }
  | { code: 'LOCKED'; waitMs: number };

export type SignInAnswer = { ok: true } | { ok: false; fault: SignInFault };

export interface Device {
  db: ClinicDatabase;
  ports: Ports;
}

export interface Credentials {
  email: string;
  password: string;
}

export async function signIn(device: Device, { email, password }: Credentials): Promise<SignInAnswer> {
  const { db, ports } = device;
  const known = await db.device.get('this');
  const proof = known && { device_id: known.device_id, device_key: known.device_key };
  let token: string;
  try {
    const reply = await publicApi
      .post('users/login', { json: { email, password, ...proof } })
      .json<{ success: true; data: { accessToken: string } }>();
    token = reply.data.accessToken;
  } catch (error) {
    const fault = await faultOf(error);
    if (!isUnanswered(fault)) return { ok: false, fault };
    const offline = await signInOffline(device, { email, password });
    const isStranger = !offline.ok && (offline.fault.code === 'UNKNOWN' || offline.fault.code === 'TOO_OLD');
    return isStranger && fault.code !== 'NETWORK' ? { ok: false, fault } : offline;
  }
  const claims = readToken(token);
  if (!claims) return { ok: false, fault: { code: 'UNEXPECTED', message: '' } };
  const [bound] = await Promise.all([
    bindDevice(db, token),
    rememberPassword(db, ports, { user: claims.user, password }),
  ]);
  if (bound) return { ok: false, fault: bound };
  await mirrorSession(db, token);
  beginOnline(token, claims.user);
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
    beginOffline(answer.user, answer.untilMs);
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
async function bindDevice(db: ClinicDatabase, token: string): Promise<SignInFault | null> {
  const known = await db.device.get('this');
  const enrol: DeviceRequest = {};
  const hello = known ? deviceRequest(known) : null;
  let fault = await postDevice(db, token, hello ?? enrol);
  if (fault?.code === 'DEVICE_UNKNOWN' && hello) fault = await postDevice(db, token, enrol);
  if (fault?.code === 'NETWORK') return known ? null : { code: 'DEVICE' };
  return fault;
}

async function postDevice(db: ClinicDatabase, token: string, json: DeviceRequest): Promise<CallFault | null> {
  try {
    const reply = await publicApi
      .post('devices', { json, headers: { authorization: `Bearer ${token}` } })
      .json<{ success: true; data: DeviceReply }>();
    await saveDevice(db, reply.data);
    const { device_id, actor_key } = reply.data;
    const claims = readToken(token);
    if (claims && actor_key !== undefined) holdActorKey(claims.user.id, readActorKey(device_id, actor_key));
    return null;
  } catch (error) {
    return faultOf(error);
  }
}
