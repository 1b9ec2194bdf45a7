/**
 * Devices and the codes under which they number (SYNC-12). A code is granted only once, because printed documents carry
 * it. A device authenticates with a key. The server stores only a hash of it; the key has 256 random bits, so a plain
 * hash is enough.
 */
import { hourMs } from '#domain/durations.ts';
import { browserName } from '#domain/browser-name.ts';
import { may } from '#domain/permissions.ts';
import { maxNumberStep } from '#domain/limits.ts';
import { noNumbersUsed, series } from '#domain/order/numbers.ts';
import type { NumberCounters } from '#domain/order/numbers.ts';
import type { DeviceReply, DeviceRequest } from '#domain/protocol/sync.ts';
import { isSilent } from '#domain/report/now.ts';
import type { SilentDevice } from '#domain/report/now.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { isoOrNull } from '#domain/instant.ts';
import { acrossClinics } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { loadClinic } from '#server/operations/store.ts';
import type { Ports } from '#server/ports.ts';
import type { Session, WriteContext } from '#server/context.ts';
import { recordAudit } from '../audit/service.ts';
import {
  codesGrantedTo,
  countCodeGrant,
  endSessionsOnDevice,
  endUnlocksOnDevice,
  hashOfKey,
  holdsKey,
  setSessionDevice,
} from '../users/service.ts';
import { nextCode } from './codes.ts';
import type { Grant } from './codes.ts';
import { tellDrawersOf } from './report.ts';
import { isKeyOf, newDeviceKey } from './device-key.ts';
import { countedUnder, insertCode } from './codes-store.ts';
import type { CodeRow } from './codes-store.ts';
import {
  askToLock,
  countEnrolledSince,
  devicesInUse,
  drawDeviceId,
  insertDevice,
  isGrantedToNobody,
  lockDevice,
  markRevoked,
  noteSignIn,
  updateDevice,
} from './store.ts';

export { recordReport } from './report.ts';
export { drawPrefix, nextServerNumber, renewCodes, serverCodeOf } from './codes.ts';
export { retireCodes } from './codes-store.ts';
export { enrolledDevices, longestOutboxes } from './store.ts';

type Introduced = Pick<DeviceReply, 'device_id' | 'device_key' | 'code' | 'tax_id' | 'counters' | 'last_seq'>;

/** Enrols a new device, or recognises a known one by its key, and binds the session to it. */
export async function introduceDevice(
  { database, clock }: Ports,
  session: Session,
  request: DeviceRequest,
  userAgent: string,
): Promise<Result<Introduced>> {
  // A session stays on the device where it began. Otherwise it would outlive the device's revocation, and its lock from afar.
  if (session.deviceId !== null && request.device_id !== session.deviceId) return refuse('SESSION_EXPIRED');
  const at = clock();
  // An id that was granted before a restore may be of any clinic.
  return inTransaction(acrossClinics(database), async (sql) => {
    const isKnown = request.device_id !== undefined || request.device_key !== undefined;
    const introduced = isKnown ? await recognise(sql, session, request, at) : await enrol(sql, session, request, at);
    if (!introduced.ok) return introduced;
    const { device_id: deviceId } = introduced.value;
    await setSessionDevice(sql, { ...session, deviceId });
    // A page that comes again is no sign-in.
    if (session.scope === 'full') await noteSignIn(sql, { ...session, deviceId, browser: browserName(userAgent) });
    return introduced;
  });
}

/** Creates a device with a new code. Without a key hash nobody can authenticate as it. */
export async function grantDevice(
  sql: Sql,
  {
    clinicId,
    id: drawn,
    name,
    keyHash,
    at,
  }: { clinicId: number; id?: number; name: string; keyHash: string | null; at: number },
): Promise<Grant & { id: number }> {
  const { code, taxId } = await nextCode(sql, clinicId);
  const id = drawn ?? (await drawDeviceId(sql));
  await insertDevice(sql, { clinicId, id, keyHash, name, code, enrolledAtMs: at, isNew: true });
  await insertCode(sql, { clinicId, code, taxId, deviceId: id, grantedAtMs: at });
  return { id, code, taxId };
}

