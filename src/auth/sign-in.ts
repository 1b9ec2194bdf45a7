/** Signs in at the server, or with this device's verifier if the server does not answer. */
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import type { DeviceReply, DeviceRequest } from '../../domain/protocol/sync.ts';
import { faultOf, publicApi } from '../api/client.ts';
import type { CallFault } from '../api/client.ts';
import type { ClinicDatabase } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { deviceRequest, saveDevice } from '../db/singletons.ts';
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
  let token: string;
  try {
    const reply = await publicApi
      .post('users/login', { json: { email, password } })
      .json<{ success: true; data: { accessToken: string } }>();
    token = reply.data.accessToken;
  } catch (error) {
    const fault = await faultOf(error);
    return fault.code === 'NETWORK' ? signInOffline(device, { email, password }) : { ok: false, fault };
  }
  const claims = readToken(token);
  if (!claims) return { ok: false, fault: { code: 'UNEXPECTED', message: '' } };
  const { db, ports } = device;
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
    return null;
  } catch (error) {
    return faultOf(error);
  }
}