/**
 * More than a person at one tablet needs; and a manager can enrol a large clinic's tablets within an hour. Codes are never
 * reused, so nobody may use them up: neither for good nor those that a manager needs in this hour.
 */
const mostCodes = { perSession: 20, perDay: 20, perHour: 300 };

async function mayTakeCode(sql: Sql, session: Session, at: number): Promise<boolean> {
  const sinceMs = at - 24 * hourMs;
  if (
    !may(session.role, 'device.revoke') &&
    (await codesGrantedTo(sql, { ...session, sinceMs, nowMs: at })) >= mostCodes.perDay
  )
    return false;
  return countCodeGrant(sql, { ...session, most: mostCodes.perSession });
}

/** Also counts the code that the device gets. */
async function mayAddDevice(sql: Sql, session: Session, at: number): Promise<boolean> {
  const inHour = await countEnrolledSince(sql, session.clinicId, { sinceMs: at - hourMs, nowMs: at });
  return inHour < mostCodes.perHour && mayTakeCode(sql, session, at);
}

async function enrol(
  sql: Sql,
  session: Session,
  { name = '' }: DeviceRequest,
  at: number,
): Promise<Result<Introduced>> {
  if (!(await mayAddDevice(sql, session, at))) return refuse('DEVICE_LIMIT');
  const { clinicId } = session;
  const { actorKeySecret } = await loadClinic(sql, clinicId);
  const id = await drawDeviceId(sql);
  const key = newDeviceKey(actorKeySecret, id);
  const { code, taxId } = await grantDevice(sql, { clinicId, id, name, keyHash: hashOfKey(key), at });
  await recordAudit(sql, { ...session, deviceId: id }, { action: 'device.enrolled', subject: code, at });
  return accept({ device_id: id, device_key: key, code, tax_id: taxId, counters: noNumbersUsed, last_seq: 0 });
}

/** Recognises a device. Copies of a cloned storage are one device, and each names the code under which it numbers. */
async function recognise(sql: Sql, session: Session, request: DeviceRequest, at: number): Promise<Result<Introduced>> {
  const { clinicId } = session;
  const device = request.device_id === undefined ? undefined : await lockDevice(sql, clinicId, request.device_id);
  if (!device) return adopt(sql, session, request, at);
  if (device.revokedAtMs !== null || !holdsKey(device, request.device_key)) return refuse('DEVICE_UNKNOWN');
  // Not the name: a device names itself once, and later only administrators name it.
  await updateDevice(sql, clinicId, device.id, { lastSeenAtMs: at });
  const known = { device_id: device.id, last_seq: device.lastSeq };
  const counters = request.counters ?? noNumbersUsed;
  const counted = await countedUnder(sql, clinicId, { deviceId: device.id, code: request.code ?? device.code });
  if (counted && !isInDoubt(counters, counted))
    return accept({ ...known, code: counted.code, tax_id: counted.taxId, counters });

  // The device lost its counters, is a copy of another, or its numbers stand beyond what the server counts.
  if (!(await mayTakeCode(sql, session, at))) return refuse('DEVICE_LIMIT');
  const { code, taxId } = await nextCode(sql, clinicId);
  await insertCode(sql, { clinicId, code, taxId, deviceId: device.id, grantedAtMs: at });
  await updateDevice(sql, clinicId, device.id, { code });
  await recordAudit(
    sql,
    { ...session, deviceId: device.id },
    { action: 'device.renumbered', subject: code, details: { from: request.code ?? device.code }, at },
  );
  return accept({ ...known, code, tax_id: taxId, counters: noNumbersUsed });
}

/**
 * Adopts a device that was enrolled after the backup from which this server was restored: its id was granted, but no
 * device has it (SYNC-16). Its key proves that this clinic granted it the id, so that no other takes it. The device keeps id
 * and key, because its queued operations carry the id. It gets a new code, because the counters under the old one are lost.
 */
async function adopt(
  sql: Sql,
  session: Session,
  { device_id: id, device_key: key, name = '' }: DeviceRequest,
  at: number,
): Promise<Result<Introduced>> {
  const { clinicId } = session;
  const { actorKeySecret } = await loadClinic(sql, clinicId);
  if (id === undefined || key === undefined || !isKeyOf(actorKeySecret, id, key)) return refuse('DEVICE_UNKNOWN');
  if (!(await isGrantedToNobody(sql, id))) return refuse('DEVICE_UNKNOWN');
  if (!(await mayAddDevice(sql, session, at))) return refuse('DEVICE_LIMIT');
  const { code, taxId } = await nextCode(sql, clinicId);
  await insertDevice(sql, {
    clinicId,
    id,
    keyHash: hashOfKey(key),
    name,
    code,
    enrolledAtMs: at,
    isNew: false,
  });
  await insertCode(sql, { clinicId, code, taxId, deviceId: id, grantedAtMs: at });
  await recordAudit(sql, { ...session, deviceId: id }, { action: 'device.adopted', subject: code, at });
  return accept({ device_id: id, code, tax_id: taxId, counters: noNumbersUsed, last_seq: 0 });
}

/** Under its old code such a device would reuse printed numbers, or use numbers that the server no longer counts. */
function isInDoubt(device: NumberCounters, { counters: server }: CodeRow): boolean {
  return series.some((of) => {
    const used = device[of] ?? 0;
    return server[of] > used || used > server[of] + maxNumberStep;
  });
}

/** Reads what a rename has seen of a device, and locks it. */
export async function deviceForRename(sql: Sql, clinicId: number, id: number): Promise<{ name: string } | null> {
  const found = await lockDevice(sql, clinicId, id);
  return found ? { name: found.name } : null;
}

export async function renameDevice(
  { sql, session, clinicId, atMs }: WriteContext,
  { id, name }: { id: number; name: string },
): Promise<Result<null>> {
  const found = await lockDevice(sql, clinicId, id);
  if (!found) return refuse('NOT_FOUND');
  await updateDevice(sql, clinicId, id, { name });
  await tellDrawersOf(sql, clinicId, id, atMs);
  await recordAudit(sql, session, { action: 'device.renamed', subject: found.code, at: atMs });
  return accept(null);
}

/**
 * Revokes a lost device for good. Its sessions end, its key and the keys of its users prove nothing any more, and what it
 * has not sent needs a manager's approval. The reason may name a person, so only the device has it.
 */
export async function revokeDevice(
  { sql, session, clinicId, userId, atMs }: WriteContext,
  { id, reason }: { id: number; reason: string },
): Promise<Result<null>> {
  const found = await lockDevice(sql, clinicId, id);
  if (!found || found.keyHash === null) return refuse('NOT_FOUND');
  if (found.revokedAtMs !== null) return accept(null);
  await markRevoked(sql, clinicId, { id, userId, reason, atMs });
  await tellDrawersOf(sql, clinicId, id, atMs);
  const sessions = await endSessionsOnDevice(sql, { clinicId, deviceId: id, atMs });
  await recordAudit(sql, session, { action: 'device.revoked', subject: found.code, details: { sessions }, at: atMs });
  return accept(null);
}

/**
 * Locks a device from afar. Its unlocks end at once, so that its page may do nothing more, and it locks its screen at its
 * next contact: one that is offline stays as it is until then.
 */
export async function lockFromAfar(
  { sql, session, clinicId, atMs }: WriteContext,
  { id }: { id: number },
): Promise<Result<null>> {
  const found = await lockDevice(sql, clinicId, id);
  if (!found || found.keyHash === null) return refuse('NOT_FOUND');
  // Nobody is signed in on a revoked one.
  if (found.revokedAtMs !== null) return accept(null);
  await askToLock(sql, clinicId, { id, atMs });
  await endUnlocksOnDevice(sql, { clinicId, deviceId: id });
  await recordAudit(sql, session, { action: 'device.locked', subject: found.code, at: atMs });
  return accept(null);
}

const mostSilent = 20;

/** Returns the devices that have left unsent work behind or have not reported for a day, the first few. */
export async function silentDevices(sql: Sql, clinicId: number, nowMs: number): Promise<SilentDevice[]> {
  const silent = (await devicesInUse(sql, clinicId, nowMs)).filter((device) => isSilent(device, nowMs));
  return silent.slice(0, mostSilent).map(({ id, name, code, waiting, lastSeenAtMs }) => ({
    id,
    name,
    code,
    waiting,
    last_seen_at: isoOrNull(lastSeenAtMs),
  }));
}
